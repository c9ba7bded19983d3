import { expect, it } from 'vitest'
import { byteRange, namesTag } from './add-storage'

const part = (start: number, end: number) => ({ start, end })

it.each([
  [undefined, undefined],
  ['bytes=0-0', part(0, 0)],
  ['bytes=2-5', part(2, 5)],
  ['bytes=2-', part(2, 9)],
  ['bytes=-3', part(7, 9)],
  ['bytes=-30', part(0, 9)],
  ['bytes=9-99999', part(9, 9)],
  ['bytes= 1 - 2 ', part(1, 2)],
  ['bytes=10-', 'outside'],
  ['bytes=99-100', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=5-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=99999999999999999999-', undefined],
  ['items=0-1', undefined],
  ['', undefined],
])('reads %s for an object of ten bytes', (header, expected) => {
  expect(byteRange(header, 10)).toEqual(expected)
})

it('has no valid range for an empty object', () => {
  expect([byteRange('bytes=0-', 0), byteRange('bytes=-1', 0)]).toEqual(['outside', 'outside'])
})

it.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match %s matches "a": %s', (header, expected) => {
  expect(namesTag(header, '"a"')).toBe(expected)
})
