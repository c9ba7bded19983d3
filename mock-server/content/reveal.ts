import type { HeldEntry } from './content-data'

/** An address without what does not change the page: fragment, slashes at the end, `utm_…` parameters. */
function pageAddress(text: string): string {
  const url = new URL(text)
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) {
    if (/^utm_/i.test(name)) url.searchParams.delete(name)
  }
  if (url.searchParams.size === 0) url.search = ''
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url.href
}

/** The entry that this address leads to. `address` is absolute. */
export function entryAt(entries: HeldEntry[], address: string): HeldEntry | undefined {
  const wanted = pageAddress(address)
  return entries.find(({ entry }) => entry.url === wanted)
}
