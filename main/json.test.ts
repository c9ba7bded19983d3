import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeJson, parseJson } from './json'

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['{"id":1050118621198921728}', { id: '1050118621198921728' }],
    ['[-1050118621198921728]', ['-1050118621198921728']],
    ['[123456789012345678901234567890]', ['123456789012345678901234567890']],
    ['{"id":"1050118621198921728"}', { id: '1050118621198921728' }],
    [
      '[0.12345678901234567, 1e300, 1050118621198921728]',
      [Number('0.12345678901234567'), 1e300, '1050118621198921728'],
    ],
    ['{"a":1,"a":1050118621198921728}', { a: '1050118621198921728' }],
  ])('keeps every digit of %s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it.each(['', '{', '[1050118621198921728', '{"a":1050118621198921728,}', '<html>1050118621198921728'])(
    'returns undefined for %s',
    (text) => {
      expect(parseJson(text)).toBeUndefined()
    },
  )

  it('returns undefined for an array that is nested too deeply', () => {
    expect(parseJson(`${'['.repeat(100_000)}1050118621198921728${']'.repeat(100_000)}`)).toBeUndefined()
  })

  it('treats __proto__ as an ordinary key', () => {
    const value = parseJson('{"id":1050118621198921728,"__proto__":{"isAdmin":true}}')
    expect(value).not.toHaveProperty('isAdmin')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('matches JSON.parse if every number is exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ value, long: '1234567890123456' })
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
      { seed: 13 },
    )
  })
})

describe('changeJson', () => {
  const doubled = (value: unknown) => [value, value]

  it('keeps every digit of a number', () => {
    expect(changeJson('{"id":1050118621198921728,"n":[-1.5,0]}', doubled)).toBe(
      '[{"id":1050118621198921728,"n":[-1.5,0]},{"id":1050118621198921728,"n":[-1.5,0]}]',
    )
    expect(changeJson('1', doubled)).toBe('[1,1]')
  })

  it.each(['', '{"id":1050118621198921728', '<html>'])('returns undefined for %s', (text) => {
    expect(changeJson(text, doubled)).toBeUndefined()
  })
})
