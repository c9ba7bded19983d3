import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AdjustableClock } from '../clock'
import type { Environment } from '../state/environment'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'

/** Creates a temporary directory; `remove` deletes it. */
export function temporaryDirectory(): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-mock-storage-'))
  return {
    directory,
    remove: () => {
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Returns an environment whose clock stands still and whose rows are in memory; files go to `dataDir`. */
export function testEnvironment(dataDir: string | undefined): Environment {
  let offset = 0
  const now = new Date('2026-11-20T12:00:00Z')
  const kept = {
    get: () => offset,
    set: (offsetMs: number) => {
      offset = offsetMs
    },
  }
  return {
    clock: new AdjustableClock({ now: () => now }, kept),
    persistence: inMemory,
    dataDir,
    seed: 1,
    ids: new SeededBytes(inMemory, 'ids', 1),
    secrets: new SeededBytes(inMemory, 'secrets', 1),
    origin: () => 'http://127.0.0.1:1',
  }
}
