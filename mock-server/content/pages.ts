import { escapeHtml, page } from '../http/page'
import { userUrl } from '../seed/content-users'
import { pagesPath, type ContentData } from './content-data'
import { textOf } from './search'

function withText(title: string, text: string): ReturnType<typeof page> {
  return page(title, `<p>${escapeHtml(text)}</p>`)
}

/** Returns the page at an address that the content API returned, or undefined. `path` starts with `/content-pages/`. */
export function pageAt(data: ContentData, origin: string, path: string): ReturnType<typeof page> | undefined {
  const url = `${origin}${path}`
  if (path.startsWith(`${pagesPath}/canary/`)) {
    return withText('Canary', 'Only a client that runs or loads what it was sent comes here.')
  }
  const entry = data.entries.find((held) => held.entry.url === url)?.entry
  if (entry !== undefined) return withText(entry.title, textOf(entry.intro))
  const user = data.users.find(({ id }) => userUrl(origin, id) === url)
  if (user !== undefined) return withText(user.name, 'A member of the community.')
  const item = data.news.find((held) => held.item.url === url || held.item.mobile_url === url)?.item
  if (item !== undefined) return withText(item.title, `As reported by ${item.source.name}.`)
  const source = data.categories.flatMap(({ sources }) => sources).find((known) => known.url === url)
  return source === undefined ? undefined : withText(source.name, 'A source of news.')
}
