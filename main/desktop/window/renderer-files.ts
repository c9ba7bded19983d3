import { readFileSync } from 'node:fs'
import type * as Crypto from 'node:crypto'
import { extname, join } from 'node:path'

/** The placeholder in index.html for the nonce of the page load. */
const noncePlaceholder = '{{style-nonce}}'

/** A request of the page for a file. */
export interface PageRequest {
  readonly method: string
  readonly url: string
}

/** The response to a page request. */
export interface PageAnswer {
  readonly statusCode: number
  readonly mimeType: string
  readonly headers: Record<string, string>
  readonly data: Buffer
}

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Returns the path of a request inside the built renderer as segments; undefined for invalid paths. */
export function requestedPath(address: string): readonly string[] | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'app:' || url.host !== 'causeway') return undefined
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  // The build only uses these characters, so there are no escapes, dot files or parent folders.
  return segments.every((segment) => /^[\w-][\w.-]*$/.test(segment)) ? segments : undefined
}

/**
 * Returns the policy of a page. It names the scheme instead of `'self'`: in a runtime that registers the scheme late, the
 * page's origin is opaque and neither `'self'` nor a host matches. Only this module answers under the scheme.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    'script-src app:',
    `style-src app: 'nonce-${nonce}'`,
    'img-src app: data:',
    'font-src app:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Answers a request with a file of the built renderer under `root`, else with 404. Each page load has its own nonce, which
 * lets only the page's own library insert styles.
 */
export async function answerFromRenderer(root: string, request: PageRequest): Promise<PageAnswer> {
  const { randomBytes } = await loadCrypto()
  const nonce = randomBytes(16).toString('base64')
  const headers = {
    'content-security-policy': contentSecurityPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  const segments = request.method === 'GET' ? requestedPath(request.url) : undefined
  const mimeType = mimeTypes[extname(segments?.at(-1) ?? '')]
  const data = segments && mimeType !== undefined ? readIfFile(join(root, ...segments)) : undefined
  if (mimeType === undefined || data === undefined) return notFound(headers)
  return {
    statusCode: 200,
    mimeType,
    headers,
    data: mimeType === 'text/html' ? Buffer.from(data.toString().replaceAll(noncePlaceholder, nonce)) : data,
  }
}

/** Loads what the answers need, in time for the first one: not before the window opens, because it takes some milliseconds. */
export function loadCrypto(): Promise<Pick<typeof Crypto, 'randomBytes'>> {
  return import('node:crypto')
}

/** Returns a 404 response. */
export function notFound(headers: Record<string, string>): PageAnswer {
  return { statusCode: 404, mimeType: 'text/plain', headers, data: Buffer.from('Not found') }
}

/** Reads at once: main has more to do by the time that a promise would resolve, and the page waits. */
function readIfFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
