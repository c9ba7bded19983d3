import { expect, it } from 'vitest'
import { Pause } from './pause'

/** A delay that ends only when the test calls `goOn`. */
function stoppedClock() {
  let goOn: () => void = () => undefined
  const delays: number[] = []
  return {
    delays,
    goOn: () => {
      goOn()
    },
    delay: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        delays.push(milliseconds)
        goOn = resolve
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'))
        })
      }),
  }
}

it('waits for the given time', async () => {
  const clock = stoppedClock()
  const wait = new Pause(clock.delay).wait(4000, new AbortController().signal)
  clock.goOn()
  expect(await wait).toBe('time')
  expect(clock.delays).toEqual([4000])
})

it('ends early on end() and on abort', async () => {
  const pause = new Pause<'at-once'>(stoppedClock().delay)
  const first = pause.wait(4000, new AbortController().signal)
  pause.end('at-once')
  expect(await first).toBe('at-once')

  const abort = new AbortController()
  const second = pause.wait(4000, abort.signal)
  abort.abort()
  expect(await second).toBe('aborted')
})

it('waits for end() only if no time is given', async () => {
  const clock = stoppedClock()
  const pause = new Pause<'at-once'>(clock.delay)
  const wait = pause.wait(undefined, new AbortController().signal)
  clock.goOn()
  expect(clock.delays).toEqual([])
  pause.end('at-once')
  expect(await wait).toBe('at-once')
})

it('ends at once if the signal has aborted', async () => {
  expect(await new Pause(stoppedClock().delay).wait(4000, AbortSignal.abort())).toBe('aborted')
})
