import { z } from 'zod'
import { inMemory, type Persistence } from './persistence'
import { Single } from './collection'
import { inDirectory } from './sqlite'

/**
 * Opens the state of the mock, in a directory or in memory. A directory keeps its seed; throws an Error for another
 * seed, because the data would mix.
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
