import * as tls from 'node:tls'
import { readAuthorities } from './authorities'

type Fetch = typeof globalThis.fetch
type Dispatcher = NonNullable<RequestInit['dispatcher']>
type AgentClass = new (options: { connect: { secureContext: tls.SecureContext } }) => Dispatcher

/** The part of `node:tls` that Node.js has from 22.19 and 24.5 on. */
interface Newer {
  setDefaultCACertificates?: (certificates: readonly string[]) => void
}

/**
 * The authorities that https trusts, for every way in which Causeway makes requests. They are read at the first request
 * over https, not before: that takes some ten milliseconds.
 */
export class Trust {
  readonly #read: () => Promise<readonly string[]>
  #authorities: Promise<readonly string[]> | undefined
  #context: Promise<tls.SecureContext> | undefined
  #fetchInit: Promise<RequestInit> | undefined

  /** `read`: the certificates of the authorities, in PEM. */
  constructor(read: () => Promise<readonly string[]>) {
    this.#read = read
  }

  /** For requests of `node:https`. */
  secureContext(): Promise<tls.SecureContext> {
    this.#context ??= this.#readOnce().then((ca) => tls.createSecureContext({ ca: [...ca] }))
    return this.#context
  }

  #readOnce(): Promise<readonly string[]> {
    this.#authorities ??= this.#read()
    return this.#authorities
  }

  /** The global fetch, which by itself knows nothing of the system's certificate store. */
  readonly fetch: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith('https:')) return globalThis.fetch(input, init)
    this.#fetchInit ??= this.#prepareFetch()
    return globalThis.fetch(input, { ...init, ...(await this.#fetchInit) })
  }

  async #prepareFetch(): Promise<RequestInit> {
    const { setDefaultCACertificates } = tls as Newer
    if (setDefaultCACertificates !== undefined) {
      setDefaultCACertificates(await this.#readOnce())
      return {}
    }
    // Older versions of Node.js have no setting for it, but their fetch takes an agent of the class that it uses itself.
    return { dispatcher: new (fetchAgentClass())({ connect: { secureContext: await this.secureContext() } }) }
  }
}

function fetchAgentClass(): AgentClass {
  // Node.js loads its fetch, which leaves its agent at this place, when one of these classes is first used.
  new Headers()
  const agent = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')]
  return (agent as { constructor: AgentClass }).constructor
}

/** Trusts what this computer trusts. */
export const systemTrust = new Trust(() => readAuthorities({ platform: process.platform, env: process.env }))
