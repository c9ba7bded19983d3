import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import { emptyState } from '../empty-state.testing'
import { signedIn } from '../fake-bridge.testing'
import { AppContext } from './context'
import { useProfileName, useServiceName } from './profile-name'

function inState<Result>(hook: () => Result): Result {
  const named = { ...signedIn, id: 'named.example.org', name: 'Work' }
  const { result } = renderHook(hook, {
    wrapper: ({ children }) => (
      <AppContext bridge={{} as Bridge} state={{ ...emptyState, instances: [named, signedIn] }}>
        {children}
      </AppContext>
    ),
  })
  return result.current
}

it.each([
  [signedIn.id, 'internet', 'Internet access'],
  [signedIn.id, 'gone', undefined],
  ['gone.example.org', 'internet', undefined],
])('names the profile of %s/%s', (instanceId, profileId, name) => {
  expect(inState(() => useProfileName({ instanceId, profileId }))).toBe(name)
  expect(inState(() => useProfileName(undefined))).toBeUndefined()
})

it.each([
  [signedIn.id, signedIn.id],
  ['named.example.org', 'Work'],
  ['gone.example.org', 'gone.example.org'],
  [undefined, ''],
])('names the service %s', (instanceId, name) => {
  expect(inState(() => useServiceName(instanceId))).toBe(name)
})
