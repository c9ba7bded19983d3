import { Emitter } from '../../emitter'
import { requestCancelled } from '../../platform/http/failure'
import { SingleFlight } from '../../platform/http/single-flight'
import type { Discovery } from './discovery'
import type { Endpoints, Instance } from '../instance/instance'

const maxAgeMs = 60 * 60 * 1000

interface Entry {
  readonly address: string
  readonly flight: SingleFlight<Endpoints>
  known?: { readonly endpoints: Endpoints; readonly at: number }
}

/** The endpoints of instances, asked for once and kept in memory for an hour. */
export class EndpointsCache {
  readonly #entries = new Map<string, Entry>()
  readonly #discovery: Discovery
  readonly #now: () => number
  readonly #found: Emitter<string>

  /** `now` is in milliseconds; `onDefect` is told of listeners that throw. */
  constructor(options: {
    readonly discovery: Discovery
    readonly now: () => number
    readonly onDefect?: (error: unknown) => void
  }) {
    this.#discovery = options.discovery
    this.#now = options.now
    this.#found = new Emitter(options.onDefect)
  }

  /** Throws what Discovery throws; a failure is not kept. */
  async endpoints(instance: Instance, signal?: AbortSignal): Promise<Endpoints> {
    const entry = this.#entry(instance)
    if (entry.known !== undefined) {
      const age = this.#now() - entry.known.at
      if (age >= 0 && age < maxAgeMs) return entry.known.endpoints
    }
    return entry.flight.join(signal, requestCancelled)
  }

  /** What the instance said last, however long ago, without asking it. */
  known({ id, address }: Instance): Endpoints | undefined {
    const entry = this.#entries.get(id)
    return entry?.address === address ? entry.known?.endpoints : undefined
  }

  /** Calls back with the id of an instance that was asked; returns how to stop it. */
  onFound(listener: (instanceId: string) => void): () => void {
    return this.#found.on(listener)
  }

  /** The next call asks the instance anew. */
  forget(instanceId: string): void {
    this.#entries.delete(instanceId)
  }

  #entry(instance: Instance): Entry {
    const { id, address } = instance
    const present = this.#entries.get(id)
    if (present?.address === address) return present
    const entry: Entry = {
      address,
      flight: new SingleFlight(async (signal) => {
        const endpoints = await this.#discovery.discover(address, signal)
        entry.known = { endpoints, at: this.#now() }
        this.#found.emit(id)
        return endpoints
      }, 'stop'),
    }
    this.#entries.set(id, entry)
    return entry
  }
}
