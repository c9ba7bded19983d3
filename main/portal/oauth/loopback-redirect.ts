import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CausewayError } from '../../errors'
import type { CallbackResult } from './callback'
import { callbackHeaders, callbackHtml, type CallbackPage } from './callback-page'
import type { PeerUid } from './peer-uid'

/**
 * The maximum number of connections. The system hands over up to 511 at once (Node's backlog) before the first one is read:
 * fewer would close the browser's among them. It doesn't use up the file descriptors.
 */
const mostConnections = 512

export interface LoopbackRedirect {
  /** `http://127.0.0.1:PORT/callback`. */
  readonly redirectUri: string
  /**
   * Returns a new address that redirects to this one, for command lines, which other users of the computer can read. It
   * works until the callback.
   */
  startAt(authorization: URL): URL
  /** The result of the callback; resolves when the browser has received its page. */
  readonly callback: Promise<CallbackResult>
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

/**
 * Listens for the redirect of one authorization request on a free port of 127.0.0.1 (RFC 8252, 7.3). Accepts the first GET
 * of /callback that `judge` assigns to this login; all others get a page and change nothing, as do requests of other users
 * if `peerUid` can identify them. If it can't, an address of `startAt` works once, and its second use ends the login.
 * Throws `oauth/authorization-failed` if there is no free port.
 */
export async function listenForRedirect(
  judge: (parameters: URLSearchParams) => CallbackResult | undefined,
  peerUid: PeerUid | undefined,
): Promise<LoopbackRedirect> {
  const { promise: callback, resolve } = deferred<CallbackResult>()
  const starts = new Map<string, { readonly destination: string; started: boolean }>()
  let used = false
  let host = ''

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await isOurs(request.socket, peerUid))) {
      show(response, 403, 'other-user')
      return
    }
    // Another host name means that a web page made its own name resolve to this computer (DNS rebinding).
    if (request.headers.host !== host) {
      respond(response, 400)
      return
    }
    const { path, parameters } = targetOf(request)
    const start = starts.get(path)
    if (path !== '/callback' && start === undefined) respond(response, 404)
    else if (request.method !== 'GET') respond(response, 405, { allow: 'GET' })
    else if (used) show(response, 400, 'already-used')
    else if (start === undefined) take(judge(parameters), response)
    else if (start.started && peerUid === undefined)
      take({ outcome: 'error', error: startedTwice() }, response)
    else {
      start.started = true
      respond(response, 302, { location: start.destination })
    }
  }
  const take = (result: CallbackResult | undefined, response: ServerResponse): void => {
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

  const timeouts = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 5_000 }
  const server = createServer(timeouts, (request, response) => {
    void answer(request, response)
  })
  limitConnections(server)
  const port = await listen(server)
  host = `127.0.0.1:${port}`
  return {
    redirectUri: `http://${host}/callback`,
    startAt: (url) => {
      const path = `/start/${randomBytes(32).toString('base64url')}`
      starts.set(path, { destination: url.href, started: false })
      return new URL(path, `http://${host}`)
    },
    callback,
    close: () => close(server),
  }
}

/**
 * Makes room for a new connection by closing the one that has been open longest without a complete request, so that other
 * users can't keep the callback out. If all have one, it closes the new one: these end as soon as they are answered.
 */
function limitConnections(server: Server): void {
  let open = 0
  const waiting = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open += 1
    waiting.add(socket)
    socket.once('close', () => {
      open -= 1
      waiting.delete(socket)
    })
    if (open <= mostConnections) return
    const [longest = socket] = waiting
    // Its close event comes later, and the next connection must not choose it again.
    waiting.delete(longest)
    longest.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage) => waiting.delete(socket))
}

/** Returns whether the peer belongs to the current user; false after an error. */
async function isOurs(socket: Socket, peerUid: PeerUid | undefined): Promise<boolean> {
  if (peerUid === undefined) return true
  try {
    // After this connection has closed, another one may have its port.
    return (await peerUid(socket)) === process.getuid?.() && !socket.destroyed
  } catch {
    return false
  }
}

function startedTwice(): CausewayError {
  return new CausewayError('oauth/authorization-failed', { details: { reason: 'started-twice' } })
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

function respond(
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
    throw new CausewayError('oauth/authorization-failed', { details: { reason: 'cannot-listen' }, cause })
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
