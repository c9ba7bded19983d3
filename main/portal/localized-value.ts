import { match } from '@formatjs/intl-localematcher'
import type { LocalizedValue } from './portal'

/** More tags than any portal has languages; what follows is not looked at. */
const mostTags = 500

/**
 * The text for someone who reads these languages, best first (vpn-application-api.md, section 2, "Localized
 * values"): the best match, else `en` or `en-US`, else any. Empty when there is no text at all. Tags that are none
 * are never a match, on either side.
 */
export function resolveLocalized(value: LocalizedValue, languages: readonly string[]): string {
  if (typeof value === 'string') return value
  const texts = Object.entries(value).slice(0, mostTags)
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

/** `en_US`, as some servers write it, is taken for `en-US`. */
function canonicalTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).toString()
  } catch {
    return undefined
  }
}
