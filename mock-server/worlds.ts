import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './http/app'
import { hostIn } from './http/origin'
import { normalizedUrl } from './http/parameters'
import { Refusal } from './http/refusal'
import type { MockState } from './mock-state'

/** A world of a world is one of the server: the last name counts. */
const prefixed = /^(?:\/_world\/([^/?]+))+(?=$|[/?])/
/** Where RFC 8414 puts the metadata of an issuer with a path. */
const metadataOfWorld = /^(\/\.well-known\/oauth-authorization-server)(\/_world\/[^/?]+)/
/** The names of worlds, which can be the first label of a host name. */
export const worldName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A host name of several labels, of which the first may be a world. */
const namedHost = /^(([^.:]*)\.[^:]*)/
const header = 'x-mock-world'

export function prefixOf(name: string): string {
  return `/_world/${name}`
}

const withPrefixFirst = (url: string) => url.replace(metadataOfWorld, '$2$1')

/** Returns an address for routing, without the path of a world. */
export function withoutPrefix(given: string): string {
  const url = normalizedUrl(given)
  if (!url.includes('/_world/')) return url
  const rest = withPrefixFirst(url).replace(prefixed, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

export const maxWorlds = 1000

/** The worlds of a server: isolated states behind the same routes. */
export class Worlds {
  readonly main: MockState
  readonly #create: (name: string) => MockState
  readonly others = new Map<string, MockState>()
  /** The servers of worlds with a port of their own, for clients that reach a world neither by path nor by host name. */
  readonly #servers = new Map<string, { server: Server; port: number }>()
  #created = 0

  /** `create` returns a new state with this name. */
  constructor(main: MockState, create: (name: string) => MockState) {
    this.main = main
    this.#create = create
  }

  /** Adds a world. A name that is left out is chosen. Returns undefined if there is one with this name. */
  add(given?: string): { name: string; world: MockState } | undefined {
    let name = given ?? ''
    while (name === '' || (given === undefined && this.others.has(name))) {
      this.#created += 1
      name = `world-${this.#created}`
    }
    if (this.others.has(name)) return undefined
    const world = this.#create(name)
    this.others.set(name, world)
    return { name, world }
  }

  /** Lets a server answer for a world at this address, at a port that the system chooses. Rejects if it can't listen. */
  async openPort(name: string, server: Server, host: string): Promise<number> {
    server.listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    this.#servers.set(name, { server, port })
    return port
  }

  async #closePort(name: string, reply?: FastifyReply): Promise<void> {
    const { server, port } = this.#servers.get(name) ?? {}
    if (server === undefined) return
    this.#servers.delete(name)
    if (reply?.request.raw.socket.localPort === port) {
      server.close()
      reply?.header('connection', 'close').raw.once('close', () => {
        server.closeAllConnections()
      })
      return
    }
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  /** Removes a world with its port, which is open until this answer has left if that goes through it. */
  async remove(name: string, reply?: FastifyReply): Promise<boolean> {
    const world = this.others.get(name)
    this.others.delete(name)
    world?.tls?.release()
    await this.#closePort(name, reply)
    await world?.close()
    return world !== undefined
  }

  /** Ends what would keep the server from closing. */
  endOpenConnections(): void {
    for (const world of this.#all) {
      world.events.close()
      world.tls?.release()
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.others.keys()].map((name) => this.#closePort(name)))
    await Promise.all(this.#all.map((world) => world.close()))
  }

  get #all(): MockState[] {
    return [this.main, ...this.others.values()]
  }

  /** Returns the name of the world that a request asks for, and how; undefined for the main one. */
  wantedBy({ headers, originalUrl, raw }: FastifyRequest): { name: string; prefix: string } | undefined {
    const called = normalizedUrl(originalUrl)
    const inPath = called.includes('/_world/') ? prefixed.exec(withPrefixFirst(called))?.[1] : undefined
    const given = inPath ?? headers[header]
    if (typeof given === 'string') return { name: given, prefix: prefixOf(given) }
    const name = this.#nameAt(raw.socket.localPort) ?? this.#nameIn(headers.host ?? '')
    return name === undefined ? undefined : { name, prefix: '' }
  }

  /** Returns the world with a port of its own; undefined for the port of the main one. */
  #nameAt(port: number | undefined): string | undefined {
    for (const [name, server] of this.#servers) if (server.port === port) return name
    return undefined
  }

  /** Returns the world in a Host header. Below `localhost` every name is one of a world, which may not exist. */
  #nameIn(text: string): string | undefined {
    const [, host = '', label = ''] = namedHost.exec(text.toLowerCase()) ?? []
    if (!this.others.has(label) && !host.endsWith('.localhost')) return undefined
    return isIP(host) === 0 && host !== hostIn(this.main.origin) ? label : undefined
  }
}

/** Finds the world of every request: by its path, its header `X-Mock-World`, its port, or the first label of its host name. */
export function enterWorlds(app: App, worlds: Worlds, hasFixedOrigin: boolean): void {
  app.decorateRequest('world')
  app.decorateRequest('worldPrefix', '')
  app.addHook('onRequest', (request, _reply, done) => {
    const wanted = worlds.wantedBy(request)
    const world = wanted === undefined ? worlds.main : worlds.others.get(wanted.name)
    request.world = world ?? worlds.main
    // The host name of a fixed origin selects no world.
    request.worldPrefix = wanted === undefined ? '' : hasFixedOrigin ? prefixOf(wanted.name) : wanted.prefix
    if (world !== undefined) done()
    else done(new Refusal(404, 'There is no world with this name. POST /_mock/worlds creates one.'))
  })
}
