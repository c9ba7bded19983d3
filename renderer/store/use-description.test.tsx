import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import { emptyState } from '../empty-state.testing'
import { signedIn } from '../fake-bridge.testing'
import { AppContext } from './context'
import { useDescription } from './use-description'

const waiting = {
  state: 'reconnecting',
  target: { instanceId: 'vpn.example.org', profileId: 'internet' },
  reason: 'unreachable',
  attempt: 1,
  routes: 'gone',
  waitingForNetwork: true,
} as const

it.each([
  ['this process, which can try again', undefined, ['disconnect', 'retryNow']],
  ['another process, which cannot be told to', { kind: 'terminal', pid: 4711 }, ['disconnect']],
] as const)('names service and profile of a connection of %s', (_whose, heldBy, verbs) => {
  const state = { ...emptyState, instances: [{ ...signedIn, name: 'Work' }], connection: waiting, heldBy }
  const { result } = renderHook(useDescription, {
    wrapper: ({ children }) => (
      <AppContext bridge={{} as Bridge} state={state}>
        {children}
      </AppContext>
    ),
  })
  expect(result.current).toMatchObject({
    word: 'reconnecting',
    values: { instance: 'Work', profile: 'Internet access' },
    verbs,
  })
})
