import { CausewayError, toErrorReport } from '../../errors'
import type { ErrorReport } from '../../../contract/error-codes'
import type { ListingItem } from '../../../contract/organization-list'
import { Emitter } from '../../emitter'
import type { Records } from '../../loose'
import { requestCancelled } from '../../platform/http/failure'
import type { HttpClient } from '../../platform/http/http-client'
import { parseAddress } from '../instance/address'
import { organizationOf, readPlace } from '../instance/typed-place'
import type { ChosenOrganization, Instance, Location } from '../instance/instance'
import type { LocalizedValue } from '../portal'
import {
  type InstituteServer,
  type ListedOrganization,
  type OrganizationList,
  parseOrganizationList,
  parseServerList,
  type SecureInternetServer,
  type ServerList,
} from './list-documents'
import { fillLoginTemplate } from './login-template'
import { SearchIndex } from './search'
import type { StoredOptions } from '../../platform/storage/json-file'
import { SignedList } from '../../platform/signed-list/signed-list'
import { type ConfiguredSource, type ListSource, parseListSource } from '../../platform/signed-list/source'
import type { Timer } from '../../timer'

/** A search result: a server that an organization runs itself, or an organization that shares servers with others. */
export type SearchResult =
  | (InstituteServer & { readonly id: string })
  | (ListedOrganization & { readonly type: 'secure_internet'; readonly id: string })

interface SearchResults {
  /** The best first. */
  readonly results: readonly SearchResult[]
  /** Number of entries of the lists that are left out because they can't be read. */
  readonly unreadable: number
  /** Why the lists may not be those of now. */
  readonly problem: ErrorReport | undefined
}

/** The lists' facts about an instance that came from them. */
export interface Listing extends Readonly<Omit<ListingItem, 'name'>> {
  readonly displayName: LocalizedValue
}

interface OrganizationDirectoryOptions extends StoredOptions {
  /** Returns the configured source, if any. */
  readonly source: () => Promise<ConfiguredSource | undefined>
  readonly http: HttpClient
}

const hourMs = 60 * 60 * 1000
/** A login doesn't wait for the lists any longer. */
const longestBeforeLoginMs = 5000

interface Lists {
  readonly name: string
  readonly servers: SignedList<ServerList>
  readonly organizations: SignedList<OrganizationList>
}

/** The organizations and servers of the configured lists (api-v3-facts.md, section 9); empty without lists. */
export class OrganizationDirectory {
  readonly #options: OrganizationDirectoryOptions
  readonly #changes: Emitter<void>
  #lists: Lists | undefined
  #index: { readonly of: readonly unknown[]; readonly index: SearchIndex<SearchResult> } | undefined

  constructor(options: OrganizationDirectoryOptions) {
    this.#options = options
    this.#changes = new Emitter(options.reporter?.defect)
  }

