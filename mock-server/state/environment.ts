import { z } from 'zod'
import type { Clock } from '../clock'
import { Single } from './collection'
import type { Persistence } from './collection'
import type { SeededBytes } from './seeded-bytes'

export interface Environment {
  clock: Clock
  persistence: Persistence
  dataDir: string | undefined
  seed: number
  /** For identifiers and other values that may repeat: a reset restarts them. */
  ids: SeededBytes
  /** For tokens, keys and serial numbers: values never repeat, even after a reset. */
  secrets: SeededBytes
  /** Returns the mock's address for the client that is being answered. Call it before any await. */
  origin(): string
}

export interface Part {
  /** Replaces all data by the seed data. Does not undo scenarios; `revertScenario` does. */
  reset(): void
  /** Undoes the effects of scenarios and control calls, and keeps the data of clients. */
  revertScenario(): void
  close?(): Promise<void>
}

/** Returns a secret of this many bytes, which is made at its first use and kept under this name. */
export function secretOf(
  { persistence, secrets }: Pick<Environment, 'persistence' | 'secrets'>,
  name: string,
  purpose: string,
  bytes: number,
): Buffer {
  const stored = new Single(persistence, name, z.hex(), '')
  if (stored.get() === '') stored.set(secrets.next(purpose, bytes).toString('hex'))
  return Buffer.from(stored.get(), 'hex')
}
