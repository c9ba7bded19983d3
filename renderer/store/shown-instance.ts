import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../contract/bridge'
import type { AppState, InstanceSlice } from '../../contract/state'
import { useAppState, useBridge } from './context'

interface Choice {
  readonly chosen: string | undefined
  /** The ids of the instances that were there before; undefined as long as nobody has looked. */
  readonly known: readonly string[] | undefined
}

/** One a window, so that the choice outlasts the view. */
const choices = new WeakMap<Bridge, StoreApi<Choice>>()

/** The instance whose profiles the first view shows, and how to show another one. */
export function useShownInstance(): {
  /** Undefined where there is no instance. */
  readonly shown: InstanceSlice | undefined
  readonly choose: (instanceId: string) => void
} {
  const bridge = useBridge()
  const state = useAppState()
  const store = choices.get(bridge) ?? createStore<Choice>(() => ({ chosen: undefined, known: undefined }))
  choices.set(bridge, store)
  const chosen = useStore(store, (choice) => choice.chosen)
  const ids = state.instances.map(({ id }) => id).join('\n')
  useEffect(() => {
    const all = ids.split('\n').filter((id) => id !== '')
    const { known } = store.getState()
    // Who has added one wants to see it; where there was none before there is no choice yet.
    const added = known?.length ? all.find((id) => !known.includes(id)) : undefined
    store.setState({ known: all, ...(added === undefined ? {} : { chosen: added }) })
  }, [store, ids])
  return {
    shown: shownInstance(state, chosen),
    choose: (instanceId) => {
      store.setState({ chosen: instanceId })
    },
  }
}

/** Tells main which of several instances is shown, so that its menu connects to what the big button does. */
export function useTellShownInstance(): void {
  const bridge = useBridge()
  const { instances } = useAppState()
  const { shown } = useShownInstance()
  const instanceId = instances.length > 1 ? shown?.id : undefined
  useEffect(() => {
    if (instanceId !== undefined) void bridge.run('showsInstance', { instanceId })
  }, [bridge, instanceId])
}

/** The one that was chosen, else the one of the connection, else one that was connected before, else the first. */
export function shownInstance(
  { instances, connection }: Pick<AppState, 'instances' | 'connection'>,
  chosen: string | undefined,
): InstanceSlice | undefined {
  const target = 'target' in connection ? connection.target.instanceId : undefined
  return (
    instances.find(({ id }) => id === chosen) ??
    instances.find(({ id }) => id === target) ??
    instances.find(({ lastProfileId }) => lastProfileId !== undefined) ??
    instances[0]
  )
}
