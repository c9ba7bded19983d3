import { safeUrl } from '../../../contract/safe-url'

const longestAddress = 2000

/** Returns an http or https address without user name and password in normalized form, or undefined for anything else. */
export function webAddress(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length > longestAddress ? undefined : safeUrl('page', trimmed)?.href
}

export interface WebLink {
  readonly url: string
  /** The host of `url`, not the one that the server claims. */
  readonly host: string
}

/** Returns an address that may be opened in a browser, with its host; undefined for anything else. */
export function webLink(text: string | undefined): WebLink | undefined {
  const url = text === undefined ? undefined : webAddress(text)
  return url === undefined ? undefined : { url, host: new URL(url).host }
}
