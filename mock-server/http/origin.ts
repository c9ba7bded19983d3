import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { rememberLast } from '../remember-last'
import type { App } from './app'
import { Refusal } from './refusal'

const authority = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/

/** Returns the http or https origin in the text of an option. Throws an Error if it isn't one. */
export function originIn(text: string): string {
  const [, start = '', rest = ''] = /^(https?):\/\/([^/]+)\/?$/i.exec(text) ?? []
  const origin = originFrom(start.toLowerCase(), rest)
  if (origin !== undefined) return origin
  throw new Error(`${text} is not an origin such as https://mock.example:8443, without a path.`)
}

function originFrom(protocol: string, host: string): string | undefined {
  if (!/^https?$/.test(protocol) || !authority.test(host)) return undefined
  const url = URL.parse(`${protocol}://${host}`)
  return url === null || url.port === '0' ? undefined : url.origin
}

/** Returns the host in an origin, without the brackets of an IPv6 address. */
export function hostIn(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, '')
}

export function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  )
}

/** Returns true if a request names two hosts, of which Node drops the second. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

/** Decides the origin of every address that the mock writes: the one that the client used. */
export class Origins {
  /** The origin of every answer, whatever the client asked. */
  readonly fixed: string | undefined
  readonly #scheme: 'http' | 'https'
  /** Parsing an address takes a tenth of the time of a short call, and clients call one origin. */
  readonly #originFrom = rememberLast(originFrom)
  #listening = ''
  #asked: string | undefined
  readonly #leave = () => {
    this.#asked = undefined
  }

  constructor(scheme: 'http' | 'https', fixed: string | undefined) {
    this.#scheme = scheme
    this.fixed = fixed
  }

  /** The origin of answers to nobody in particular, such as the first line of output. */
  get own(): string {
    return this.fixed ?? this.#listening
  }

  /** Returns the origin of a port on which the mock listens at this address. */
  at(host: string, port: number): string {
    const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    const name = isIPv6(reachable) ? `[${reachable}]` : reachable
    return `${this.#scheme}://${name}:${port}`
  }

  listenAt(host: string, port: number): void {
    this.#listening = this.at(host, port)
  }

  /** Returns the origin in the headers of a request, even if answers name a fixed one; undefined for invalid headers. */
  calledAt({ headers, raw: { rawHeaders } }: FastifyRequest): string | undefined {
    if (hasTwoHosts(rawHeaders)) return undefined
    // HTTP/1.0 has no Host header.
    return headers.host === undefined ? this.own : this.#originFrom(this.#scheme, headers.host)
  }

  /** Returns the origin for the answer that is being made, or `own` outside of a handler. Call it before any await. */
  current(worldPrefix = ''): string {
    return this.#asked ?? `${this.own}${worldPrefix}`
  }

  /** Makes `current` return the origin of this request until the synchronous part of its handler ends. */
  enter({ askedOrigin }: FastifyRequest): void {
    this.#asked = askedOrigin
    // Microtasks run after the synchronous part and before any continuation of an async handler.
    queueMicrotask(this.#leave)
  }
}

/** Answers 400 to requests whose headers name no valid origin, and tells `origins` about all others. */
export function followOrigin(app: App, origins: Origins): void {
  app.decorateRequest('askedOrigin', '')
  app.addHook('onRequest', (request, _reply, done) => {
    const called = origins.calledAt(request)
    request.askedOrigin = `${origins.fixed ?? called ?? ''}${request.worldPrefix}`
    done(called === undefined ? new Refusal(400, 'The Host header is not valid.') : undefined)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    origins.enter(request)
    done()
  })
}