  readonly #failed = (error: unknown): void => {
    const { reporter } = this.#options
    reporter?.failure('organization-lists', error)
    // No notice for network errors: these lists are fetched in the background.
    if (error instanceof CausewayError && error.code.startsWith('organization-list/'))
      reporter?.notice(toErrorReport(error))
  }

  /** Returns whether lists are configured. Throws `organization-list/invalid-source`, `data/unreadable`. */
  async isAvailable(): Promise<boolean> {
    return (await this.#current()) !== undefined
  }

  /** Calls back after a list was fetched; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }

  /**
   * Finds organizations by words of their names and keywords in any language, or by a domain or e-mail address of theirs
   * that the lists have as part of an address. Fetches lists first that this
   * process hasn't fetched within an hour. If that fails, searches the stored lists. Throws
   * `organization-list/not-configured`, and what SignedList.refresh throws if there are no stored lists.
   */
  async search(words: string, languages: readonly string[], signal?: AbortSignal): Promise<SearchResults> {
    const lists = await this.#required()
    const problem = await this.#refresh([lists.servers, lists.organizations], hourMs, signal)
    const all = await Promise.all([lists.servers.last(), lists.organizations.last()])
    if (problem !== undefined && all.every((list) => list === undefined)) throw problem
    const index = this.#indexOf(...all)
    const place = await readPlace(words)
    return {
      results:
        place.kind === 'domain' ? await atDomain(index.items, place.domain) : index.search(words, languages),
      unreadable: all.reduce((sum, list) => sum + (list?.unreadable ?? 0), 0),
      problem: problem === undefined ? undefined : toErrorReport(problem),
    }
  }

  /**
   * Returns the address of the instance and the data to store for a search result. The location is the home, or the one
   * in this country. Throws like `search`, and `organization-list/unknown-organization`,
   * `organization-list/unknown-location` with `details.countries`.
   */
  async choose(
    id: string,
    countryCode: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly address: string; readonly organization: ChosenOrganization }> {
    const lists = await this.#required()
    const problem = await this.#refresh([lists.servers, lists.organizations], hourMs, signal)
    const [servers, organizations] = await Promise.all([lists.servers.last(), lists.organizations.last()])
    const organization = organizations?.organizations.find(({ orgId }) => orgId === id)
    const institute = institutesOf(servers).find(
      // An id that lacks only the final slash may be an organization's.
      ({ baseUrl }) => baseUrl === id || (organization === undefined && baseUrl === `${id}/`),
    )
    if (institute !== undefined) {
      if (countryCode !== undefined) throw unknownLocation([])
      const { type, baseUrl, displayName } = institute
      return { address: baseUrl, organization: { type, displayName } }
    }
    const locations = locationsOf(servers)
    const home = locations.find(({ baseUrl }) => baseUrl === organization?.home)
    if (organization === undefined || home === undefined)
      throw problem ?? new CausewayError('organization-list/unknown-organization')
    const server = countryCode === undefined ? home : locationIn(locations, countryCode)
    const { orgId, displayName } = organization
    return {
      address: home.baseUrl,
      organization: { type: 'secure_internet', displayName, orgId, location: toLocation(server) },
    }
  }

  /** The known locations, without fetching the list again. */
  async locations(): Promise<Records<Location>> {
    const servers = await (await this.#current())?.servers.last()
    return { items: locationsOf(servers).map(toLocation), unreadable: servers?.unreadable ?? 0 }
  }

  /** Returns the location in this country, or with this address. Throws `organization-list/unknown-location` with `details.countries`. */
  async location(countryOrAddress: string): Promise<Location> {
    return toLocation(
      locationIn(locationsOf(await (await this.#current())?.servers.last()), countryOrAddress),
    )
  }

  /** Returns the entry of an instance in the stored lists; undefined if it wasn't added from a list. */
  async listing({ address, organization }: Instance): Promise<Listing | undefined> {
    if (organization === undefined) return undefined
    const lists = await this.#current()
    const servers = await lists?.servers.last()
    const base = { displayName: organization.displayName, delisted: false, supportContacts: [] }
    if (organization.type === 'institute_access') {
      if (servers === undefined) return base
      const server = institutesOf(servers).find(({ baseUrl }) => isSameServer(baseUrl, address))
      return server === undefined
        ? { ...base, delisted: true }
        : { ...base, displayName: server.displayName, supportContacts: server.supportContacts }
    }
    const { location, orgId } = organization
    const locations = locationsOf(servers)
    const present = servers === undefined ? undefined : presentLocation(locations, location)
    const gone = servers !== undefined && present === undefined
    const all = await lists?.organizations.last()
    const listed = all?.organizations.find((each) => each.orgId === orgId)
    return {
      displayName: listed?.displayName ?? organization.displayName,
      delisted: all !== undefined && (listed === undefined || !isSameServer(listed.home, address)),
      supportContacts: present?.supportContacts ?? [],
      location: {
        chosen: present === undefined ? location : toLocation(present),
        gone,
        choices: locations.map(toLocation),
      },
    }
  }

  /**
   * Returns the base address of the API of an instance's location, also after a move; undefined if it is the instance's own.
   * Throws `organization-list/location-gone`.
   */
  async apiAddress({ address, organization }: Instance): Promise<string | undefined> {
    if (organization?.type !== 'secure_internet') return undefined
    const { location } = organization
    const servers = await (await this.#current())?.servers.last()
    const present =
      servers === undefined ? location.address : presentLocation(locationsOf(servers), location)?.baseUrl
    if (present === undefined) {
      const { countryCode } = location
      throw new CausewayError('organization-list/location-gone', { details: { countryCode } })
    }
    return isSameServer(present, address) ? undefined : present
  }

  /**
   * Fetches the lists that a login depends on. Returns a function that maps the authorization request to the address to
   * open, which skips the choice of the organization if the home supports that. A failure is reported and doesn't stop the
   * login.
   */
  async beforeLogin({ organization, address }: Instance, signal: AbortSignal): Promise<(url: URL) => URL> {
    const plain = (url: URL): URL => url
    if (organization?.type !== 'secure_internet') return plain
    const lists = await this.#current().catch((error: unknown) => {
      this.#failed(error)
      return undefined
    })
    if (lists === undefined) return plain
    const soon = AbortSignal.any([signal, AbortSignal.timeout(longestBeforeLoginMs)])
    const refreshed = this.#refresh([lists.servers, lists.organizations], 0, soon)
    const problem = await refreshed.catch((error: unknown) => error)
    if (problem !== undefined) this.#failed(problem)
    const home = locationsOf(await lists.servers.last()).find(({ baseUrl }) => isSameServer(baseUrl, address))
    const template = home?.authenticationTemplate
    if (template === undefined) return plain
    const { orgId } = organization
    return (returnTo) => fillLoginTemplate(template, { returnTo, orgId }) ?? returnTo
  }

  /** Keeps the list of servers fresh, now and each hour, with this timer; returns how to stop it. */
  watch(every: Timer): () => void {
    const run = (): void => {
      this.#refreshServers().catch(this.#failed)
    }
    run()
    return every(hourMs, run)
  }

  async #refreshServers(): Promise<void> {
    const lists = await this.#current()
    const problem = lists && (await this.#refresh([lists.servers], 0, undefined))
    if (problem !== undefined) throw problem
  }

  /** Fetches those that are older; returns why one couldn't be. Throws `http/cancelled`. */
  async #refresh(
    lists: readonly Pick<SignedList<never>, 'age' | 'refresh'>[],
    maxAgeMs: number,
    signal: AbortSignal | undefined,
  ): Promise<CausewayError | undefined> {
    const old = lists.filter((list) => {
      const age = list.age()
      return age === undefined || age < 0 || age >= maxAgeMs
    })
    if (old.length === 0) return undefined
    const problems = await Promise.all(old.map((list) => problemOf(list.refresh(signal))))
    if (signal?.aborted === true) throw requestCancelled()
    this.#changes.emit()
    return problems.find((problem) => problem !== undefined)
  }

  async #required(): Promise<Lists> {
    const lists = await this.#current()
    if (lists !== undefined) return lists
    throw new CausewayError('organization-list/not-configured')
  }

  /** The lists of the source that is configured now. */
  async #current(): Promise<Lists | undefined> {
    const configured = await this.#options.source()
    if (configured === undefined) return undefined
    const name = JSON.stringify(configured)
    if (this.#lists?.name !== name)
      this.#lists = this.#open(name, parseListSource('organization-list', configured))
    return this.#lists
  }

  #open(name: string, source: ListSource): Lists {
    const { http, dataDirectory, now, reporter } = this.#options
    const shared = {
      source,
      http,
      dataDirectory,
      now,
      onUnverified: this.#failed,
      reporter,
    }
    return {
      name,
      servers: new SignedList({ ...shared, name: 'server_list.json', parse: parseServerList }),
      organizations: new SignedList({
        ...shared,
        name: 'organization_list.json',
        parse: parseOrganizationList,
      }),
    }
  }

  #indexOf(
    servers: ServerList | undefined,
    organizations: OrganizationList | undefined,
  ): SearchIndex<SearchResult> {
    const of = [servers, organizations]
    if (this.#index === undefined || this.#index.of.some((list, at) => list !== of[at])) {
      this.#index = {
        of,
        index: new SearchIndex<SearchResult>([
          ...institutesOf(servers).map((server) => ({ ...server, id: server.baseUrl })),
          ...(organizations?.organizations ?? []).map((organization) => ({
            ...organization,
            type: 'secure_internet' as const,
            id: organization.orgId,
          })),
        ]),
      }
    }
    return this.#index.index
  }
}

