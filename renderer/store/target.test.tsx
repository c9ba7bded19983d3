import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import type { AppState, InstanceSlice } from '../../contract/state'
import { emptyState } from '../empty-state.testing'
import { signedIn } from '../fake-bridge.testing'
import { AppContext } from './context'
import { useTarget } from './target'

const unusedBridge: Bridge = {
  run: () => Promise.reject(new Error('The target needs no command.')),
  offerFiles: () => Promise.resolve({ ok: true, value: { files: [], refused: [] } }),
  state: () => Promise.resolve(emptyState),
  onStateChanged: () => () => undefined,
  onConnectionNews: () => () => undefined,
}
const internet = { instanceId: signedIn.id, profileId: 'internet' }
const office = { instanceId: signedIn.id, profileId: 'office' }

function withProfiles(...ids: string[]): InstanceSlice {
  const { items } = signedIn.profiles
  return {
    ...signedIn,
    profiles: { status: 'loaded', items: items.filter(({ profileId }) => ids.includes(profileId)) },
  }
}

it.each([
  ['its profile', [withProfiles('internet')], internet],
  [
    'its service',
    [{ ...withProfiles('internet', 'office'), id: 'other.example.org' }],
    { ...internet, instanceId: 'other.example.org' },
  ],
])('forgets a picked target while %s is gone', (_what, remaining, expected) => {
  // The picked target is kept by the bridge object.
  const bridge = { ...unusedBridge }
  let state: AppState = { ...emptyState, instances: [withProfiles('internet', 'office')] }
  const { result, rerender } = renderHook(useTarget, {
    wrapper: ({ children }) => (
      <AppContext bridge={bridge} state={state}>
        {children}
      </AppContext>
    ),
  })
  expect(result.current.target).toEqual(internet)
  act(() => {
    result.current.pick(office)
  })
  expect(result.current.target).toEqual(office)

  state = { ...state, instances: remaining }
  rerender()
  expect(result.current.target).toEqual(expected)
})
