import { type App, type ErrorArea, isBelow } from '../http/app'
import { takeJson } from '../http/json-body'
import { pathOf } from '../http/parameters'
import { sendContentError, version } from './content-answer'
import { type ContentData, imagesPath, pagesPath } from './content-data'
import { addContentRoutes } from './content-routes'
import { addMisprintRoutes } from './misprints'
import { sendPage } from '../http/answer'
import { escapeHtml, page } from '../http/page'
import { userUrl } from '../seed/content-users'
import { brokenImageOf, imageOf } from './images'
import { textOf } from './search'

/** Adds the pictures and pages whose addresses the content API returns. No document describes them. */
function addPageRoutes(app: App): void {
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

function withText(title: string, text: string): ReturnType<typeof page> {
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

const maxShown = 100
const versioned = /^\/(\d+(?:\.\d+)*)(?:\/|$)/
/** Matches a call of this interface whose first segment is not a version. */
const misplaced = /^\/([^/]+)\/(?:account|club|search|tweets|news|misprints|content)(?:\/|$)/

/**
 * Returns the message for an unknown path (content-and-organization-apis.md, section 7): version or method not found.
 */
function notFoundMessage(path: string): string {
  const asked = (versioned.exec(path) ?? misplaced.exec(path))?.[1]
  if (asked === undefined) return 'Not found.'
  if (asked !== version) {
    return `Version not found: ${asked.slice(0, maxShown)}. The current version is ${version}.`
  }
  const method = path.slice(version.length + 2)
  const shown = method.length > maxShown ? `${method.slice(0, maxShown)}…` : method
  return `Method not found: ${shown === '' ? '(none)' : shown}.`
}

function messageOf(path: string, code: number, message: string): string {
  if (code === 404) return notFoundMessage(path)
  return code === 415 ? 'The body must be a form or JSON.' : message
}

/** The error object for paths that start with a version, right or wrong, and for pictures and pages. */
export const contentErrorArea: ErrorArea = {
  holds: (path) =>
    versioned.test(path) || misplaced.test(path) || isBelow(imagesPath)(path) || isBelow(pagesPath)(path),
  send: (request, reply, code, message) =>
    sendContentError(reply, code, messageOf(pathOf(request), code, message)),
}

/** Adds the content API (content-and-organization-apis.md, interface A). Bodies are JSON or forms. */
export function addContent(app: App): void {
  const base = `/${version}`
  takeJson(app)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body)
    },
  )
  addContentRoutes(app, base)
  addMisprintRoutes(app, base)
  addPageRoutes(app)
}
