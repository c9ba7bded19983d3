import { requestCancelled } from '../http/failure'
import { SharedFlight } from '../http/shared-flight'
import type { Discovery } from './discovery'
import type { Endpoints, Instance } from './instance'

const maxAgeMs = 60 * 60 * 1000

interface Entry {
  readonly address: string
  readonly flight: SharedFlight<Endpoints>
  known?: { readonly endpoints: Endpoints; readonly at: number }
}

/** The endpoints of instances, asked for once and kept in memory for an hour. */
export class EndpointsCache {
  readonly #entries = new Map<string, Entry>()
  readonly #discovery: Discovery
  readonly #now: () => number
  readonly #listeners = new Set<(instanceId: string) => void>()

  /** `now` is in milliseconds. */
  constructor(options: { readonly discovery: Discovery; readonly now: () => number }) {
    this.#discovery = options.discovery
    this.#now = options.now
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
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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
      flight: new SharedFlight(async (signal) => {
        const endpoints = await this.#discovery.discover(address, signal)
        entry.known = { endpoints, at: this.#now() }
        for (const listener of [...this.#listeners]) listener(id)
        return endpoints
      }, 'stop'),
    }
    this.#entries.set(id, entry)
    return entry
  }
}
