import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Environment } from '../state/environment'
import { Collection } from '../state/collection'
import { Single } from '../state/single'
import { Topic } from '../topic/topic'
import type { Timers } from '../topic/timers'
import { ObjectFiles, tooLarge } from './object-files'
import { grantOf, signedQuery, type Grant, type SignedQuery } from './pre-signed-url'
import { StorageError } from './storage-error'

/** Where the mock serves its object storage. */
export const storagePath = '/storage'

/** What the storage says on the topic `uploads` when a file has arrived. */
export const uploadNotificationSchema = z.object({
  key: z.string(),
  etag: z.string(),
  size: z.int(),
  /** ISO 8601. */
  time: z.string(),
})
export type UploadNotification = z.infer<typeof uploadNotificationSchema>

const storedObjectSchema = z.object({
  /** An entity tag, with its quotes. */
  etag: z.string(),
  size: z.int(),
  contentType: z.string(),
  modifiedAt: z.number(),
  content: z.discriminatedUnion('in', [
    z.object({ in: z.literal('file'), name: z.string() }),
    z.object({ in: z.literal('row'), base64: z.string() }),
  ]),
})
export type StoredObject = z.infer<typeof storedObjectSchema>

/** What goes wrong with the storage. */
export interface StorageSwitches {
  /** Uploads are refused with 507. */
  full: boolean
  /** Every file is missing. */
  empty: boolean
  /** How long pre-signed URLs live; 0 makes them expired from the start. */
  urlLifetimeSeconds: number
  /** How fast uploads are read; null for as fast as they come. */
  uploadBytesPerSecond: number | null
  /** So many of the next uploads are answered 403 before they are read, and their connection is closed. */
  earlyRefusals: number
}

const calm: StorageSwitches = {
  full: false,
  empty: false,
  urlLifetimeSeconds: 3600,
  uploadBytesPerSecond: null,
  earlyRefusals: 0,
}

/** How many URLs are remembered for those who ask again. */
const mostSigned = 1000

/** As in S3, for one PUT. */
const mostBytesOfS3 = 5 * 1024 ** 3

/** What tests set: the size of the largest file, 5 GiB unless given, and the timers of the topic. */
export interface StorageOptions {
  mostBytes?: number
  timers?: Timers
}

/** Objects by key, reached through pre-signed URLs; says on a topic what was uploaded. */
export class ObjectStorage {
  readonly uploads: Topic<UploadNotification>
  readonly mostBytes: number
  #switches = calm
  readonly #environment: Environment
  readonly #objects: Collection<StoredObject>
  readonly #secret: Single<string>
  readonly #files: ObjectFiles
  /** The URLs that were signed with the newest time: lists ask for the same ones again and again. */
  readonly #signed = new Map<string, string>()
  #signedUntil = 0
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(environment: Environment, options: StorageOptions = {}) {
    const { persistence } = environment
    this.#environment = environment
    this.mostBytes = options.mostBytes ?? mostBytesOfS3
    this.#objects = new Collection(persistence, 'storage-objects', storedObjectSchema)
    this.#secret = new Single(persistence, 'storage-secret', z.string(), '')
    this.#files = new ObjectFiles(environment.dataDir)
    this.#files.removeAllBut(this.#fileNames())
    this.uploads = new Topic({
      name: 'uploads',
      payload: uploadNotificationSchema,
      environment,
      ...(options.timers === undefined ? {} : { timers: options.timers }),
    })
  }

  get switches(): StorageSwitches {
    return this.#switches
  }

