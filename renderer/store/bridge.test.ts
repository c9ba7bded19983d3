import { describe, expect, it, vi } from 'vitest'
import type { UncheckedBridge } from '../../contract/bridge'
import { emptyState } from '../empty-state.testing'
import { mirrorState } from './app-store'
import { checkedBridge } from './bridge'

function unchecked(given: Partial<UncheckedBridge>): UncheckedBridge {
  return {
    run: () => Promise.resolve({ ok: true, value: undefined }),
    offerFiles: () => Promise.resolve({ ok: true, value: { files: [], refused: [] } }),
    state: () => Promise.resolve(emptyState),
    painted: () => undefined,
    onStateChanged: () => () => undefined,
    onConnectionNews: () => () => undefined,
    ...given,
  }
}

const ignore = (): void => undefined

describe('checkedBridge', () => {
  it('returns results that match the contract', async () => {
    const bridge = checkedBridge(
      unchecked({ run: () => Promise.resolve({ ok: true, value: { instanceId: 'a' } }) }),
      ignore,
    )
    expect(await bridge.run('addInstance', { address: 'a' })).toEqual({
      ok: true,
      value: { instanceId: 'a' },
    })
  })

  it.each([
    ['an answer of another shape', () => Promise.resolve({ ok: true, value: { instanceId: 7 } })],
    ['no answer', () => Promise.resolve(undefined)],
    ['an unknown error code', () => Promise.resolve({ ok: false, error: { code: 'new/one', message: '' } })],
    ['a rejection', () => Promise.reject(new Error('token abc'))],
  ])('turns %s into an error that a view can show', async (_what, run) => {
    const defects: unknown[] = []
    const bridge = checkedBridge(unchecked({ run }), (error) => defects.push(error))
    const result = await bridge.run('addInstance', { address: 'a' })
    expect(defects).toHaveLength(1)
    expect(result).toMatchObject({ ok: false, error: { code: 'internal/unexpected' } })
    expect(JSON.stringify(result)).not.toContain('abc')
  })

  it.each(['onStateChanged', 'onConnectionNews'] as const)(
    'passes on what main sends to %s, and reports a listener that throws',
    (on) => {
      let send: (news: unknown) => void = () => undefined
      const stop = (): void => undefined
      const given = unchecked({
        [on]: (listener: typeof send) => {
          send = listener
          return stop
        },
      })
      const defects: unknown[] = []
      const received: unknown[] = []
      const failure = new Error('a view fails')
      const stopped = checkedBridge(given, (error) => defects.push(error))[on]((news) => {
        received.push(news)
        if (received.length === 2) throw failure
      })
      for (const news of [1, 2, 3]) send(news)
      expect(received).toEqual([1, 2, 3])
      expect(defects).toEqual([failure])
      expect(stopped).toBe(stop)
    },
  )
})

describe('mirrorState', () => {
  it('mirrors the whole state, then each slice as it changes', async () => {
    let send: (changed: unknown) => void = () => undefined
    const { store } = mirrorState(
      checkedBridge(
        unchecked({
          onStateChanged: (listener) => {
            send = listener
            return () => undefined
          },
        }),
        ignore,
      ),
    )
    expect(store.getState()).toEqual({ status: 'loading' })
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        stop()
        resolve()
      })
    })
    expect(store.getState()).toEqual({ status: 'ready', state: emptyState })
    const notices = [{ code: 'data/damaged', message: 'Set aside.' }]
    send({ notices })
    expect(store.getState()).toEqual({ status: 'ready', state: { ...emptyState, notices } })

    send({ heldBy: { kind: 'terminal', pid: 4711 } })
    expect(store.getState()).toMatchObject({ state: { heldBy: { pid: 4711 } } })
    send({ settings: emptyState.settings })
    expect(store.getState()).toMatchObject({ state: { heldBy: { pid: 4711 } } })
    send({ heldBy: undefined })
    expect(store.getState(), 'a slice that is no more').toEqual({
      status: 'ready',
      state: { ...emptyState, notices },
    })
  })

  it('ignores changes before the whole state', async () => {
    let send: (changed: unknown) => void = () => undefined
    const { store } = mirrorState(
      checkedBridge(
        unchecked({
          onStateChanged: (listener) => {
            send = listener
            return () => undefined
          },
        }),
        ignore,
      ),
    )
    send({ notices: [{ code: 'data/damaged', message: 'Set aside.' }] })
    expect(store.getState()).toEqual({ status: 'loading' })
    await vi.waitFor(() => {
      expect(store.getState()).toEqual({ status: 'ready', state: emptyState })
    })
  })

  it("fails if main doesn't send the state", async () => {
    const gone = new Error('gone')
    const defects: unknown[] = []
    const { store } = mirrorState(
      checkedBridge(unchecked({ state: () => Promise.reject(gone) }), (error) => defects.push(error)),
    )
    await new Promise<void>((resolve) => {
      store.subscribe(() => {
        resolve()
      })
    })
    expect(store.getState()).toMatchObject({ status: 'failed', error: { code: 'internal/unexpected' } })
    expect(defects).toEqual([gone])
  })
})
