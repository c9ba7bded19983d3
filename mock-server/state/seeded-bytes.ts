import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Collection } from './collection'
import type { Persistence } from './collection'

/** Pseudorandom bytes, determined by the seed and the calls so far. Every purpose has its own sequence. */
export class SeededBytes {
  readonly #seed: number
  readonly #name: string
  readonly #counters: Collection<number>

  constructor(persistence: Persistence, name: string, seed: number) {
    this.#seed = seed
    this.#name = name
    this.#counters = new Collection(persistence, name, z.int())
  }

  next(purpose: string, length: number): Buffer {
    const count = this.#counters.get(purpose) ?? 0
    this.#counters.set(purpose, count + 1)
    return createHash('shake256', { outputLength: length })
      .update(`${this.#seed}/${this.#name}/${purpose}/${count}`)
      .digest()
  }

  nextUuid(purpose: string): string {
    const bytes = this.next(purpose, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  nextNumber(purpose: string): number {
    return this.next(purpose, 4).readUInt32BE(0) / 2 ** 32
  }

  restart(): void {
    this.#counters.clear()
  }
}
