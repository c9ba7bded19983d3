import { type App, type ErrorArea, isBelow } from '../http/app'
import { takeJson } from '../http/json-body'
import { pathOf } from '../http/parameters'
import { sendContentError, version } from './content-answer'
import { imagesPath, pagesPath } from './content-data'
import { addContentRoutes } from './content-routes'
import { addMisprintRoutes } from './misprint-routes'
import { addPageRoutes } from './page-routes'

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
