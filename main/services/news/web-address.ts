const longestAddress = 2000

/** Returns an http or https address without user name and password in normalized form, or undefined for anything else. */
export function webAddress(text: string): string | undefined {
  const trimmed = text.trim()
  // The URL parser would drop control characters; only an attempt to hide something contains them.
  if (trimmed.length > longestAddress || /\p{C}/u.test(trimmed) || !/^https?:\/\//i.test(trimmed))
    return undefined
  if (!URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return url.username === '' && url.password === '' ? url.href : undefined
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
