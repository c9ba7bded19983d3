import { CausewayError } from '../../errors'
import { safeUrl } from '../../../contract/safe-url'
import { asPasted, hasMeantHost } from '../http/pasted-address'
import { type ListArea, type MinisignKey, parseMinisignKey } from './minisign'

/** The address of signed lists, and the keys that sign them. */
export interface ListSource {
  readonly area: ListArea
  /** With its final slash. */
  readonly url: string
  readonly keys: readonly MinisignKey[]
  readonly legacy: 'accept' | 'refuse'
}

/** A source as a user or administrator entered it; `keys` have spaces or commas between them. */
export interface ConfiguredSource {
  readonly url: string
  readonly keys: string
  readonly legacy?: 'accept' | 'refuse'
}

/**
 * Reads a configured source. Throws `<area>/invalid-source`: the lists come over https (or from this
 * computer), and there is no list without a key.
 */
export function parseListSource(
  area: ListArea,
  { url, keys, legacy = 'accept' }: ConfiguredSource,
): ListSource {
  const invalidSource = (reason: 'url' | 'key'): CausewayError =>
    new CausewayError(`${area}/invalid-source`, { details: { reason } })
  const typed = asPasted(url)
  const parsed = safeUrl('typed', typed)
  if (parsed === undefined || !hasMeantHost(parsed, typed)) throw invalidSource('url')
  const texts = keys.split(/[\s,]+/).filter((text) => text !== '')
  const parsedKeys = texts.map(parseMinisignKey).filter((key) => key !== undefined)
  if (parsedKeys.length === 0 || parsedKeys.length < texts.length) throw invalidSource('key')
  return { area, url: parsed.href.replace(/\/*$/, '/'), keys: parsedKeys, legacy }
}
