import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import type { AppState } from '../../contract/state'
import { emptyState } from '../empty-state.testing'
import { signedIn } from '../fake-bridge.testing'
import { AppContext } from './context'
import { useEndedAccess, useStart } from './ended-access'
import { useRowFailure } from './row-failure'

const now = Date.parse('2026-11-20T12:00:00Z')
const target = { instanceId: signedIn.id, profileId: 'internet' }

/** Renders a hook in a window with a service whose access ends at a time, and returns the commands that it runs. */
function inWindow<Result>(hook: () => Result, at: number, answer = (): unknown => ({ ok: true })) {
  vi.useFakeTimers({ now })
  const ran: unknown[] = []
  const bridge = {
    run: (...words: unknown[]) => {
      ran.push(words)
      return Promise.resolve(answer())
    },
  } as unknown as Bridge
  const state: AppState = {
    ...emptyState,
    instances: [
      { ...signedIn, id: 'over.example.org', ends: { at: now - 1000, renewableFrom: 0 } },
      { ...signedIn, ends: { at, renewableFrom: 0 } },
    ],
  }
  const { result } = renderHook(hook, {
    wrapper: ({ children }) => (
      <AppContext bridge={bridge} state={state}>
        {children}
      </AppContext>
    ),
  })
  return { result, ran }
}

it('tells that access has ended once it does, and nothing of a service that is gone', () => {
  const { result } = inWindow(useEndedAccess, now + 60_000)
  expect(result.current('over.example.org')).toBe(true)
  expect(result.current(signedIn.id)).toBe(false)
  expect(result.current('gone.example.org')).toBe(false)
  expect(result.current(undefined)).toBe(false)
  act(() => {
    vi.advanceTimersByTime(59_999)
  })
  expect(result.current(signedIn.id)).toBe(false)
  act(() => {
    vi.advanceTimersByTime(1)
  })
  expect(result.current(signedIn.id)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('sets no timer once all access has ended', () => {
  inWindow(useEndedAccess, now - 1)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['connects while access lasts', 60_000, false, ['connect', { ...target, takeOver: undefined }]],
  ['renews where access has ended', -60_000, false, ['renewSession', { ...target, takeOver: undefined }]],
  ['takes over from another process', 60_000, true, ['connect', { ...target, takeOver: true }]],
])('%s', async (_what, left, isHeld, command) => {
  const { result, ran } = inWindow(useStart, now + left)
  await act(() => result.current(target, { isHeld }))
  expect(ran).toEqual([command])
})

it.each([
  ['a failed renewal', -60_000, 'instance/unreachable', true],
  ["a connection's failure, which is in main's state, not", 60_000, 'instance/unreachable', false],
  ['a command that did not reach main', 60_000, 'internal/unexpected', true],
  ['a command that main refused', 60_000, 'usage/unknown-instance', true],
] as const)('reports %s, until the next try', async (_what, left, code, isReported) => {
  const error = { code, message: 'It failed.' }
  let answer: unknown = { ok: false, error }
  const { result } = inWindow(
    () => ({ start: useStart(), failure: useRowFailure() }),
    now + left,
    () => answer,
  )
  await act(() => result.current.start(target, { isHeld: false }))
  expect(result.current.failure).toEqual(isReported ? { error, instanceId: target.instanceId } : undefined)
  answer = { ok: true }
  await act(() => result.current.start(target, { isHeld: false }))
  expect(result.current.failure).toBeUndefined()
})
