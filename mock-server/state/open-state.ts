import { z } from 'zod'
import { inMemory, type Persistence } from './persistence'
import { Single } from './single'
import { inDirectory } from './sqlite'

/**
 * Opens what the mock holds: in a directory, or in memory without one. A directory keeps the seed that it was made
 * with; throws when another one is asked for, since the two would mix.
 */
export function openState(options: { dataDir?: string | undefined; seed?: number | undefined }): {
  persistence: Persistence
  seed: number
} {
  const persistence = options.dataDir === undefined ? inMemory : inDirectory(options.dataDir)
  const kept = new Single(persistence, 'seed', z.int().nullable(), null)
  const seed = kept.get() ?? options.seed ?? 1
  if (options.seed !== undefined && options.seed !== seed) {
    persistence.close()
    throw new Error(
      `The data directory was made with --seed ${seed}. Leave --seed out, or use another directory.`,
    )
  }
  kept.set(seed)
  return { persistence, seed }
}
