import type { Clock } from '../clock'
import type { Persistence } from './persistence'
import type { SeededBytes } from './seeded-bytes'

/** What every part of the mock stands on. */
export interface Environment {
  clock: Clock
  persistence: Persistence
  seed: number
  /** For identifiers and other things that may come again: they begin anew with a reset. */
  ids: SeededBytes
  /** For tokens, keys and serial numbers: a reset never brings back one that was handed out before it. */
  secrets: SeededBytes
  /** The address of the mock, without a slash at its end. Known once it listens. */
  origin(): string
}

/** A part of the mock that holds something and can go back to the seed. */
export interface Resettable {
  /** Forgets everything and fills itself with the seed data. */
  reset(): void
}
