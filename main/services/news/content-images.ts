import { createHmac, randomBytes } from 'node:crypto'
import type { FetchedImage, FetchImage } from './fetch-image'

const maxNames = 20_000
const maxKeptBytes = 48 * 1024 * 1024
const maxAtOnce = 6

interface ImageSource {
  readonly imageUrl: string
  readonly baseUrl: string
}

/**
 * Maps the pictures of news to opaque ids, the only names that the window knows them by. Each id stands for an address from
 * an answer of a service. Keeps the most recently shown pictures in memory.
 */
export class ContentImages {
  readonly #fetch: FetchImage
  /** Created at each start, so that no page can predict an id. */
  readonly #key = randomBytes(32)
  readonly #sources = new Map<string, ImageSource>()
  readonly #kept = new Map<string, FetchedImage>()
  readonly #underWay = new Map<string, Promise<FetchedImage | undefined>>()
  readonly #waiting: (() => void)[] = []
  #keptBytes = 0
  #running = 0

  constructor({ fetchImage }: { readonly fetchImage: FetchImage }) {
    this.#fetch = fetchImage
  }

  /** Returns the id of the picture at an address from an answer of the service at `baseUrl`. */
  idOf(imageUrl: string, baseUrl: string): string {
    const id = createHmac('sha256', this.#key)
      .update(JSON.stringify([imageUrl, baseUrl]))
      .digest('hex')
      .slice(0, 40)
    this.#sources.delete(id)
    this.#sources.set(id, { imageUrl, baseUrl })
    for (const oldest of this.#sources.keys()) {
      if (this.#sources.size <= maxNames) break
      this.#sources.delete(oldest)
    }
    return id
  }

  /** Returns the picture with this id, or undefined if there is none to show. Never throws. */
  async image(id: string): Promise<FetchedImage | undefined> {
    const cached = this.#kept.get(id)
    if (cached !== undefined) {
      this.#kept.delete(id)
      this.#kept.set(id, cached)
      return cached
    }
    const source = this.#sources.get(id)
    if (source === undefined) return undefined
    const flight = this.#underWay.get(id) ?? this.#start(id, source)
    return flight
  }

  #start(id: string, source: ImageSource): Promise<FetchedImage | undefined> {
    const flight = this.#inTurn(() => this.#fetch(source)).then((image) => {
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
