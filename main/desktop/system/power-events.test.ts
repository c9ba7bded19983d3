import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { powerEvents } from './power-events'

it('reports wake-ups until unsubscribed', () => {
  const monitor = new EventEmitter()
  const told: string[] = []
  const stop = powerEvents(monitor).watch((event) => told.push(event))
  monitor.emit('resume')
  expect(told).toEqual(['resumed'])
  stop()
  monitor.emit('resume')
  expect(told).toEqual(['resumed'])
  expect(monitor.listenerCount('resume')).toBe(0)
})
