import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { powerEvents } from './power-events'

it('reports wake-ups until unsubscribed', () => {
  const monitor = new EventEmitter()
  const received: string[] = []
  const stop = powerEvents(monitor).watch((event) => received.push(event))
  monitor.emit('resume')
  expect(received).toEqual(['resumed'])
  stop()
  monitor.emit('resume')
  expect(received).toEqual(['resumed'])
  expect(monitor.listenerCount('resume')).toBe(0)
})
