import { expect, it } from 'vitest'
import { Emitter } from './emitter'

it('calls everyone back although one of them throws, and reports that one', () => {
  const defects: unknown[] = []
  const emitter = new Emitter<number>((error) => defects.push(error))
  const heard: number[] = []
  const broken = new Error('broken')
  emitter.on(() => {
    throw broken
  })
  const stop = emitter.on((value) => heard.push(value))
  emitter.emit(1)
  stop()
  emitter.emit(2)
  expect(heard).toEqual([1])
  expect(defects).toEqual([broken, broken])
  emitter.clear()
  emitter.emit(3)
  expect(defects).toHaveLength(2)
})
