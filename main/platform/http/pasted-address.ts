import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'

/** Characters without a shape, except joiners between letters of scripts that need them. */
const invisible = /(?!(?<=[^\0-\u007F])[\u200C\u200D](?=[^\0-\u007F]))\p{Cf}/gu
/** Quotes, brackets and list marks before an address in a text, and `<URL:` (RFC 3986, appendix C). */
const before = /^(?:[\s"'`´“”„‟‘’‚‛«»‹›<({*•·–—]|\[(?![\da-f:.]*\])|url:)+/iu
/** Quotes, brackets and the punctuation of the sentence after it. */
const after = /(?:[\s"'`´“”„‟‘’‚‛«»‹›>)}*,;:!?…，。；、]|(?<!\.)(?:\.|\.\.\.))+$/u
/** A scheme before another one, as after a paste into a field that had one already. */
const doubled = /^(https?):?\/*(?=https?(?::|\/\/))/i

/**
 * Returns an address without what comes with it when people copy it from a text: quotes, brackets, the punctuation of the
 * sentence, invisible characters and a second scheme, of which https wins.
 */
export function asPasted(text: string): string {
  // Too long for an address.
  if (text.length > 4096) return text
  let address = text.replaceAll(invisible, '')
  const inBrackets = address.length
  address = address.replace(before, '').replace(after, '')
  // The bracket of an IPv6 address stays.
  if (address.length < inBrackets && !address.includes('['))
    address = address.replace(/\]$/, '').replace(after, '')
  let isSecure = false
  for (let outer = doubled.exec(address); outer !== null; outer = doubled.exec(address)) {
    isSecure ||= outer[1]?.toLowerCase() === 'https'
    address = address.slice(outer[0].length)
  }
  const repaired = address.replace(/^(https?)\/\/(?=[^/])/i, '$1://')
  return isSecure ? repaired.replace(/^http:/i, 'https:') : repaired
}

/**
 * Returns false for a host that nobody means: with characters that names don't have, a scheme as a name, or a number that URL
 * parsers turn into an IPv4 address. `typed` is the text that the URL was made from.
 */
export function hasMeantHost({ hostname }: URL, typed: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 6) return true
  if (isIP(host) === 4) return typed.includes(host)
  if (/^https?$/.test(host)) return false
  const labels = domainToUnicode(host).split('.')
  return labels.every((label) => /^(?!-)[\p{L}\p{M}\p{N}\p{Join_Control}_-]{1,63}(?<!-)$/u.test(label))
}
