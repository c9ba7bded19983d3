import { createHmac, randomBytes } from 'node:crypto'
import type { FetchedImage, FetchImage } from './fetch-image'

const maxNames = 20_000
const maxKeptBytes = 48 * 1024 * 1024
const maxAtOnce = 6

interface Named {
  readonly imageUrl: string
  readonly baseUrl: string
}

/**
 * The pictures of news as the window knows them: by names that say nothing, each for an address that main has read in an
 * answer of a service. Those that were shown last are kept in memory.
 */
export class ContentImages {
  readonly #fetch: FetchImage
  /** New with each start, so that no page can know a name in advance. */
  readonly #key = randomBytes(32)
  readonly #named = new Map<string, Named>()
  readonly #kept = new Map<string, FetchedImage>()
  readonly #underWay = new Map<string, Promise<FetchedImage | undefined>>()
  readonly #waiting: (() => void)[] = []
  #keptBytes = 0
  #running = 0

  constructor({ fetchImage }: { readonly fetchImage: FetchImage }) {
    this.#fetch = fetchImage
  }

  /** The name of the picture at this address, as the service at `baseUrl` gave it. */
  idOf(imageUrl: string, baseUrl: string): string {
    const id = createHmac('sha256', this.#key)
      .update(JSON.stringify([imageUrl, baseUrl]))
      .digest('hex')
      .slice(0, 40)
    this.#named.delete(id)
    this.#named.set(id, { imageUrl, baseUrl })
    for (const oldest of this.#named.keys()) {
      if (this.#named.size <= maxNames) break
      this.#named.delete(oldest)
    }
    return id
  }

  /** The picture of this name; undefined where there is none that can be shown. Never throws. */
  async image(id: string): Promise<FetchedImage | undefined> {
    const kept = this.#kept.get(id)
    if (kept !== undefined) {
      this.#kept.delete(id)
      this.#kept.set(id, kept)
      return kept
    }
    const named = this.#named.get(id)
    if (named === undefined) return undefined
    const flight = this.#underWay.get(id) ?? this.#start(id, named)
    return flight
  }

  #start(id: string, named: Named): Promise<FetchedImage | undefined> {
    const flight = this.#inTurn(() => this.#fetch(named)).then((image) => {
      this.#underWay.delete(id)
      if (image !== undefined) this.#keep(id, image)
      return image
    })
    this.#underWay.set(id, flight)
    return flight
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= maxAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #keep(id: string, image: FetchedImage): void {
    this.#kept.set(id, image)
    this.#keptBytes += image.bytes.length
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= maxKeptBytes) break
      this.#kept.delete(oldest)
      this.#keptBytes -= bytes.length
    }
  }
}
