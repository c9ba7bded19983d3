import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { paths } from '../paths'
import { int, orNull } from '../schemas'
import type { Environment } from '../state/environment'
import { Collection, Single } from '../state/collection'
import { countdown, flag, switchDefinitions, Switches } from '../state/switches'
import { Topic } from '../topic/topic'
import { ObjectFiles, tooLarge } from './object-files'
import { type Grant, grantOf, type SignedQuery, signedQuery } from './pre-signed-url'
import { StorageError } from './storage-error'

const storedObjectSchema = z.object({
  /** Entity tag with its quotes. */
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

export const storageSwitches = switchDefinitions({
  full: flag('Refuses uploads with 507.'),
  empty: flag('Answers 404 for every file.'),
  urlLifetimeSeconds: int(0, 1e9)
    .describe('The lifetime of new pre-signed URLs; with 0 they have expired from the start.')
    .default(3600),
  uploadBytesPerSecond: orNull(int(1, 1e12), 'The speed at which uploads are read; null for no limit.'),
  earlyRefusals: countdown(
    'The next uploads to answer 403 before they are read, and to close their connections.',
  ),
  oneCredential: flag('Answers 400 to an Authorization header beside the signature of a URL, as S3 does.'),
})

const maxBytesOfS3 = 5 * 1024 ** 3

/** Objects by key, accessed through pre-signed URLs. Publishes uploads on a topic. */
export class ObjectStorage {
  readonly uploads: Topic
  maxBytes = maxBytesOfS3
  readonly switches = new Switches(storageSwitches)
  readonly #environment: Environment
  readonly #objects: Collection<StoredObject>
  readonly #secret: Single<string>
  readonly #files: ObjectFiles
  readonly #pending = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(environment: Environment) {
    const { persistence } = environment
    this.#environment = environment
    this.#objects = new Collection(persistence, 'storage-objects', storedObjectSchema)
    this.#secret = new Single(persistence, 'storage-secret', z.string(), '')
    this.#files = new ObjectFiles(environment.dataDir)
    const named = this.#objects
      .values()
      .flatMap(({ content }) => (content.in === 'file' ? [content.name] : []))
    this.#files.removeAllBut(new Set(named))
    this.uploads = new Topic(environment)
  }

  /** Expiry of URLs that are signed now, in Unix seconds. */
  get urlExpiry(): number {
    return (
      Math.floor(this.#environment.clock.now().getTime() / 1000) + this.switches.values.urlLifetimeSeconds
    )
  }

  preSignedUrl(grant: Omit<Grant, 'expires'>): string {
    // A URL cannot hold the lone surrogates of a title, so the signature must cover the converted name.
    const fileName = Buffer.from(grant.fileName).toString()
    const query = signedQuery(this.#secret.get(), { ...grant, fileName, expires: this.urlExpiry })
    const path = grant.key.split('/').map(encodeURIComponent).join('/')
    return `${this.#environment.origin()}${paths.storage}/${path}?${query}`
  }

  grantOf(request: { method: string; key: string; query: SignedQuery }): Grant {
    return grantOf(this.#secret.get(), { ...request, now: this.#environment.clock.now() })
  }

  /** Stores a body, publishes it, and returns the entity tag. Rejects with a StorageError: 400, 413 or 507. */
  async put(grant: Grant, body: AsyncIterable<Buffer>, announcedBytes = 0): Promise<string> {
    if (this.switches.values.full) throw new StorageError(507, 'InsufficientStorage', 'The storage is full.')
    if (announcedBytes > this.maxBytes) throw tooLarge(this.maxBytes)
    const upload = this.#receive(grant, body)
    this.#pending.add(upload)
    try {
      return await upload
    } finally {
      this.#pending.delete(upload)
    }
  }

  get(key: string): StoredObject | undefined {
    return this.switches.values.empty ? undefined : this.#objects.get(key)
  }

  /** Returns the bytes from `start` to `end`, both included; undefined if the file is gone. */
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

  seed(key: string, contentType: string, bytes: Buffer, modifiedAt: number): void {
    this.#objects.set(key, {
      etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
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

  reset(): void {
    this.uploads.reset()
    this.#objects.clear()
    this.#files.removeAllBut(new Set())
    this.#secret.set(this.#environment.secrets.next('storage-signature', 32).toString('hex'))
  }

  revertScenario(): void {
    this.switches.revert()
    this.uploads.revertScenario()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.uploads.close()
    await Promise.allSettled(this.#pending)
    this.#files.close()
  }

  async #receive(grant: Grant, body: AsyncIterable<Buffer>): Promise<string> {
    const name = this.#environment.secrets.nextUuid('storage-file')
    const { md5, size } = await this.#files.write(name, this.#paced(body), this.maxBytes)
    const now = this.#environment.clock.now()
    const replaced = this.#objects.get(grant.key)
    const etag = `"${md5}"`
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
      const rate = this.switches.values.uploadBytesPerSecond
      if (rate !== null) await wait((chunk.length / rate) * 1000, undefined, { signal: this.#closing.signal })
      yield chunk
    }
  }
}
