import { match } from '@formatjs/intl-localematcher'
import { z } from 'zod'
import { textIfReadable } from '../loose'
import type { LocalizedValue } from './portal'

/** The readable texts of a localized value; undefined if there is none. */
export const localizedValue = z
  .union([
    z.record(z.string(), z.unknown()).transform((all) => {
      const texts = Object.entries(all).flatMap(([tag, value]) => {
        const text = textIfReadable.parse(value)
        return text === undefined ? [] : [[tag, text] as const]
      })
      return texts.length === 0 ? undefined : Object.fromEntries(texts)
    }),
    textIfReadable,
  ])
  .optional()
  .transform((value): LocalizedValue | undefined => value)

/** The maximum number of language tags that are read. */
const maxTags = 500

/**
 * Returns the text for these languages, preferred ones first (vpn-application-api.md, section 2, "Localized values"): the
 * best match, else `en` or `en-US`, else any. Empty if there is no text. Invalid tags never match.
 */
export function resolveLocalized(value: LocalizedValue, languages: readonly string[]): string {
  if (typeof value === 'string') return value
  const texts = Object.entries(value).slice(0, maxTags)
  const byTag = new Map(
    texts.flatMap(([tag, text]) => {
      const canonical = canonicalTag(tag)
      return canonical === undefined ? [] : [[canonical, text] as const]
    }),
  )
  const wanted = languages.flatMap((tag) => canonicalTag(tag) ?? [])
  const best = match(wanted, [...byTag.keys()], 'en')
  return byTag.get(best) ?? byTag.get('en') ?? byTag.get('en-US') ?? texts[0]?.[1] ?? ''
}

/** Accepts `en_US`, which some servers send, as `en-US`. */
function canonicalTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).toString()
  } catch {
    return undefined
  }
}
