import type { HeldEntry } from './content-data'

/** Returns the address without parts that do not change the page: fragment, trailing slashes, `utm_…` parameters. */
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

/** Returns the entry at this absolute address. */
export function entryAt(entries: HeldEntry[], address: string): HeldEntry | undefined {
  const wanted = pageAddress(address)
  return entries.find(({ entry }) => entry.url === wanted)
}
