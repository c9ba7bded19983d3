import { describe, expect, it } from 'vitest'
import { loadTerminalTexts } from './terminal-texts'
import { loadTexts } from './texts'

function flatten(texts: object, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value as object, `${prefix}${key}.`),
  )
}

const all = flatten({ ...(await loadTexts('ar')), ...(await loadTerminalTexts('ar')) })

/** With what a text keeps apart taken out. */
const rest = (text: string): string => text.replaceAll(/\u2068[^\u2068\u2069]+\u2069/g, '')

/** Names, addresses, codes, paths: written from the left in their own order. Numbers, sizes and dates are not. */
const names =
  /{{(instance|remote|code|directive|text|path|title|name|extension|list|q|type|address|login|origin|user|profile|version|program)}}/

describe('the texts in Arabic', () => {
  it('keep every name and address apart from the direction of the sentence', () => {
    expect(all.filter(([, text]) => names.test(rest(text)))).toEqual([])
  })

  it('keep apart what has signs at its edge, such as https:// and .pdf', () => {
    expect(all.filter(([, text]) => /\w:\/\/|(^|\s)[.#-]+\w/.test(rest(text)))).toEqual([])
  })

  it('end every part that is kept apart', () => {
    expect(all.filter(([, text]) => /[\u2066-\u2069\u202a-\u202e]/.test(rest(text)))).toEqual([])
  })
})
