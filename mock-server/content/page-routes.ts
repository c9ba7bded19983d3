import { sendPage } from '../http/answer'
import type { App } from '../http/app'
import { escapeHtml, page } from '../http/page'
import { pathOf } from '../http/parameters'
import { userUrl } from '../seed/content-users'
import { type ContentData, imagesPath, pagesPath } from './answer-schemas'
import { sendContentError } from './content-answer'
import { brokenImageOf, imageOf } from './images'
import { textOf } from './selection'

/** Adds the pictures and pages whose addresses the content API returns. No document describes them. */
export function addPageRoutes(app: App): void {
  app.get<{ Params: { name: string } }>(`${imagesPath}/:name`, ({ params, world }, reply) => {
    const image =
      world.content.variant === 'images-broken' ? brokenImageOf(params.name) : imageOf(params.name)
    return image === undefined
      ? sendContentError(reply, 404, 'Picture not found.')
      : reply
          .header('content-type', 'image/png')
          .header('cache-control', 'no-store')
          .header('x-content-type-options', 'nosniff')
          .send(image)
  })
  app.get(`${pagesPath}/*`, (request, reply) => {
    const found = pageAt(request.world.content.data, request.askedOrigin, pathOf(request))
    return found === undefined ? sendContentError(reply, 404, 'Page not found.') : sendPage(reply, 200, found)
  })
}

function withText(title: string, text: string) {
  return page(title, `<p>${escapeHtml(text)}</p>`)
}

/** Returns the page at an address that the content API returned, or undefined. `path` starts with `/content-pages/`. */
function pageAt(data: ContentData, origin: string, path: string): ReturnType<typeof page> | undefined {
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
