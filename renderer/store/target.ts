import { useCallback } from 'react'
import { createStore } from 'zustand/vanilla'
import { useStore } from 'zustand'
import type { ConnectionTarget } from '../../contract/connection'
import { connectTarget } from '../../contract/connection-summary'
import { useAppState } from './context'
import { windowStore } from './window-store'

/** The profile that the person picked for the next connection. */
const usePickedStore = windowStore(() =>
  createStore<{ readonly picked: ConnectionTarget | undefined }>(() => ({ picked: undefined })),
)

/** Returns the profile to connect to where none is named, and a function that picks another one. */
export function useTarget(): {
  readonly target: ConnectionTarget | undefined
  readonly pick: (target: ConnectionTarget | undefined) => void
} {
  const state = useAppState()
  const store = usePickedStore()
  const { picked } = useStore(store)
  const isOffered = state.instances.some(
    ({ id, profiles }) =>
      id === picked?.instanceId && profiles.items.some(({ profileId }) => profileId === picked.profileId),
  )
  const pick = useCallback(
    (target: ConnectionTarget | undefined) => {
      store.setState({ picked: target })
    },
    [store],
  )
  return { target: isOffered ? picked : connectTarget(state), pick }
}
