import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../error-codes'
import { languageNames, type Language } from './languages'
import { englishTerminalTexts, loadTerminalTexts } from './terminal-texts'
import { englishTexts, loadTexts } from './texts'
import toTranslate from './to-translate.json' with { type: 'json' }

/** Every text with its key, such as `connection.word.connected`. */
function flatten(texts: object, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value as object, `${prefix}${key}.`),
  )
}

const en = { ...englishTexts, ...englishTerminalTexts }
const english = new Map(flatten(en))
const languages = Object.keys(languageNames) as Language[]

function sourcesIn(...folders: string[]): string[] {
  return folders
    .map((folder) => join(import.meta.dirname, '../..', folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    )
}

const sources = [
  ...sourcesIn('renderer', 'main/commands', 'main/desktop', 'main/cli'),
  ...['describe-connection.ts', 'verbs.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '..', name), 'utf8'),
  ),
]

const pluralForm = /_(zero|one|two|few|many|other)$/

/** The keys that a language must have: of each text with a plural, one for each plural form of that language. */
function expectedKeys(language: Language): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return [...english.keys()].flatMap((key) => {
    if (!pluralForm.test(key)) return [key]
    return key.endsWith('_other') ? forms.map((form) => key.replace(pluralForm, `_${form}`)) : []
  })
}

const placeholders = (text: string): string[] => [...new Set(text.match(/{{\w+(?:, number)?}}/g))].sort()

describe.each(languages)('the texts in %s', async (language) => {
  const texts = { ...(await loadTexts(language)), ...(await loadTerminalTexts(language)) }
  const own = new Map(flatten(texts))

  it('are all there, in every plural form of the language, and no others', () => {
    expect([...own.keys()].sort()).toEqual(expectedKeys(language).sort())
  })

  it('name no file that only the source tree has', () => {
    expect([...own].filter(([, text]) => /docs\/|\.md\b/.test(text))).toEqual([])
  })

  it('say something, with the same values put in, and no others', () => {
    for (const [key, text] of own) {
      expect(text.trim(), key).not.toBe('')
      expect(text.match(/[{}]{2}/g)?.length ?? 0, key).toBe(
        (text.match(/{{\w+(?:, number)?}}/g) ?? []).length * 2,
      )
      const model = english.get(key) ?? english.get(key.replace(pluralForm, '_other')) ?? ''
      // "One attachment" needs no number.
      const optional = /_(zero|one|two)$/.test(key) ? ['{{count, number}}', '{{count}}'] : []
      const needed = placeholders(model).filter((each) => !optional.includes(each))
      expect(
        placeholders(text).filter((each) => !optional.includes(each)),
        key,
      ).toEqual(needed)
    }
  })

  it('say for every error what happened and what to do, in whole sentences', () => {
    for (const code of errorCodes) {
      const { what, todo, variants = {} } = texts.errors[code]
      const others = Object.values(variants).flatMap((each) => [each.what ?? what, each.todo ?? todo])
      for (const sentence of [what, todo, ...others]) {
        expect(sentence, code).toMatch(/[.。؟؛?]$/)
        expect(sentence[0], code).toBe(sentence[0]?.toLocaleUpperCase(language))
      }
    }
  })

  it('never shout', () => {
    for (const [key, text] of own) expect(text, key).not.toMatch(/[!！¡]/)
  })
})

describe.each(languages.filter((language) => language !== 'en'))('the texts in %s', async (language) => {
  const own = new Map(flatten({ ...(await loadTexts(language)), ...(await loadTerminalTexts(language)) }))

  const waiting = new Set((toTranslate as Readonly<Record<string, readonly string[]>>)[language])

  it('are not left in English, but for those that are listed to be translated', () => {
    // By the English ones, since other scripts say as much in fewer characters.
    const sentences = [...own].filter(([key]) => {
      const model = english.get(key) ?? ''
      return model.split(' ').length > 3 || model.length > 25
    })
    expect(sentences.length).toBeGreaterThan(300)
    expect(sentences.filter(([key, text]) => english.get(key) === text && !waiting.has(key))).toEqual([])
  })

  it('are not listed to be translated once they are', () => {
    const model = (key: string) => english.get(key) ?? english.get(key.replace(pluralForm, '_other'))
    expect([...waiting].filter((key) => own.get(key) !== model(key))).toEqual([])
  })
})

describe('the keys', () => {
  it('are all used, and every key used has its text', () => {
    const source = sources.join('\n')
    expect(source.length).toBeGreaterThan(10_000)
    const literal = new Set([...source.matchAll(/'([a-z]+(?:\.[\w-]+)+)'/gi)].map((found) => found[1]))
    const families = [...source.matchAll(/`([a-z]+(?:\.\w+)*)\.\$\{[^`]*\}(\w*(?:\.\w+)?)`/gi)].map(
      ([, start = '', end = '']) => new RegExp(`^${start}\\.[^.]+${end.replace('.', '\\.')}$`),
    )
    // Views that share a component name their texts alike.
    const ofViews = [...source.matchAll(/t\(`\$\{name\}\.(\w+)`\)/g)].map(
      ([, end = '']) => new RegExp(`^(attachments|news|organization)\\.${end}$`),
    )
    expect(ofViews.length).toBeGreaterThan(0)
    // A family that takes a whole namespace would hide that its keys aren't used.
    const namespaces = families.filter(({ source }) => /^\^[a-z]+\\\.\[\^\.\]\+\$$/.test(source)).map(String)
    expect([...new Set(namespaces)]).toEqual(['/^navigation\\.[^.]+$/'])
    const keys = new Set([...english.keys()].map((key) => key.replace(pluralForm, '')))
    // Those of errors are taken by their code (errors.test.ts).
    const unused = [...keys].filter(
      (key) =>
        !/^(errors|terminalErrors)\./.test(key) &&
        !['error.tryAgain', 'error.maintenance'].includes(key) &&
        !literal.has(key) &&
        ![...families, ...ofViews].some((family) => family.test(key)),
    )
    expect(unused).toEqual([])
    // The window doesn't load them.
    const window = sourcesIn('renderer', 'main/commands', 'main/desktop').join('\n')
    expect(window).not.toMatch(/['`]terminal\.\w+\./)
    const roots = Object.keys(en).join('|')
    const missing = [...literal].filter(
      (key) => key !== undefined && new RegExp(`^(${roots})\\.`).test(key) && !keys.has(key),
    )
    expect(missing).toEqual([])
  })
})

it.each([
  ['de', /\b(?:du|dich|dir|dein(?:e[mnrs]?)?)\b/i],
  ['nl', /\b(?:U|uw)\b/],
  ['fr', /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu],
] as const)('addresses everybody in the same way in %s', async (language, other) => {
  const texts = { ...(await loadTexts(language)), ...(await loadTerminalTexts(language)) }
  // An option, which nobody translates.
  const addresses = (text: string) => other.test(text.replace(/--data-dir(?: DIR)?/, ''))
  expect(flatten(texts).filter(([, text]) => addresses(text))).toEqual([])
})
