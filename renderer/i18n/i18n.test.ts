import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../preload/error-codes'
import { en } from './en'
import { bestLanguage } from './i18n'
import { nl } from './nl'

/** Every text with its key, such as `connection.word.connected`. */
function flatten(texts: object, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value as object, `${prefix}${key}.`),
  )
}

const english = new Map(flatten(en))
const dutch = new Map(flatten(nl))

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../i18n/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

describe('the texts', () => {
  it('are in both languages, none empty, with the same values put in', () => {
    expect([...dutch.keys()].sort()).toEqual([...english.keys()].sort())
    const placeholders = (text: string): string[] => (text.match(/{{\w+}}/g) ?? []).sort()
    for (const [key, text] of english) {
      const other = dutch.get(key) ?? ''
      expect(other.trim(), key).not.toBe('')
      expect(placeholders(other), key).toEqual(placeholders(text))
    }
  })

  it('say for every error what happened and what to do, in whole sentences', () => {
    for (const texts of [en.errors, nl.errors]) {
      for (const code of errorCodes) {
        expect(texts[code].what, code).toMatch(/^[A-Z].*\.$/)
        expect(texts[code].todo, code).toMatch(/^[A-Z].*\.$/)
      }
    }
  })

  it('never shout', () => {
    for (const [key, text] of [...english, ...dutch]) expect(text, key).not.toContain('!')
  })

  it('are all used, and every key used has its text', () => {
    const source = Object.values(sources).join('\n')
    expect(source.length).toBeGreaterThan(10_000)
    const literal = new Set([...source.matchAll(/'([a-z]+(?:\.\w+)+)'/gi)].map((found) => found[1]))
    const families = [...source.matchAll(/`([a-z]+(?:\.\w+)*)\.\$\{[^`]*\}(\w*(?:\.\w+)?)`/gi)].map(
      ([, start = '', end = '']) => new RegExp(`^${start}\\.[^.]+${end.replace('.', '\\.')}$`),
    )
    const unused = [...english.keys()].filter(
      (key) => !literal.has(key) && !families.some((family) => family.test(key)),
    )
    expect(unused).toEqual([])
    const roots = Object.keys(en).join('|')
    const missing = [...literal].filter(
      (key) => key !== undefined && new RegExp(`^(${roots})\\.`).test(key) && !english.has(key),
    )
    expect(missing).toEqual([])
  })
})

describe('bestLanguage', () => {
  it.each([
    [['nl-BE', 'en'], 'nl'],
    [['de', 'nl'], 'nl'],
    [['EN-us', 'nl'], 'en'],
    [['fy'], 'en'],
    [[], 'en'],
  ])('of %j is %s', (languages, best) => {
    expect(bestLanguage(languages)).toBe(best)
  })
})
