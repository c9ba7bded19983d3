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

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('asks the command to end in order at %s', (name) => {
  source.emit(name)
  expect(stop.signal.aborted).toBe(true)
  expect(insisted).toBe(0)
})

it('takes the copy of a Ctrl-C that npm passes on for the same one', () => {
  source.emit('SIGINT')
  now = 400
  source.emit('SIGINT')
  expect(insisted).toBe(0)
})

it('gives way to a person who presses Ctrl-C again', () => {
  source.emit('SIGINT')
  now = 1500
  source.emit('SIGINT')
  expect(insisted).toBe(1)
})

it('does not take the first Ctrl-C for a second one where the reader of the output is gone', () => {
  stop.stop()
  now = 10_000
  source.emit('SIGINT')
  expect(insisted).toBe(0)
})

it('leaves nothing behind that listens', () => {
  stop.dispose()
  expect(source.eventNames()).toEqual([])
})
