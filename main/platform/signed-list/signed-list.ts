import type { AnswerHeaders } from '../http/answer-headers'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { requestCancelled } from '../http/failure'
import type { HttpClient } from '../http/http-client'
import { SingleFlight } from '../http/single-flight'
import { createJsonFile, type StoredOptions } from '../storage/json-file'
import type { ListArea } from './minisign'
import type { ListSource } from './source'

interface SignedListOptions<List> extends StoredOptions {
  readonly source: ListSource
  /** The file at the source's address, such as `server_list.json`. */
  readonly name: string
  /** Reads a list that came from this address. */
  readonly parse: (json: string, source: URL) => List
  /** Returns whether a list with a higher version takes something back, besides the time of its signature. */
  readonly takesBack?: (before: List, fresh: List) => boolean
  readonly http: HttpClient
  /** Called if the signature of the stored copy isn't valid; the copy is ignored. */
  readonly onUnverified: (error: CausewayError) => void
}

/** A list that was fetched, verified, and stored last. */
interface Copy<List> {
  readonly list: List
  readonly version: number
  /** When it was signed, in seconds since the epoch. */
  readonly timestamp: number
  readonly validators: Validators
}

/** Values of the last answer for the next conditional request. */
type Validators = z.infer<typeof validators>

const validators = z.object({
  lastModified: z.string().max(200).exactOptional(),
  etag: z.string().max(200).exactOptional(),
})
const stored = validators.extend({
  version: z.int().nonnegative(),
  json: z.string(),
  signature: z.string(),
})
const nothing: { readonly list?: z.infer<typeof stored> } = {}
const storedFile = z.object({ list: stored.exactOptional() })

const maxBytes = 16 * 1024 * 1024
const maxSignatureBytes = 8 * 1024
const timeoutMs = 10_000

/** The folders of the data directory that hold the copies. */
const folders: Readonly<Record<ListArea, string>> = {
  'organization-list': 'organization-lists',
  updates: 'updates',
}

/**
 * One signed list: fetched with conditional requests, verified before it is read, and kept on disk as the last good copy.
 * The copy is verified again each time it is loaded. Copies of different sources are kept apart.
 */
export class SignedList<List extends { readonly version: number }> {
  readonly #options: SignedListOptions<List>
  readonly #url: URL
  readonly #file: ReturnType<typeof createJsonFile<{ readonly list?: z.infer<typeof stored> }>>
  readonly #loading = new SingleFlight(() => this.#load(), 'finish')
  readonly #fetching = new SingleFlight((signal) => this.#fetch(signal), 'stop')
  /** Undefined until it was loaded. */
  #copy: { readonly value: Copy<List> | undefined } | undefined
  #fetchedAt: number | undefined

