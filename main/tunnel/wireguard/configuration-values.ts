import { domainToASCII } from 'node:url'

import { isLoopbackHost } from '../../../contract/safe-url'

const maxQueryBytes = 2048

/** Returns a number of at most five digits. */
export function wholeNumber(text: string): number | undefined {
  return /^(0|[1-9]\d{0,4})$/.test(text) ? Number(text) : undefined
}

/** The key of 32 zeros, which stands for none. */
export const noKey = Buffer.alloc(32).toString('base64')

/** Returns 32 bytes of canonical base64, which aren't all zero. */
export function keyOf(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === text && text !== noKey ? text : undefined
}

/**
 * Returns a name in its only spelling: in ASCII and lower case, without a final dot. A last label that is a number makes a
 * name an address, misspelt or in an old spelling, such as `127.1` or `0x7f000001`.
 */
export function nameOf(text: string): string | undefined {
  const name = (/[^ -~]/.test(text) ? domainToASCII(text) : text).toLowerCase().replace(/\.$/, '')
  const isName =
    name.length <= 253 &&
    !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name) &&
    name.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  return isName ? name : undefined
}

/** Returns the address of a ProxyGuard server: https, not on this computer, without a user name, and with a short query. */
export function proxyAddress(text: string): URL | undefined {
  // The parser would drop outer spaces, and take `https:host` for `https://host`.
  if (!/^https:\/\/[^/\\\s]/i.test(text) || /[\s#]/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain =
    url.protocol === 'https:' && url.username === '' && url.password === '' && !isLoopbackHost(url.hostname)
  return isPlain && Buffer.byteLength(url.search) <= maxQueryBytes ? url : undefined
}
