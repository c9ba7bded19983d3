import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { NotARegularFile, readRegularFile, replaceFileSync } from '../storage/regular-file'
import { serial } from '../../serial'

const runSchema = z.object({
  program: z.enum(['window', 'terminal']),
  /** ISO 8601, UTC. */
  startedAt: z.string().max(64),
  /** The connection's last state that this run wrote down. */
  state: z.string().max(64),
})

/** A run of Causeway, as its marker tells of it. */
export type Run = z.infer<typeof runSchema>

/** One that was not finished ends in `.new`. */
const markerName = /^(\d{1,10})\.json(\.new)?$/

export interface RunMarkersOptions {
  /** Absolute; one file a process that runs. */
  readonly folder: string
  /** The process that these markers are kept for. */
  readonly pid: number
  readonly isRunning: (pid: number) => boolean
}

/**
 * A file that is there as long as this process runs and has something to lose. One whose process is gone tells that
 * it ended without saying so. Changes are written one after another; all methods throw what the file system throws.
 */
export class RunMarker {
  readonly #options: RunMarkersOptions
  readonly #inTurn = serial()

  constructor(options: RunMarkersOptions) {
    this.#options = options
  }

  /** The runs that ended unexpectedly; each is told of once. */
  takeEnded(): Promise<Run[]> {
    // In turn, so that the marker of this very run is never taken for one that was left behind.
    return this.#inTurn(() => this.#takeEnded())
  }

  set(run: Run): Promise<void> {
    return this.#inTurn(async () => {
      await mkdir(this.#options.folder, { recursive: true, mode: 0o700 })
      // In one step: a run that is killed while it writes has left what it wrote before.
      replaceFileSync(this.#path, JSON.stringify(run))
    })
  }

  clear(): Promise<void> {
    return this.#inTurn(() => rm(this.#path, { force: true }))
  }

  async #takeEnded(): Promise<Run[]> {
    const { folder, pid, isRunning } = this.#options
    const names = await readdir(folder).catch(noneIfMissing)
    const runs: Run[] = []
    for (const name of names) {
      const owner = Number(markerName.exec(name)?.[1])
      if (!Number.isInteger(owner) || (owner !== pid && isRunning(owner))) continue
      const path = join(folder, name)
      const run = runSchema.safeParse(parseJson(await textOf(path)))
      await rm(path, { force: true })
      if (run.success && !name.endsWith('.new')) runs.push(run.data)
    }
    return runs
  }

  get #path(): string {
    return join(this.#options.folder, `${this.#options.pid}.json`)
  }
}

/** Whether a process of this id is there, of whatever user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the text of a marker, or an empty one of what is not a file: it tells of no run, and is removed. */
async function textOf(path: string): Promise<string> {
  try {
    return (await readRegularFile(path)).toString()
  } catch (error) {
    if (error instanceof NotARegularFile) return ''
    throw error
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** The parsed JSON, or undefined, which no run is: a marker may have been cut off by the end it tells of. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
