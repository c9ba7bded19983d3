import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** The address of everything that the window may load. */
export const appOrigin = 'app://causeway'

/** Stands in index.html where the nonce of the page load goes. */
export const noncePlaceholder = '{{style-nonce}}'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
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
export async function answerFromRenderer(
  root: string,
  request: Pick<Request, 'method' | 'url'>,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const headers = {
    'content-security-policy': contentSecurityPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  const segments = request.method === 'GET' ? requestedPath(request.url) : undefined
  const type = contentTypes[extname(segments?.at(-1) ?? '')]
  const body = segments && type !== undefined ? await readIfFile(join(root, ...segments)) : undefined
  if (segments === undefined || type === undefined || body === undefined) {
    return new Response('Not found', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
  }
  const content = type.startsWith('text/html')
    ? body.toString('utf8').replaceAll(noncePlaceholder, nonce)
    : body
  return new Response(typeof content === 'string' ? content : new Uint8Array(content), {
    headers: { ...headers, 'content-type': type },
  })
}

async function readIfFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch {
    return undefined
  }
}
