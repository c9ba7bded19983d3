import type { LookupFunction, Socket } from 'node:net'
import { type SecureVersion, TLSSocket } from 'node:tls'
import { pipeline, type Readable } from 'node:stream'
import { Agent, buildConnector } from 'undici'
import { CausewayError } from '../../errors'
import { type AddressRule, type AddressRules, createAddressRules } from './address-rules'
import { type AnswerHeaders, ReceivedHeaders } from './answer-headers'
import { withIssuer } from './certificate-issuer'
import { decompressors } from './decompressors'
import { dial, endpointOf, hostOf } from './dial'
import { invalidAnswer, networkFailure, requestCancelled } from './failure'
import { proxyFromVariables, proxyName, type Proxy, type ProxyFor } from './proxies'
import { throughProxy } from './through-proxy'
import { systemTrust, type Trust } from './trust'
import { userAgent } from './user-agent'

interface TransportOptions {
  /** Default: the proxy variables of this process. */
  readonly proxyFor?: ProxyFor | undefined
  readonly addressRules?: AddressRules | undefined
  /** Default: the authorities that this computer trusts. */
  readonly trust?: Pick<Trust, 'secureContext'> | undefined
}

export interface TransportRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  readonly rule: AddressRule
  /** Default 1.2. */
  readonly minVersion?: SecureVersion | undefined
  /** Removes the compressions of the body that the server names. */
  readonly decodes?: boolean
  /** Time limit without progress, in milliseconds; default none. */
  readonly idleMs?: number | undefined
  /** The bytes of the body that are read before they are asked for; default 64 KiB. */
  readonly readsAhead?: number | undefined
}

export interface TransportAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: Readable
  /** As in HttpResponse. */
  readonly hasTls13?: boolean | undefined
}

/**
 * The one way to a server, for requests, files and pictures: it looks names up by a rule, races the addresses of both
 * families, goes through proxies, and trusts the authorities of this computer. Connections are kept for the next request
 * under the same rule.
 */
export class Transport {
  readonly addressRules: AddressRules
  readonly proxyFor: ProxyFor
  readonly #trust: Pick<Trust, 'secureContext'>
  /** Per rule, so that no rule uses a connection that another one allowed. */
  readonly #agents = new Map<AddressRule, Map<SecureVersion, Agent>>()
  readonly #connectors = new Map<SecureVersion, Promise<buildConnector.connector>>()
  /** Whether the last connection to an origin got TLS 1.3. */
  readonly #tls13 = new Map<string, boolean>()

  constructor({
    proxyFor = (url) => Promise.resolve(proxyFromVariables(process.env, url)),
    addressRules = createAddressRules(),
    trust = systemTrust,
  }: TransportOptions = {}) {
    this.proxyFor = proxyFor
    this.addressRules = addressRules
    this.#trust = trust
  }

