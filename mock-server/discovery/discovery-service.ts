import { z } from 'zod'
import { createHash, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ListedAddresses,
  type ListedOrganization,
  listedOrganizations,
  type ListedServer,
  listedServers,
  listSchemas as lists,
} from '../seed/discovery'
import { filledText } from '../seed/random'
import { type Environment, type Part, secretOf } from '../state/environment'
import { Single } from '../state/collection'
import { rawKeyBytes, rawKeyPair, rawPublicKey } from '../vpn/ec-key'
import { sendJson } from '../http/answer'
import { addRoute, type App } from '../http/app'
import { queryOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn, errorAnswer } from '../schemas'
import { documented } from '../vpn/documented'

const keyIdBytes = 8
const minisignKeyBytes = keyIdBytes + rawKeyBytes

/** Algorithms of signatures: over the file itself (`Ed`, legacy), or over its BLAKE2b-512 hash (`ED`). */
const minisignAlgorithms = ['Ed', 'ED'] as const

/** A minisign key (api-v3-facts.md, section 9.1). */
interface MinisignKey extends KeyPairKeyObjectResult {
  id: Buffer
}

/** Returns the minisign signature of a file. */
function minisign(
  { id, privateKey }: MinisignKey,
  file: Buffer,
  algorithm: (typeof minisignAlgorithms)[number],
  trustedComment: string,
): string {
  const signed = algorithm === 'Ed' ? file : createHash('blake2b512').update(file).digest()
  const signature = sign(null, signed, privateKey)
  const global = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), privateKey)
  return [
    'untrusted comment: signature from the Causeway mock server',
    Buffer.concat([Buffer.from(algorithm), id, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    global.toString('base64'),
    '',
  ].join('\n')
}

const listNames = ['server_list.json', 'organization_list.json'] as const
type ListName = (typeof listNames)[number]

interface Lists {
  servers: ListedServer[]
  organizations: ListedOrganization[]
}

export const discoverySituation = z.strictObject({
  /** Added to `v`. */
  versionChange: z.int().exactOptional(),
  contents: z.enum(['new institute', 'no home', 'no location', 'broken template', 'empty']).exactOptional(),
  algorithm: z.enum(minisignAlgorithms).exactOptional(),
  /** Signs with another key, with its own id or with that of the real key. */
  otherKey: z.enum(['own id', 'forged id']).exactOptional(),
  /** The trusted comment, with {timestamp}, {tenYearsLater}, {file} and {otherFile}. */
  comment: z.string().exactOptional(),
  /** Changes the signature after signing. */
  signature: z.enum(['changed comment', 'HTML page', 'missing']).exactOptional(),
  /** Changes the list after signing. */
  file: z.enum(['changed', 'truncated']).exactOptional(),
})
type DiscoverySituation = z.infer<typeof discoverySituation>

const newcomer: ListedServer = {
  server_type: 'institute_access',
  base_url: 'https://vpn.newcomer.example/',
  display_name: { en: 'Newcomer Institute' },
}

const changedLists: Record<NonNullable<DiscoverySituation['contents']>, (lists: Lists) => Lists> = {
  'new institute': ({ servers, organizations }) => ({ servers: [...servers, newcomer], organizations }),
  'no home': ({ servers, organizations }) => ({ servers, organizations: organizations.slice(1) }),
  'no location': ({ servers, organizations }) => ({
    servers: servers.filter(({ country_code }) => country_code !== 'DE'),
    organizations: organizations.filter((one) => !one.secure_internet_home.endsWith('/de/')),
  }),
  'broken template': ({ servers, organizations }) => ({
    organizations,
    servers: servers.map(({ authentication_url_template: template, ...server }) =>
      template === undefined
        ? server
        : { ...server, authentication_url_template: template.replace('@ORG_ID@', 'nothing') },
    ),
  }),
  empty: () => ({ servers: [], organizations: [] }),
}

interface ServedFile {
  text: string
  lastModified: Date
}

const daySeconds = 24 * 60 * 60

/** The discovery server: signed lists of servers and organizations (api-v3-facts.md, section 9). */
export class DiscoveryService implements Part {
  readonly #environment: Environment
  readonly #keyBytes: Buffer
  readonly #seededAt: Single<number>
  #situation: DiscoverySituation = {}
  /** The number of changes to the lists, so that each change gets a different time. */
  #revision = 0

  constructor(environment: Environment) {
    this.#environment = environment
    this.#seededAt = new Single(environment.persistence, 'discovery-seeded-at', z.int(), 0)
    this.#keyBytes = secretOf(environment, 'discovery-keys', 'discovery-keys', 2 * minisignKeyBytes)
  }

  change(situation: DiscoverySituation): void {
    this.#situation = { ...this.#situation, ...situation }
    this.#revision += 1
  }

  get url(): string {
    return `${this.#environment.origin()}${paths.discovery}/`
  }

  /** The public key as minisign prints it, in base64. */
  get publicKey(): string {
    const key = this.#key(0)
    return Buffer.concat([Buffer.from('Ed'), key.id, rawPublicKey(key)]).toString('base64')
  }

  get organizationIds(): string[] {
    return this.#lists().organizations.map(({ org_id }) => org_id)
  }

  /** Returns the bytes of a list, which may not match its signature during a fault. */
  list(name: ListName): ServedFile {
    const text = this.#signedText(name)
    const { file } = this.#situation
    if (file === 'truncated') return this.#served(text.slice(0, text.length / 2))
    return this.#served(file === 'changed' ? text.replace(/(vpn|idp)\.aalberg\./, '$1.attacker.') : text)
  }

  signature(name: ListName): ServedFile | undefined {
    const { algorithm = 'ED', otherKey, signature } = this.#situation
    const usual = `timestamp:{timestamp}\tfile:{file}${algorithm === 'ED' ? '\thashed' : ''}`
    const timestamp = this.#version
    const comment = filledText(this.#situation.comment ?? usual, {
      timestamp,
      tenYearsLater: timestamp + 10 * 365 * daySeconds,
      file: name,
      otherFile: listNames.find((other) => other !== name),
    })
    const key = this.#key(otherKey === undefined ? 0 : 1)
    const { id } = otherKey === 'own id' ? key : this.#key(0)
    const text = minisign({ ...key, id }, Buffer.from(this.#signedText(name)), algorithm, comment)
    if (signature === 'missing') return undefined
    if (signature === 'HTML page')
      return this.#served('<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>')
    const later = (_all: string, time: string) => `timestamp:${Number(time) + 3600}`
    return this.#served(signature === undefined ? text : text.replace(/timestamp:(\d+)/, later))
  }

  reset(): void {
    this.#seededAt.set(Math.floor(this.#environment.clock.now().getTime() / 1000))
  }

  revertScenario(): void {
    if (Object.keys(this.#situation).length > 0) this.#revision += 1
    this.#situation = {}
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
      nl: `${origin}/nl/`,
      de: `${origin}/de/`,
      skipWayf: `${this.url}skip-wayf`,
    }
    const lists = { servers: listedServers(addresses), organizations: listedOrganizations(addresses) }
    const { contents } = this.#situation
    return contents === undefined ? lists : changedLists[contents](lists)
  }

  #signedText(name: ListName): string {
    const { servers, organizations } = this.#lists()
    const list = name === 'server_list.json' ? { server_list: servers } : { organization_list: organizations }
    return JSON.stringify({ v: this.#version, ...list })
  }

  #key(index: 0 | 1): MinisignKey {
    const bytes = this.#keyBytes.subarray(index * minisignKeyBytes, (index + 1) * minisignKeyBytes)
    return {
      id: bytes.subarray(0, keyIdBytes),
      ...rawKeyPair('ed25519', bytes.subarray(keyIdBytes)),
    }
  }
}

const unchanged = z.null().describe('Unchanged since If-Modified-Since')
const skipWayfQuery = z.object({
  returnTo: z.url().describe('The authorization request'),
  orgId: z.string().describe('An org_id of the list of organizations'),
})

/** Serves a file, or 304 if `If-Modified-Since` equals its time, like common web servers. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { text: body, lastModified }: ServedFile,
  contentType: string,
): FastifyReply {
  const time = lastModified.toUTCString()
  reply.header('last-modified', time)
  return request.headers['if-modified-since'] === time
    ? reply.code(304).send()
    : reply.header('content-type', contentType).send(Buffer.from(body))
}

export function addDiscoveryLists(app: App): void {
  for (const name of listNames) {
    for (const path of [`${paths.discovery}/${name}`, `${paths.discovery}//${name}`]) {
      const described = { tags: [tags.discovery], hide: path.includes('//') }
      addRoute(app, 'GET', path, {
        ...described,
        summary: `The signed list ${name}`,
        response: { 200: lists[name].describe('The list'), 304: unchanged },
        handler: (request, reply) =>
          sendFile(request, reply, request.world.discovery.list(name), 'application/json'),
      })
      addRoute(app, 'GET', `${path}.minisig`, {
        ...described,
        summary: `The minisign signature of ${name}`,
        response: {
          200: answerIn('The signature', { 'application/octet-stream': z.string() }),
          304: unchanged,
          404: errorAnswer('There is no such file'),
        },
        handler: (request, reply) => {
          const signature = request.world.discovery.signature(name)
          return signature === undefined
            ? sendJson(reply, 404, { error: 'Not Found' })
            : sendFile(request, reply, signature, 'application/octet-stream')
        },
      })
    }
  }
  addRoute(app, 'GET', `${paths.discovery}/skip-wayf`, {
    tags: [tags.discovery],
    summary: 'Signs in at an organization, without asking for the organization',
    querystring: documented(skipWayfQuery),
    response: {
      302: z.null().describe('A redirect to the authorization request'),
      400: errorAnswer(
        'returnTo is not an authorization request of this portal, or the organization is unknown',
      ),
    },
    handler: (request, reply) => {
      const { returnTo, orgId } = queryOf(request)
      if (typeof returnTo !== 'string' || !returnTo.startsWith(`${request.askedOrigin}${paths.authorize}?`)) {
        return sendJson(reply, 400, { error: 'returnTo must be an authorization request of this portal' })
      }
      if (typeof orgId !== 'string' || !request.world.discovery.organizationIds.includes(orgId)) {
        return sendJson(reply, 400, { error: 'orgId must be an organization of the list' })
      }
      return reply.code(302).header('location', returnTo).send()
    },
  })
}
