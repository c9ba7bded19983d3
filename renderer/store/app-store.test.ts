import { expect, it } from 'vitest'
import type { Bridge } from '../../contract/bridge'
import type { AppState } from '../../contract/state'
import { emptyState } from '../empty-state.testing'
import { mirrorState } from './app-store'

/** A bridge whose state and changes a test sends. */
function bridgeOf(state: Promise<AppState>) {
  let send: (changed: Partial<AppState>) => void = () => undefined
  let stopped = false
  const bridge = {
    state: () => state,
    onStateChanged: (listener: typeof send) => {
      send = listener
      return () => {
        stopped = true
      }
    },
  } as unknown as Bridge
  return {
    bridge,
    send: (changed: Partial<AppState>) => {
      send(changed)
    },
    hasStopped: () => stopped,
  }
}

it('waits for the whole state, which contains the changes before it', async () => {
  let arrive: (state: AppState) => void = () => undefined
  const whole = new Promise<AppState>((resolve) => {
    arrive = resolve
  })
  const { bridge, send } = bridgeOf(whole)
  const { store } = mirrorState(bridge)
  send({ inFront: false })
  expect(store.getState()).toEqual({ status: 'loading' })
  arrive(emptyState)
  await whole
  expect(store.getState()).toEqual({ status: 'ready', state: emptyState })
})

it('puts changes over the state, until it is stopped', async () => {
  const { bridge, send, hasStopped } = bridgeOf(Promise.resolve(emptyState))
  const { store, stop } = mirrorState(bridge)
  await Promise.resolve()
  send({ inFront: false })
  expect(store.getState()).toEqual({ status: 'ready', state: { ...emptyState, inFront: false } })
  expect(hasStopped()).toBe(false)
  stop()
  expect(hasStopped()).toBe(true)
})

it('reports a state that main could not send, without its message', async () => {
  const { bridge } = bridgeOf(Promise.reject(new TypeError('secret')))
  const { store } = mirrorState(bridge)
  await Promise.resolve()
  await Promise.resolve()
  expect(store.getState()).toMatchObject({
    status: 'failed',
    error: { code: 'internal/unexpected', details: { kind: 'TypeError' } },
  })
  expect(JSON.stringify(store.getState())).not.toContain('secret')
})