  /** Sends a request; resolves with the head of the answer, whose body has to be read or destroyed. Follows no redirect. */
  async request(
    url: URL,
    { rule, minVersion = 'TLSv1.2', decodes = false, idleMs = 0, readsAhead, ...request }: TransportRequest,
  ): Promise<TransportAnswer> {
    const answer = await this.#agentFor(rule, minVersion).request({
      ...request,
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      body: request.body ?? null,
      headers: { 'user-agent': userAgent, ...request.headers },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      ...(readsAhead === undefined ? {} : { highWaterMark: readsAhead }),
    })
    // A body that is destroyed before its end reports that as an error.
    answer.body.on('error', () => undefined)
    const headers = new ReceivedHeaders(answer.headers)
    const body = decodes ? decoded(answer.body, headers) : answer.body
    if (body === undefined) {
      answer.body.destroy()
      throw invalidAnswer(url)
    }
    return { status: answer.statusCode, headers, body, hasTls13: this.#tls13.get(url.origin) }
  }

  /** Connects to a server, with TLS for https. Rejects as soon as the signal aborts. */
  async connect(
    url: URL,
    rule: AddressRule,
    options: { readonly minVersion?: SecureVersion; readonly signal?: AbortSignal } = {},
  ): Promise<Socket> {
    const { minVersion = 'TLSv1.2', signal } = options
    const connecting = this.#reach(url, rule).then((socket) =>
      url.protocol === 'https:' ? this.#secure(socket, url, minVersion) : socket,
    )
    return unlessAborted(connecting, signal)
  }

  /** Throws the errors of HttpClient if no connection to a server comes about. Sends nothing to the server. */
  async requireReachable(url: URL, signal?: AbortSignal): Promise<void> {
    const rule = this.addressRules.anyAddress
    try {
      const socket = await unlessAborted(this.#reach(url, rule), signal)
      socket.destroy()
    } catch (error) {
      throw await this.failure(error, url, { stage: 'headers', rule, signal: undefined })
    }
  }

  /**
   * Returns the error of a failed exchange with a server; `stage` is `body` once the headers have arrived. A defect is returned
   * as it is: it must not look like a server that can't be reached, because nobody would look for its cause.
   */
  async failure(
    error: unknown,
    url: URL,
    {
      stage,
      rule,
      signal,
    }: { stage: 'headers' | 'body'; rule: AddressRule; signal: AbortSignal | undefined },
  ): Promise<unknown> {
    if (error instanceof CausewayError) return error
    const failure = networkFailure(error, url, stage)
    if (failure === undefined) return error
    return await withIssuer(failure, url, () => this.#reach(url, rule), signal)
  }

  #agentFor(rule: AddressRule, minVersion: SecureVersion): Agent {
    const agents = this.#agents.get(rule) ?? new Map<SecureVersion, Agent>()
    this.#agents.set(rule, agents)
    const agent =
      agents.get(minVersion) ??
      new Agent({
        connect: ({ protocol, host = '' }, callback) => {
          this.connect(new URL(`${protocol}//${host}`), rule, { minVersion }).then(
            (socket) => {
              callback(null, socket)
            },
            (error: unknown) => {
              callback(error instanceof Error ? error : new Error(String(error)), null)
            },
          )
        },
      })
    agents.set(minVersion, agent)
    return agent
  }

  /** Connects without TLS, through the proxy for the URL if there is one. */
  async #reach(url: URL, rule: AddressRule): Promise<Socket> {
    rule.check(url)
    const proxy = await this.proxyFor(url)
    if (proxy === undefined) return dial(endpointOf(url), rule.lookup)
    if ('problem' in proxy) {
      throw new CausewayError('http/unreachable', {
        variant: 'proxy-unusable',
        details: { host: url.host, reason: 'proxy', proxy: proxy.source },
      })
    }
    if (rule !== this.addressRules.anyAddress) await requireAllowed(url, rule.lookup)
    return throughProxy(proxy, url, () => this.#reachProxy(proxy))
  }

  async #reachProxy(proxy: Proxy): Promise<Socket> {
    const socket = await dial(proxy, this.addressRules.anyAddress.lookup)
    if (proxy.protocol === 'http:') return socket
    return this.#secure(socket, new URL(`https://${proxyName(proxy)}/`), 'TLSv1.2')
  }

  async #secure(socket: Socket, url: URL, minVersion: SecureVersion): Promise<Socket> {
    // Its errors reach the TLS socket as well.
    socket.on('error', () => undefined)
    const connector = this.#connectors.get(minVersion) ?? this.#connectorFor(minVersion)
    this.#connectors.set(minVersion, connector)
    const connect = await connector.catch((error: unknown) => {
      // Nobody else knows the connection, which the server would keep.
      socket.destroy()
      throw error
    })
    const { host, protocol, port } = url
    return new Promise((resolve, reject) => {
      connect({ hostname: hostOf(url), host, protocol, port, httpSocket: socket }, (...[error, secured]) => {
        if (error !== null) {
          reject(error)
          return
        }
        if (secured instanceof TLSSocket) this.#tls13.set(url.origin, secured.getProtocol() === 'TLSv1.3')
        resolve(secured)
      })
    })
  }

  async #connectorFor(minVersion: SecureVersion): Promise<buildConnector.connector> {
    const secureContext = await this.#trust.secureContext(minVersion)
    // At every connection (every-tls.test.ts): otherwise `NODE_TLS_REJECT_UNAUTHORIZED=0` decides, which people set for another
    // program, and tokens go to whoever answers.
    return buildConnector({ secureContext, rejectUnauthorized: true })
  }
}

/** Rejects as soon as the signal aborts, and then closes the connection if there will be one. */
function unlessAborted(connecting: Promise<Socket>, signal: AbortSignal | undefined): Promise<Socket> {
  if (signal === undefined) return connecting
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(requestCancelled())
      connecting.then(
        (socket) => socket.destroy(),
        () => undefined,
      )
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    connecting.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', giveUp)
    })
  })
}

/** Removes the compressions of a body, the last one first. Returns undefined if there are too many. */
function decoded(body: Readable, headers: AnswerHeaders): Readable | undefined {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  // Thousands fit into a header, and take minutes of processor time, past every time limit.
  if (codings.length > maxCodings) return undefined
  const decoders = codings.reverse().flatMap((coding) => decompressors.get(coding.trim())?.() ?? [])
  const last = decoders.at(-1)
  if (last === undefined) return body
  // Whoever reads the last stream gets the error.
  pipeline([body, ...decoders], () => undefined)
  return last
}

/** As many as curl accepts. */
const maxCodings = 5

/**
 * Throws `http/private-address` for a name that leads into a forbidden network here. A name that only the proxy can resolve
 * passes: where it leads, the proxy's administrator decides. Networks with a proxy often have no other names.
 */
async function requireAllowed(url: URL, lookup: LookupFunction): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(resolve, lookupMs)
    lookup(endpointOf(url).host, { all: true }, (error) => {
      clearTimeout(limit)
      if (error instanceof CausewayError) reject(error)
      else resolve()
    })
  })
}

/** For a name that may be known to the proxy only, in milliseconds. */
const lookupMs = 2000
