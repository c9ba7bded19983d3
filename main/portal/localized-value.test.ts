import { describe, expect, it } from 'vitest'
import { processorTime } from '../../scripts/processor-time'
import { resolveLocalized } from './localized-value'

const all = { de: 'Internetzugang', 'en-US': 'Internet Access', nl: 'Internettoegang', 'pt-BR': 'Acesso' }

describe('a localized value', () => {
  it('is itself when it is a text', () => {
    expect(resolveLocalized('Office', ['nl'])).toBe('Office')
    expect(resolveLocalized('', ['nl'])).toBe('')
  })

  it.each([
    [['nl'], 'Internettoegang'],
    [['nl-BE'], 'Internettoegang'],
    [['NL-be'], 'Internettoegang'],
    [['nl_NL'], 'Internettoegang'],
    [['fr', 'de-AT'], 'Internetzugang'],
    [['de-AT', 'nl'], 'Internetzugang'],
    [['pt'], 'Acesso'],
    [['en-GB'], 'Internet Access'],
    [['fr'], 'Internet Access'],
    [[], 'Internet Access'],
    [['*', '', '__proto__', 'x-private', 'i-klingon', '../..'], 'Internet Access'],
  ])('for %j is "%s"', (languages, expected) => {
    expect(resolveLocalized(all, languages)).toBe(expected)
  })

  it('falls back to en before en-US, and to any when there is neither', () => {
    expect(resolveLocalized({ de: 'D', 'en-US': 'US', en: 'E' }, ['fr'])).toBe('E')
    expect(resolveLocalized({ de: 'D', nl: 'N' }, ['fr'])).toBe('D')
  })

  it('is found under a tag that a server writes with an underscore', () => {
    expect(resolveLocalized({ de: 'D', nl_NL: 'N', en_US: 'US' }, ['nl'])).toBe('N')
    expect(resolveLocalized({ de: 'D', en_US: 'US' }, ['fr'])).toBe('US')
  })

  it.each([
    [{}, ''],
    [{ '*': 'any' }, 'any'],
    [{ '': 'any' }, 'any'],
    [{ 'x-private': 'any', 'not a tag': 'other' }, 'any'],
    [JSON.parse('{"__proto__": "any"}') as Record<string, string>, 'any'],
    [{ constructor: 'any' }, 'any'],
  ])('with hostile tags is any of its texts: %j', (value, expected) => {
    expect(resolveLocalized(value, ['nl'])).toBe(expected)
  })

  it('is found in no time among very many tags', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`t${index}`, 'x']))
    expect(processorTime(() => resolveLocalized(many, ['nl', 'fr', 'de']))).toBeLessThan(1000)
  })
})
