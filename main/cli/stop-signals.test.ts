import { EventEmitter } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import { StopSignals } from './stop-signals'

let source: EventEmitter
let now: number
let insisted: number
let stop: StopSignals

beforeEach(() => {
  source = new EventEmitter()
  now = 0
  insisted = 0
  stop = new StopSignals({ source, now: () => now, onInsist: () => (insisted += 1) })
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('aborts the signal on %s', (name) => {
  source.emit(name)
  expect(stop.signal.aborted).toBe(true)
  expect(insisted).toBe(0)
})

it('ignores the copy of a Ctrl-C that npm forwards', () => {
  source.emit('SIGINT')
  now = 400
  source.emit('SIGINT')
  expect(insisted).toBe(0)
})

it('ends at once on a second Ctrl-C', () => {
  source.emit('SIGINT')
  now = 1500
  source.emit('SIGINT')
  expect(insisted).toBe(1)
})

it('does not count stop() as the first Ctrl-C', () => {
  stop.stop()
  now = 10_000
  source.emit('SIGINT')
  expect(insisted).toBe(0)
})

it('removes its listeners on dispose', () => {
  stop.dispose()
  expect(source.eventNames()).toEqual([])
})
