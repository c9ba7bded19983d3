import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** The address of everything that the window may load. */
export const appOrigin = 'app://causeway'

/** Stands in index.html where the nonce of the page load goes. */
export const noncePlaceholder = '{{style-nonce}}'

/** What the window asks its files by. */
export interface PageRequest {
  readonly method: string
  readonly url: string
}

/** What it gets. */
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

/** The path of a request inside the built renderer, as segments; undefined for what cannot be there. */
export function requestedPath(address: string): readonly string[] | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'app:' || url.host !== 'causeway') return undefined
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  // The build makes names of these characters only: no escape to decode, no dot file, no way upwards.
  return segments.every((segment) => /^[\w-][\w.-]*$/.test(segment)) ? segments : undefined
}

/**
 * The policy of a page. The scheme stands where `'self'` would: in a runtime that has registered the scheme late, the
 * page's origin is opaque and neither `'self'` nor a host matches. Nothing but this file answers under the scheme.
 */
export function contentSecurityPolicy(nonce: string): string {
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
 * Answers a request of the window out of the built renderer under `root` and nothing else; 404 for the rest. Each
 * page load has a nonce of its own, which lets the page's own library insert styles and nobody else.
 */
export async function answerFromRenderer(root: string, request: PageRequest): Promise<PageAnswer> {
  const nonce = randomBytes(16).toString('base64')
  const headers = {
    'content-security-policy': contentSecurityPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  const segments = request.method === 'GET' ? requestedPath(request.url) : undefined
  const mimeType = mimeTypes[extname(segments?.at(-1) ?? '')]
  const data = segments && mimeType !== undefined ? await readIfFile(join(root, ...segments)) : undefined
  if (mimeType === undefined || data === undefined) return notFound(headers)
  return {
    statusCode: 200,
    mimeType,
    headers,
    data: mimeType === 'text/html' ? Buffer.from(data.toString().replaceAll(noncePlaceholder, nonce)) : data,
  }
}

/** The answer where there is nothing. */
export function notFound(headers: Record<string, string>): PageAnswer {
  return { statusCode: 404, mimeType: 'text/plain', headers, data: Buffer.from('Not found') }
}

async function readIfFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}
