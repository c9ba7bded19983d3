import { CausewayError } from '../../errors'
import { isSecureUrl } from '../../platform/http/loopback'
import { type MinisignKey, parseMinisignKey } from './minisign'

/** The address of the lists of organizations, and the keys that sign them. */
export interface ListSource {
  /** With its final slash. */
  readonly url: string
  readonly keys: readonly MinisignKey[]
  readonly legacy: 'accept' | 'refuse'
}

/** A source as somebody has written it down; `keys` have spaces or commas between them. */
export interface ConfiguredSource {
  readonly url: string
  readonly keys: string
  readonly legacy?: 'accept' | 'refuse'
}

/**
 * Reads a configured source. Throws `organization-list/invalid-source`: the lists come over https (or from this
 * computer), and there is no list without a key.
 */
export function parseListSource({ url, keys, legacy = 'accept' }: ConfiguredSource): ListSource {
  const typed = url.trim()
  if (!URL.canParse(typed)) throw invalidSource('url')
  const parsed = new URL(typed)
  const hasMore =
    parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password !== ''
  if (!isSecureUrl(parsed) || hasMore) throw invalidSource('url')
  const texts = keys.split(/[\s,]+/).filter((text) => text !== '')
  const parsedKeys = texts.map(parseMinisignKey).filter((key) => key !== undefined)
  if (parsedKeys.length === 0 || parsedKeys.length < texts.length) throw invalidSource('key')
  return { url: parsed.href.replace(/\/*$/, '/'), keys: parsedKeys, legacy }
}

function invalidSource(reason: 'url' | 'key'): CausewayError {
  return new CausewayError('organization-list/invalid-source', { details: { reason } })
}
