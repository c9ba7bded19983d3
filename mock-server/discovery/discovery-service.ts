import { z } from 'zod'
import {
  listedOrganizations,
  listedServers,
  type ListedAddresses,
  type ListedOrganization,
  type ListedServer,
} from '../seed/discovery'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/single'
import { MinisignKey, minisignKeyBytes, type MinisignAlgorithm } from './minisign'

/** The files of the discovery server. */
export const listNames = ['server_list.json', 'organization_list.json'] as const
type ListName = (typeof listNames)[number]

/** The contents of both lists. */
export interface Lists {
  servers: ListedServer[]
  organizations: ListedOrganization[]
}

/** The values in the trusted comment of a signature. */
interface CommentFields {
  timestamp: number
  file: ListName
}

/** Faults of the lists and their signatures, set by a scenario. */
export interface DiscoverySituation {
  /** Added to `v`. */
  versionChange?: number
  changeLists?: (lists: Lists) => Lists
  algorithm?: MinisignAlgorithm
  /** Signs with another key, with its own id or with that of the real key. */
  otherKey?: 'own id' | 'forged id'
  /** Returns the trusted comment, which is signed. */
  comment?: (fields: CommentFields) => string
  /** Changes the signature; undefined removes it. */
  changeSignature?: (text: string) => string | undefined
  /** Changes the list after signing. */
  changeFile?: (text: string) => string
}

/** A file and its modification time. */
export interface ServedFile {
  text: string
  lastModified: Date
}

const daySeconds = 24 * 60 * 60
/** The paths of the locations' portals below the origin. */
const locationPaths = { nl: '/nl/', de: '/de/' }

/** The discovery server: signed lists of servers and organizations (api-v3-facts.md, section 9). */
export class DiscoveryService implements Part {
  readonly #environment: Environment
  readonly #keyBytes: Single<string>
  readonly #seededAt: Single<number>
  #situation: DiscoverySituation = {}
  /** The number of changes to the lists, so that each change gets a different time. */
  #revision = 0

  constructor(environment: Environment) {
    const { persistence, secrets } = environment
    this.#environment = environment
    this.#seededAt = new Single(persistence, 'discovery-seeded-at', z.int(), 0)
    this.#keyBytes = new Single(persistence, 'discovery-keys', z.hex(), '')
    if (this.#keyBytes.get() === '') {
      this.#keyBytes.set(secrets.next('discovery-keys', 2 * minisignKeyBytes).toString('hex'))
    }
  }

  set situation(situation: DiscoverySituation) {
    this.#situation = situation
    this.#revision += 1
  }

  /** The address of the lists, with its final slash. */
  get url(): string {
    return `${this.#environment.origin()}/discovery/`
  }

  /** The key that clients must trust. */
  get publicKey(): string {
    return this.#key(0).publicKey
  }

  get organizationIds(): string[] {
    return this.#lists().organizations.map(({ org_id }) => org_id)
  }

  /** Returns the bytes of a list, which may not match its signature during a fault. */
  list(name: ListName): ServedFile {
    const text = this.#signedText(name)
    return this.#served(this.#situation.changeFile?.(text) ?? text)
  }

  /** Returns the signature of a list; undefined if a fault removed it. */
  signature(name: ListName): ServedFile | undefined {
    const { algorithm = 'ED', comment = usualComment, changeSignature } = this.#situation
    const timestamp = this.#version
    const fields = { timestamp, file: name }
    const trustedComment =
      comment === usualComment
        ? usualComment(fields) + (algorithm === 'ED' ? '\thashed' : '')
        : comment(fields)
    const text = this.#signingKey().sign(Buffer.from(this.#signedText(name)), algorithm, trustedComment)
    const changed = changeSignature === undefined ? text : changeSignature(text)
    return changed === undefined ? undefined : this.#served(changed)
  }

  reset(): void {
    this.#seededAt.set(Math.floor(this.#environment.clock.now().getTime() / 1000))
  }

  revertScenario(): void {
    if (Object.keys(this.#situation).length > 0) this.situation = {}
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }

  /** `v`, in seconds since 1970: the day before the seed, so that lists of later times can follow. */
  get #version(): number {
    return this.#seededAt.get() - daySeconds + (this.#situation.versionChange ?? 0)
  }

  #served(text: string): ServedFile {
    return { text, lastModified: new Date((this.#seededAt.get() - daySeconds + this.#revision) * 1000) }
  }

  #lists(): Lists {
    const origin = this.#environment.origin()
    const addresses: ListedAddresses = {
      institute: `${origin}/`,
      nl: `${origin}${locationPaths.nl}`,
      de: `${origin}${locationPaths.de}`,
      skipWayf: `${this.url}skip-wayf`,
    }
    const lists = { servers: listedServers(addresses), organizations: listedOrganizations(addresses) }
    return this.#situation.changeLists?.(lists) ?? lists
  }

  #signedText(name: ListName): string {
    const { servers, organizations } = this.#lists()
    const v = this.#version
    return name === 'server_list.json'
      ? JSON.stringify({ v, server_list: servers })
      : JSON.stringify({ v, organization_list: organizations })
  }

  #signingKey(): MinisignKey {
    const { otherKey } = this.#situation
    if (otherKey === undefined) return this.#key(0)
    return otherKey === 'own id' ? this.#key(1) : this.#key(1, this.#key(0).id)
  }

  #key(index: 0 | 1, id?: Buffer): MinisignKey {
    const bytes = Buffer.from(this.#keyBytes.get(), 'hex')
    return new MinisignKey(bytes.subarray(index * minisignKeyBytes, (index + 1) * minisignKeyBytes), id)
  }
}

const usualComment = ({ timestamp, file }: CommentFields) => `timestamp:${timestamp}\tfile:${file}`