  constructor(options: SignedListOptions<List>) {
    this.#options = options
    const { source, name, dataDirectory, now, reporter } = options
    this.#url = new URL(name, source.url)
    const folder = createHash('sha256').update(source.url).digest('hex').slice(0, 16)
    this.#file = createJsonFile<{ readonly list?: z.infer<typeof stored> }>({
      path: join(dataDirectory, folders[source.area], folder, name),
      schema: storedFile,
      version: 1,
      empty: nothing,
      now,
      reporter,
    })
  }

  /** Returns the last verified copy, if any. Throws `data/unreadable`. */
  async last(): Promise<List | undefined> {
    return (await this.#loaded())?.list
  }

  /** Returns the milliseconds since this process fetched the list; undefined if it hasn't. */
  age(): number | undefined {
    return this.#fetchedAt === undefined ? undefined : this.#options.now().getTime() - this.#fetchedAt
  }

  /**
   * Fetches the list, and stores it if it is newer. Throws `http/*`, `<area>/unavailable`, `<area>/invalid-signature`,
   * `<area>/rolled-back`, `data/*`, and the errors of `parse`; then the copy stays unchanged.
   */
  async refresh(signal?: AbortSignal): Promise<void> {
    await this.#fetching.join(signal, requestCancelled)
  }

  async #loaded(): Promise<Copy<List> | undefined> {
    this.#copy ??= { value: await this.#loading.join(undefined, requestCancelled) }
    return this.#copy.value
  }

  async #load(): Promise<Copy<List> | undefined> {
    const { list } = await this.#file.read()
    if (list === undefined) return undefined
    try {
      return await this.#verified(list.json, list.signature, validators.parse(list))
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error
      this.#options.onUnverified(error)
      return undefined
    }
  }

  async #verified(json: string, signature: string, kept: Validators): Promise<Copy<List>> {
    const { verifyMinisign } = await import('./verify-minisign')
    const { source, name, parse } = this.#options
    const { timestamp } = verifyMinisign(Buffer.from(json), signature, {
      area: source.area,
      keys: source.keys,
      file: name,
      legacy: source.legacy,
    })
    const list = parse(json, this.#url)
    return { list, version: list.version, timestamp, validators: kept }
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    try {
      await this.#fetchOnce(signal)
    } catch (error) {
      if (!(error instanceof CausewayError) || error.details?.reason !== 'signature') throw error
      // A publication between the two requests pairs an earlier list with the signature of the next one.
      await this.#fetchOnce(signal)
    }
  }

  async #fetchOnce(signal: AbortSignal): Promise<void> {
    const { http, now } = this.#options
    // Another process may have stored a newer one.
    const before = await this.#load()
    this.#copy = { value: before }
    const response = await http.send(this.#url, {
      maxBytes,
      timeoutMs,
      signal,
      headers: conditions(before?.validators ?? {}),
    })
    if (response.status === 304 && before !== undefined) {
      this.#fetchedAt = now().getTime()
      return
    }
    if (response.status !== 200) throw this.#unavailable(response.status)
    const signature = await http.send(new URL(`${this.#url.href}.minisig`), {
      maxBytes: maxSignatureBytes,
      timeoutMs,
      signal,
      headers: { accept: '*/*' },
    })
    if (signature.status !== 200) throw this.#unavailable(signature.status)
    const fresh = await this.#verified(response.text, signature.text, validatorsOf(response.headers))
    if (before === undefined || fresh.version > before.version) {
      if (before !== undefined && this.#takesBack(before, fresh)) throw this.#rolledBack(before, fresh)
      await this.#keep(fresh, response.text, signature.text)
    } else if (fresh.version < before.version) {
      throw this.#rolledBack(before, fresh)
    }
    this.#fetchedAt = now().getTime()
  }

  /** Another process may have stored a newer one meanwhile, which stays. */
  async #keep(fresh: Copy<List>, json: string, signature: string): Promise<void> {
    const { version } = fresh
    this.#copy = { value: fresh }
    await this.#file.update((present) =>
      present.list !== undefined && present.list.version > version
        ? present
        : { list: { version, ...fresh.validators, json, signature } },
    )
  }

  #takesBack(before: Copy<List>, fresh: Copy<List>): boolean {
    const { takesBack } = this.#options
    return fresh.timestamp < before.timestamp || takesBack?.(before.list, fresh.list) === true
  }

  #unavailable(status: number): CausewayError {
    const { host } = this.#url
    return new CausewayError(`${this.#options.source.area}/unavailable`, {
      details: { host, list: this.#options.name, status },
    })
  }

  #rolledBack(before: Copy<List>, fresh: Copy<List>): CausewayError {
    const { host } = this.#url
    return new CausewayError(`${this.#options.source.area}/rolled-back`, {
      details: { host, list: this.#options.name, stored: before.version, received: fresh.version },
    })
  }
}

function validatorsOf(headers: AnswerHeaders): Validators {
  return {
    lastModified: headerText(headers.get('last-modified')),
    etag: headerText(headers.get('etag')),
  }
}

function conditions({ lastModified, etag }: Validators): Readonly<Record<string, string>> {
  return {
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  }
}

function headerText(value: string | null): string | undefined {
  return value !== null && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined
}
