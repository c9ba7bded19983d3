import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ErrorCode, errorCodes } from '../error-codes'
import { errorDetails } from '../error-details'
import { type CatalogueEntry, type CatalogueOverrides, namesIn } from '../error-text'
import { englishTerminalTexts } from './terminal-texts'
import { englishTexts } from './texts'

const overrides: CatalogueOverrides = englishTerminalTexts.terminalErrors
const main = join(import.meta.dirname, '../../main')
const source = readdirSync(main, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('.test'))
  .map((name) => readFileSync(join(main, name), 'utf8'))
  .join('\n')

function textsOf(entry: Partial<CatalogueEntry> = {}): string[] {
  // Including plural forms, such as `what_one`.
  const parts = (texts: object) =>
    Object.values(texts).filter((text: unknown): text is string => typeof text === 'string')
  return [...parts(entry), ...Object.values(entry.variants ?? {}).flatMap(parts)]
}

it.each(errorCodes)(
  'the texts of %s name the details that its errors are declared to have, and no others',
  (code) => {
    const texts = [...textsOf(englishTexts.errors[code]), ...textsOf(overrides[code])]
    const declared: readonly string[] =
      (errorDetails as Partial<Record<ErrorCode, readonly string[]>>)[code] ?? []
    expect([...new Set(texts.flatMap(namesIn))].sort()).toEqual(
      declared.map((name) => name.replace(/\?$/, '')).sort(),
    )
  },
)

it('every variant of a text is used', () => {
  const variants = errorCodes.flatMap((code) => [
    ...Object.keys(englishTexts.errors[code].variants ?? {}),
    ...Object.keys(overrides[code]?.variants ?? {}),
  ])
  expect(variants.length).toBeGreaterThan(50)
  expect(variants.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([])
})

it('the terminal has a text of its own only for a code that exists, and it says something', () => {
  expect(Object.keys(overrides).filter((code) => !errorCodes.some((each) => each === code))).toEqual([])
  for (const entry of Object.values(overrides)) {
    for (const text of textsOf(entry)) expect(text.trim()).not.toBe('')
  }
})
