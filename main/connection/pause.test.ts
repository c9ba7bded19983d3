import { expect, it } from 'vitest'
import { Pause } from './pause'

/** A clock that stands still until it is told to go on. */
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

it('lasts as long as it should', async () => {
  const clock = stoppedClock()
  const wait = new Pause(clock.delay).wait(4000, new AbortController().signal)
  clock.goOn()
  expect(await wait).toBe('time')
  expect(clock.delays).toEqual([4000])
})

it('is cut short by what happens, and by the one who gives up', async () => {
  const pause = new Pause<'at-once'>(stoppedClock().delay)
  const first = pause.wait(4000, new AbortController().signal)
  pause.end('at-once')
  expect(await first).toBe('at-once')

  const abort = new AbortController()
  const second = pause.wait(4000, abort.signal)
  abort.abort()
  expect(await second).toBe('aborted')
})

it('without a time, waits for what happens only', async () => {
  const clock = stoppedClock()
  const pause = new Pause<'at-once'>(clock.delay)
  const wait = pause.wait(undefined, new AbortController().signal)
  clock.goOn()
  expect(clock.delays).toEqual([])
  pause.end('at-once')
  expect(await wait).toBe('at-once')
})

it('is over at once for one who has given up before', async () => {
  expect(await new Pause(stoppedClock().delay).wait(4000, AbortSignal.abort())).toBe('aborted')
})
