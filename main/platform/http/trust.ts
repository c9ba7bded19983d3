import * as tls from 'node:tls'
import { readAuthorities } from './authorities'

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<RequestInit['dispatcher']>
type AgentClass = new (options: { connect: { secureContext: tls.SecureContext } }) => Dispatcher

/** The API of `node:tls` since Node.js 22.19 and 24.5. */
interface Newer {
  setDefaultCACertificates?: (certificates: readonly string[]) => void
}

/**
 * The authorities that https trusts, for all requests of Causeway. They are read at the first request over https, because
 * reading takes some ten milliseconds.
 */
export class Trust {
  readonly #read: () => Promise<readonly string[]>
  #authorities: Promise<readonly string[]> | undefined
  #context: Promise<tls.SecureContext> | undefined
  #fetchInit: Promise<RequestInit> | undefined
  #tls13Init: Promise<RequestInit> | undefined

  /** @param read returns the certificates of the authorities, in PEM */
  constructor(read: () => Promise<readonly string[]>) {
    this.#read = read
  }

  /** Returns the context for requests of `node:https`. */
  secureContext(): Promise<tls.SecureContext> {
    this.#context ??= this.#readOnce().then((ca) => tls.createSecureContext({ ca: [...ca] }))
    return this.#context
  }

  #readOnce(): Promise<readonly string[]> {
    this.#authorities ??= this.#read()
    return this.#authorities
  }

  /** Works like the global fetch, which alone ignores the system's certificate store. */
  readonly fetch: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith('https:')) return globalThis.fetch(input, init)
    this.#fetchInit ??= this.#prepareFetch()
    return globalThis.fetch(input, { ...init, ...(await this.#fetchInit) })
  }

  /** As `fetch`, for servers with TLS 1.3 only. */
  readonly fetchWithTls13: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith('https:')) return globalThis.fetch(input, init)
    this.#tls13Init ??= this.#prepareFetchWithTls13()
    return globalThis.fetch(input, { ...init, ...(await this.#tls13Init) })
  }

  async #prepareFetchWithTls13(): Promise<RequestInit> {
    const ca = [...(await this.#readOnce())]
    const secureContext = tls.createSecureContext({ ca, minVersion: 'TLSv1.3' })
    return { dispatcher: new (fetchAgentClass())({ connect: { secureContext } }) }
  }

  async #prepareFetch(): Promise<RequestInit> {
    const { setDefaultCACertificates } = tls as Newer
    if (setDefaultCACertificates !== undefined) {
      setDefaultCACertificates(await this.#readOnce())
      return {}
    }
    // Older versions of Node.js have no such setting, but their fetch accepts an agent of the same class.
    return { dispatcher: new (fetchAgentClass())({ connect: { secureContext: await this.secureContext() } }) }
  }
}

function fetchAgentClass(): AgentClass {
  // Node.js loads its fetch, which stores its agent here, when one of these classes is first used.
  new Headers()
  const agent = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')]
  return (agent as { constructor: AgentClass }).constructor
}

/** Trusts the authorities that this computer trusts. */
export const systemTrust = new Trust(() => readAuthorities({ platform: process.platform, env: process.env }))