  /** A URL for one method on one key, alive from now for as long as the switches say. */
  preSignedUrl(grant: Omit<Grant, 'expires'>): string {
    const now = Math.floor(this.#environment.clock.now().getTime() / 1000)
    const expires = now + this.#switches.urlLifetimeSeconds
    if (expires !== this.#signedUntil || this.#signed.size >= mostSigned) this.#signed.clear()
    this.#signedUntil = expires
    const name = JSON.stringify([grant.method, grant.key, grant.contentType, grant.fileName])
    const url = this.#signed.get(name) ?? this.#sign(grant, expires)
    this.#signed.set(name, url)
    return url
  }

  /** The grant of a pre-signed URL. Throws a StorageError, 403, where there is none. */
  grantOf(request: { method: string; key: string; query: SignedQuery }): Grant {
    return grantOf(this.#secret.get(), { ...request, now: this.#environment.clock.now() })
  }

  /**
   * Stores a body under the key of the grant, says so on the topic, and resolves with its entity tag. Rejects with a
   * StorageError, having kept nothing, when it is too large (413), breaks off (400) or has no room (507).
   */
  async put(grant: Grant, body: AsyncIterable<Buffer>, announcedBytes = 0): Promise<string> {
    if (this.#switches.full) throw new StorageError(507, 'InsufficientStorage', 'The storage is full.')
    if (announcedBytes > this.mostBytes) throw tooLarge(this.mostBytes)
    const upload = this.#receive(grant, body)
    this.#underWay.add(upload)
    try {
      return await upload
    } finally {
      this.#underWay.delete(upload)
    }
  }

  get(key: string): StoredObject | undefined {
    return this.#switches.empty ? undefined : this.#objects.get(key)
  }

  /** The bytes of an object from `start` to `end`, both included, or undefined when its file is gone. */
  async read(object: StoredObject, start: number, end: number): Promise<Readable | undefined> {
    if (object.content.in === 'row') {
      return Readable.from([Buffer.from(object.content.base64, 'base64').subarray(start, end + 1)])
    }
    const file = await this.#files.read(object.content.name)
    if (file === undefined || object.size === 0) {
      await file?.close()
      return file === undefined ? undefined : Readable.from([])
    }
    return file.createReadStream({ start, end })
  }

  /** Stores a small object of the seed, without a word to anyone. */
  seed(key: string, contentType: string, bytes: Buffer, modifiedAt: number): void {
    this.#objects.set(key, {
      etag: etagOf(createHash('md5').update(bytes).digest('hex')),
      size: bytes.length,
      contentType,
      modifiedAt,
      content: { in: 'row', base64: bytes.toString('base64') },
    })
  }

  delete(key: string): void {
    const object = this.#objects.get(key)
    this.#objects.delete(key)
    if (object?.content.in === 'file') this.#files.remove(object.content.name)
  }

  /** Forgets every object, and every pre-signed URL with the secret that signed it. */
  reset(): void {
    this.uploads.reset()
    this.#objects.clear()
    this.#files.removeAllBut(new Set())
    this.#signed.clear()
    this.#secret.set(this.#environment.secrets.next('storage-signature', 32).toString('hex'))
  }

  /** Whether this upload is to be refused before it is read. */
  refusesEarly(): boolean {
    const { earlyRefusals } = this.#switches
    if (earlyRefusals > 0) this.bend({ earlyRefusals: earlyRefusals - 1 })
    return earlyRefusals > 0
  }

  /** Makes things go wrong, or right again. */
  bend(change: Partial<StorageSwitches>): void {
    this.#switches = { ...this.#switches, ...change }
  }

  settle(): void {
    this.#switches = calm
    this.uploads.settle()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.uploads.close()
    await Promise.allSettled(this.#underWay)
    this.#files.close()
  }

  #sign(grant: Omit<Grant, 'expires'>, expires: number): string {
    // A URL has no room for the lone surrogates that a title may hold: what is signed must be what arrives.
    const fileName = Buffer.from(grant.fileName).toString()
    const query = signedQuery(this.#secret.get(), { ...grant, fileName, expires })
    const path = grant.key.split('/').map(encodeURIComponent).join('/')
    return `${this.#environment.origin()}${storagePath}/${path}?${query}`
  }

  async #receive(grant: Grant, body: AsyncIterable<Buffer>): Promise<string> {
    const name = this.#environment.secrets.nextUuid('storage-file')
    const { md5, size } = await this.#files.write(name, this.#paced(body), this.mostBytes)
    const now = this.#environment.clock.now()
    const replaced = this.#objects.get(grant.key)
    const etag = etagOf(md5)
    this.#environment.persistence.together(() => {
      this.#objects.set(grant.key, {
        etag,
        size,
        contentType: grant.contentType,
        modifiedAt: now.getTime(),
        content: { in: 'file', name },
      })
      this.uploads.enqueue({ key: grant.key, etag, size, time: now.toISOString() })
    })
    if (replaced?.content.in === 'file') this.#files.remove(replaced.content.name)
    this.uploads.deliverDue()
    return etag
  }

  async *#paced(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      const rate = this.#switches.uploadBytesPerSecond
      if (rate !== null) await wait((chunk.length / rate) * 1000, undefined, { signal: this.#closing.signal })
      yield chunk
    }
  }

  #fileNames(): Set<string> {
    return new Set(
      this.#objects.values().flatMap(({ content }) => (content.in === 'file' ? [content.name] : [])),
    )
  }
}

function etagOf(md5: string): string {
  return `"${md5}"`
}
