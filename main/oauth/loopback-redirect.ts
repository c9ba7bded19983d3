import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CausewayError } from '../errors'
import type { CallbackResult } from './callback'
import { callbackHeaders, callbackHtml, type CallbackPage } from './callback-page'

export interface LoopbackRedirect {
  /** `http://127.0.0.1:PORT/callback`. */
  readonly redirectUri: string
  /** The request to it that counts, judged; resolves when the browser has got its page. */
  readonly callback: Promise<CallbackResult>
  /** Ends listening and every connection. */
  close(): Promise<void>
}

/**
 * Listens for the redirect of one authorization request on a free port of 127.0.0.1 (RFC 8252, 7.3). The first GET
 * of /callback counts that `judge` finds to belong to this login; the others are shown a page and change nothing. All
 * other requests are answered and ignored. Throws `oauth/authorization-failed` where no port can be had.
 */
export async function listenForRedirect(
  judge: (parameters: URLSearchParams) => CallbackResult | undefined,
): Promise<LoopbackRedirect> {
  const { promise: callback, resolve } = deferred<CallbackResult>()
  let used = false
  let host = ''

  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    // Another host name than ours means that a web page has made its own name point here (DNS rebinding).
    if (request.headers.host !== host) {
      refuse(response, 400)
      return
    }
    const { path, parameters } = targetOf(request)
    if (path !== '/callback') refuse(response, 404)
    else if (request.method !== 'GET') refuse(response, 405, { allow: 'GET' })
    else if (used) show(response, 400, 'already-used')
    else {
      const result = judge(parameters)
      if (result === undefined) {
        show(response, 400, 'foreign')
        return
      }
      used = true
      response.once('close', () => {
        resolve(result)
      })
      show(response, result.outcome === 'code' || isDenial(result) ? 200 : 400, pageFor(result))
    }
  })
  const port = await listen(server)
  host = `127.0.0.1:${port}`
  return { redirectUri: `http://${host}/callback`, callback, close: () => close(server) }
}

function isDenial(result: CallbackResult): boolean {
  return result.outcome === 'error' && result.error.code === 'oauth/access-denied'
}

function pageFor(result: CallbackResult): CallbackPage {
  if (result.outcome === 'code') return 'approved'
  return isDenial(result) ? 'denied' : 'failed'
}

function targetOf(request: IncomingMessage): { path: string; parameters: URLSearchParams } {
  const target = request.url ?? ''
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, parameters: new URLSearchParams() }
  return { path: target.slice(0, mark), parameters: new URLSearchParams(target.slice(mark + 1)) }
}

function show(response: ServerResponse, status: number, page: CallbackPage): void {
  response.writeHead(status, callbackHeaders).end(callbackHtml(page))
}

function refuse(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...callbackHeaders, ...headers, 'content-type': 'text/plain' }).end()
}

async function listen(server: Server): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
  } catch (cause) {
    throw new CausewayError(
      'oauth/authorization-failed',
      'Causeway cannot listen for the answer of the browser on 127.0.0.1. Check what blocks it, such as a firewall.',
      { details: { reason: 'cannot-listen' }, cause },
    )
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
