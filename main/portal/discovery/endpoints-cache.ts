import type { Reporter } from '../../reporter'
import type { ApiVersion } from '../../../contract/choices'
import type { ErrorCode } from '../../../contract/error-codes'
import { CausewayError, hasCode } from '../../errors'
import { Emitter } from '../../emitter'
import { requestCancelled } from '../../platform/http/failure'
import { SingleFlight } from '../../platform/http/single-flight'
import type { Discovery } from './discovery'
import type { Endpoints, Instance } from '../instance/instance'

const maxAgeMs = 60 * 60 * 1000

/** The part of an instance that its endpoints depend on. */
type Place = Pick<Instance, 'id' | 'address' | 'apiVersion'>

interface Entry {
  readonly place: Place
  readonly flight: SingleFlight<Endpoints>
  latest?: { readonly endpoints: Endpoints; readonly at: number }
}

interface EndpointsCacheOptions {
  readonly discovery: Discovery
  /** In milliseconds. */
  readonly now: () => number
  /** Returns the address of an instance's API, if not its own. */
  readonly apiAddress?: (instance: Instance) => Promise<string | undefined>
  /** Returns the API version that an instance's current login was made with. */
  readonly loginVersion?: (place: Place) => Promise<ApiVersion | undefined>
  readonly reporter?: Pick<Reporter, 'defect'>
}

/** Caches the endpoints of instances in memory for an hour. */
export class EndpointsCache {
  readonly #entries = new Map<string, Entry>()
  readonly #options: EndpointsCacheOptions
  readonly #discoveries: Emitter<string>

  constructor(options: EndpointsCacheOptions) {
    this.#options = options
    this.#discoveries = new Emitter(options.reporter?.defect)
  }

  /**
   * The endpoints to use: of an instance with a location, the API of the location with the login of its home
   * (api-v3-facts.md, section 9.2). Throws what Discovery and `apiAddress` throw, and `discovery/unsupported-version` if the
   * location has another version of the API than the home; a failure is not kept.
   */
  async endpoints(
    instance: Place & Pick<Instance, 'organization'>,
    signal?: AbortSignal,
  ): Promise<Endpoints> {
    const elsewhere = await this.#options.apiAddress?.(instance)
    if (elsewhere === undefined) return this.home(instance, signal)
    const home = await this.home(instance, signal)
    const { apiVersion, authorizationEndpoint, tokenEndpoint, services } = home
    // No id of an instance is a whole address. Another version at the location would end the login, which is the home's.
    const location = await this.home({ id: elsewhere, address: elsewhere, apiVersion }, signal).catch(
      async (error: unknown) => {
        if (!hasCode(error, ...notOffered)) throw error
        throw (await this.#otherVersion(elsewhere, apiVersion, signal)) ?? error
      },
    )
    return { ...location, authorizationEndpoint, tokenEndpoint, services, loginElsewhere: true }
  }

  /** The endpoints at the instance's own address, where its people log in. Throws what Discovery throws. */
  async home(instance: Place, signal?: AbortSignal): Promise<Endpoints> {
    const entry = this.#entry(instance)
    if (entry.latest !== undefined) {
      const age = this.#options.now() - entry.latest.at
      if (age >= 0 && age < maxAgeMs) return entry.latest.endpoints
    }
    return entry.flight.join(signal, requestCancelled)
  }

  /** Returns the last known endpoints, however old, without a request. */
  latest(instance: Place): Endpoints | undefined {
    const entry = this.#entries.get(instance.id)
    return entry !== undefined && isSame(entry.place, instance) ? entry.latest?.endpoints : undefined
  }

  /** Calls back with the id of an instance whose endpoints were found; returns a function that unsubscribes. */
  onFound(listener: (instanceId: string) => void): () => void {
    return this.#discoveries.on(listener)
  }

  /** Returns the error for a location that offers only another version of the API. */
  async #otherVersion(
    address: string,
    wanted: ApiVersion,
    signal: AbortSignal | undefined,
  ): Promise<CausewayError | undefined> {
    const found = await this.#options.discovery.discover(address, { signal }).catch(() => undefined)
    if (found === undefined || found.apiVersion === wanted) return undefined
    return new CausewayError('discovery/unsupported-version', {
      variant: 'location',
      details: { host: new URL(address).host, versions: [found.apiVersion], wanted },
    })
  }

  /** To be called when an address from discovery is gone: the next call makes a request. Throws what `apiAddress` throws. */
  async expire(instance: Instance): Promise<void> {
    for (const id of [instance.id, await this.#options.apiAddress?.(instance)]) {
      const entry = id === undefined ? undefined : this.#entries.get(id)
      if (entry?.latest !== undefined) entry.latest = { ...entry.latest, at: Number.NEGATIVE_INFINITY }
    }
  }

  /** Drops an instance: the next call makes a request. */
  forget(instanceId: string): void {
    this.#entries.delete(instanceId)
  }

  #entry(instance: Place): Entry {
    const { id, address, apiVersion } = instance
    const present = this.#entries.get(id)
    if (present !== undefined && isSame(present.place, instance)) return present
    const entry: Entry = {
      place: instance,
      flight: new SingleFlight(async (signal) => {
        const endpoints = await this.#options.discovery.discover(address, {
          wanted: apiVersion,
          hasVersion3: async () =>
            entry.latest?.endpoints.apiVersion === 3 || (await this.#options.loginVersion?.(instance)) === 3,
          signal,
        })
        entry.latest = { endpoints, at: this.#options.now() }
        this.#discoveries.emit(id)
        return endpoints
      }, 'stop'),
    }
    this.#entries.set(id, entry)
    return entry
  }
}

/** The server has answered, without the wanted version of the API. */
const notOffered: readonly ErrorCode[] = [
  'discovery/unsupported-version',
  'discovery/no-vpn-api',
  'discovery/not-found',
  'discovery/not-json',
]

function isSame(one: Place, other: Place): boolean {
  return one.address === other.address && one.apiVersion === other.apiVersion
}
