import type { Clock } from '../clock'
import type { Persistence } from './persistence'
import type { SeededBytes } from './seeded-bytes'

/** What every part of the mock stands on. */
export interface Environment {
  clock: Clock
  persistence: Persistence
  /** The directory that was given for what lasts, for parts that keep files there; undefined without one. */
  dataDir: string | undefined
  seed: number
  /** For identifiers and other things that may come again: they begin anew with a reset. */
  ids: SeededBytes
  /** For tokens, keys and serial numbers: a reset never brings back one that was handed out before it. */
  secrets: SeededBytes
  /** The address of the mock, without a slash at its end. Known once it listens, so not while a part is made. */
  origin(): string
}

/** One document's part of the mock: what it holds. */
export interface Part {
  /** Forgets everything and fills itself with the seed data. Does not take back a situation: `settle` does. */
  reset(): void
  /** Takes back whatever a scenario or control call made go wrong, and forgets nothing that clients did. */
  settle(): void
  /** Ends timers and removes temporary files. */
  close(): Promise<void>
}
