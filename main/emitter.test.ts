import { expect, it } from 'vitest'
import { Emitter } from './emitter'

it('calls all listeners although one throws, and reports the error', () => {
  const defects: unknown[] = []
  const emitter = new Emitter<number>((error) => defects.push(error))
  const received: number[] = []
  const broken = new Error('broken')
  emitter.on(() => {
    throw broken
  })
  const stop = emitter.on((value) => received.push(value))
  emitter.emit(1)
  stop()
  emitter.emit(2)
  expect(received).toEqual([1])
  expect(defects).toEqual([broken, broken])
  emitter.clear()
  emitter.emit(3)
  expect(defects).toHaveLength(2)
})