/** Other errors than our own are thrown. */
async function problemOf(work: Promise<void>): Promise<CausewayError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof CausewayError) return error
    throw error
  }
}

function institutesOf(list: ServerList | undefined): readonly InstituteServer[] {
  return list?.servers.filter((server) => server.type === 'institute_access') ?? []
}

function locationsOf(list: ServerList | undefined): readonly SecureInternetServer[] {
  return list?.servers.filter((server) => server.type === 'secure_internet') ?? []
}

/** The entries with an address of the same organization as this domain. */
async function atDomain(all: readonly SearchResult[], domain: string): Promise<readonly SearchResult[]> {
  const organization = (await organizationOf(domain)) ?? domain
  return all.filter((each) => {
    const address = each.type === 'secure_internet' ? each.orgId : each.baseUrl
    if (!URL.canParse(address)) return false
    return `.${new URL(address).hostname}`.endsWith(`.${organization}`)
  })
}

function toLocation({ baseUrl, countryCode }: SecureInternetServer): Location {
  return { address: baseUrl, countryCode }
}

/** The same server, else another one in the same country. */
function presentLocation(
  locations: readonly SecureInternetServer[],
  { address, countryCode }: Location,
): SecureInternetServer | undefined {
  const inCountry = locations.filter((each) => each.countryCode === countryCode)
  return inCountry.find(({ baseUrl }) => baseUrl === address) ?? inCountry[0]
}

function locationIn(
  locations: readonly SecureInternetServer[],
  countryOrAddress: string,
): SecureInternetServer {
  const wanted = countryOrAddress.trim()
  const found =
    locations.find(({ baseUrl }) => baseUrl === wanted) ??
    locations.find(({ countryCode }) => countryCode === wanted.toUpperCase())
  if (found === undefined) throw unknownLocation(locations.map((each) => each.countryCode))
  return found
}

function isSameServer(one: string, other: string): boolean {
  return parseAddress(one).id === parseAddress(other).id
}

function unknownLocation(countries: readonly string[]): CausewayError {
  return new CausewayError('organization-list/unknown-location', {
    variant: countries.length === 0 ? 'no-choice' : undefined,
    details: { countries },
  })
}
