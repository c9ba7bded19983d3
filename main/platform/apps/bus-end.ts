import type { MessageBus } from '@jellybrick/dbus-next'
import { EventEmitter } from 'node:events'

/**
 * Calls back when the connection to a bus ends, perhaps more than once. The library tells nobody of that: it emits `error` for a broken
 * socket alone, and its promises stay pending. Only its connection has the event, which is a private field. Throws if a
 * later version has it elsewhere, because a lost bus would not be noticed then.
 */
export function onBusEnd(bus: MessageBus, onEnd: () => void): void {
  const connection: unknown = Reflect.get(bus, '_connection')
  const emitter: unknown = bus
  if (!(connection instanceof EventEmitter) || !(emitter instanceof EventEmitter))
    throw new Error('The D-Bus library has no connection that ends.')
  emitter.on('error', onEnd)
  connection.on('end', onEnd)
}
