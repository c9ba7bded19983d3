import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CausewayError } from '../../errors'
import type { CallbackResult } from './callback'
import {
  callbackHeaders,
  callbackHtml,
  questionHeaders,
  questionHtml,
  type Answers,
  type CallbackPage,
} from './callback-page'
import { loginCancelled } from './errors'
import type { PeerUid } from './peer-uid'

/**
 * The maximum number of connections. The system hands over up to 511 at once (Node's backlog) before the first one is read:
 * fewer would close the browser's among them. It doesn't use up the file descriptors.
 */
const maxConnections = 512

export interface LoopbackRedirect {
  /** `http://127.0.0.1:PORT/callback`. */
  readonly redirectUri: string
  /**
   * Returns a new address that redirects to this one, for command lines, which other users of the computer can read. It
   * works until the callback.
   */
  startAt(authorization: URL): URL
  /** The result of the callback, confirmed where it has to be; resolves when the browser has received its page. */
  readonly callback: Promise<CallbackResult>
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

/**
 * Listens for the redirect of one authorization request on a free port of 127.0.0.1 (RFC 8252, 7.3). Accepts the first GET
 * of /callback that `judge` assigns to this login; all others get a page and change nothing, as do requests of other users
 * if `peerUid` can identify them. If it can't, an address of `startAt` works once, and its second use ends the login.
 *
 * A callback with `confirmFor` gets a page that asks. Only a POST to one of the random paths in that page answers it, so that
 * no other page and no other browser can; until then another callback, such as a reload, replaces it.
 *
 * Throws `oauth/authorization-failed` if there is no free port.
 */
export async function listenForRedirect(
  judge: Judge,
  peerUid: PeerUid | undefined,
): Promise<LoopbackRedirect> {
  const timeouts = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 5_000 }
  const login = new RedirectedLogin(judge, peerUid)
  const server = createServer(timeouts, (request, response) => {
    void login.answer(request, response)
  })
  limitConnections(server)
  const port = await listen(server)
  const host = `127.0.0.1:${port}`
  login.host = host
  return {
    redirectUri: `http://${host}/callback`,
    startAt: (url) => {
      const path = `/start/${secret()}`
      login.starts.set(path, { destination: url.href, started: false })
      return new URL(path, `http://${host}`)
    },
    callback: login.callback,
    close: () => close(server),
  }
}

type Judge = (parameters: URLSearchParams) => Promise<CallbackResult | undefined>

/** Answers the requests of one login until one of them has ended it. */
class RedirectedLogin {
  readonly callback: Promise<CallbackResult>
  readonly starts = new Map<string, { readonly destination: string; started: boolean }>()
  /** The address of the server; set before it accepts requests. */
  host = ''
  readonly #judge: Judge
  readonly #peerUid: PeerUid | undefined
  readonly #resolve: (result: CallbackResult) => void
  #used = false
  #question: { readonly answers: Answers; readonly result: CallbackResult } | undefined

  constructor(judge: Judge, peerUid: PeerUid | undefined) {
    const { promise, resolve } = deferred<CallbackResult>()
    this.callback = promise
    this.#resolve = resolve
    this.#judge = judge
    this.#peerUid = peerUid
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await isOurs(request.socket, this.#peerUid))) {
      show(response, 403, 'other-user')
      return
    }
    // Another host name means that a web page made its own name resolve to this computer (DNS rebinding).
    if (request.headers.host !== this.host) {
      respond(response, 400)
      return
    }
    const { path, parameters } = targetOf(request)
    const start = this.starts.get(path)
    const { answers, result } = this.#question ?? {}
    const isAnswer = path === answers?.confirm || path === answers?.cancel
    const method = isAnswer ? 'POST' : 'GET'
    if (path !== '/callback' && start === undefined && !isAnswer) respond(response, 404)
    else if (request.method !== method) respond(response, 405, { allow: method })
    else if (this.#used) show(response, 400, 'already-used')
    else if (isAnswer && !isFromOwnPage(request, this.host)) respond(response, 403)
    else if (isAnswer) this.#take(path === answers.confirm ? result : cancelled(), response)
    else if (start === undefined) this.#ask(await this.#judge(parameters), request, response)
    else if (start.started && this.#peerUid === undefined) {
      const details = { reason: 'started-twice' }
      this.#take(
        { outcome: 'error', error: new CausewayError('oauth/authorization-failed', { details }) },
        response,
      )
    } else {
      start.started = true
      respond(response, 302, { location: start.destination })
    }
  }

  #ask(result: CallbackResult | undefined, request: IncomingMessage, response: ServerResponse): void {
    if (this.#used) show(response, 400, 'already-used')
    else if (result?.outcome !== 'code' || result.confirmFor === undefined) this.#take(result, response)
    else {
      const answers = { confirm: `/continue/${secret()}`, cancel: `/cancel/${secret()}` }
      this.#question = { answers, result }
      showQuestion(request, response, result.confirmFor, answers)
    }
  }

  #take(result: CallbackResult | undefined, response: ServerResponse): void {
    if (result === undefined) {
      show(response, 400, 'foreign')
      return
    }
    this.#used = true
    const end = (): void => {
      this.#resolve(result)
    }
    // The browser may have gone while the callback was judged, such as by a reload, whose own request comes too late.
    if (response.closed) end()
    else response.once('close', end)
    const page = pageFor(result)
    show(response, page === 'failed' ? 400 : 200, page)
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
    if (open <= maxConnections) return
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

function cancelled(): CallbackResult {
  return { outcome: 'error', error: loginCancelled() }
}

/** Returns 256 random bits as a part of a path. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns false for a form that a browser sends for another page. Browsers name the page's origin with every POST. */
function isFromOwnPage({ headers }: IncomingMessage, host: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  return (
    (origin === undefined || origin === `http://${host}`) && (site === undefined || site === 'same-origin')
  )
}

function pageFor(result: CallbackResult): CallbackPage {
  if (result.outcome === 'code') return 'approved'
  const { code } = result.error
  if (code === 'oauth/cancelled') return 'cancelled'
  return code === 'oauth/access-denied' ? 'denied' : 'failed'
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

/** Asks in a page, or in JSON if that is wanted: the terminal command asks itself. */
function showQuestion(
  request: IncomingMessage,
  response: ServerResponse,
  service: string,
  answers: Answers,
): void {
  if (request.headers.accept === 'application/json') {
    response.writeHead(200, { ...questionHeaders, 'content-type': 'application/json' })
    response.end(JSON.stringify({ service, ...answers }))
  } else response.writeHead(200, questionHeaders).end(questionHtml(service, answers))
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
