import { parseJson } from '../../json'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { reasonOf } from '../storage/file-system-error'
import { NotARegularFile, readRegularFile, replaceFile } from '../storage/regular-file'
import { replaceWhileInUse } from '../storage/while-in-use'
import { serial } from '../../serial'
import { makeFolder } from '../storage/make-folder'
import { whileAnswering } from '../storage/while-answering'

const runSchema = z.object({
  program: z.enum(['window', 'terminal']),
  /** ISO 8601, UTC. */
  startedAt: z.string().max(64),
  /** The last connection state that this run recorded. */
  state: z.string().max(64),
})

/** A run of Causeway, as recorded in its marker. */
export type Run = z.infer<typeof runSchema>

/** Unfinished markers end in `.new`; a process that reports a marker first adds its own id. */
const markerName = /^(\d{1,10})\.json(?:\.new|\.claimed-(\d{1,10}))?$/

interface RunMarkersOptions {
  /** Absolute path; contains one file for each running process. */
  readonly folder: string
  /** The process that owns the marker. */
  readonly pid: number
  readonly isRunning: (pid: number) => boolean
}

/**
 * A file that exists while this process runs and has something to lose. A marker without its process shows that the process
 * ended unexpectedly. Changes are written in sequence; all methods throw the errors of the file system,
 * and `data/not-responding`.
 */
export class RunMarker {
  readonly #options: RunMarkersOptions
  readonly #inTurn = serial()

  constructor(options: RunMarkersOptions) {
    this.#options = options
  }

  /** Returns the runs that ended unexpectedly. Each is returned once, also if several processes start at the same time. */
  takeEnded(): Promise<Run[]> {
    // In sequence, so that the marker of this run is never mistaken for one that was left behind.
    return this.#answered(() => this.#takeEnded())
  }

  set(run: Run): Promise<void> {
    return this.#answered(async () => {
      await makeFolder(this.#options.folder)
      // In one step: a run that is killed while writing keeps its previous marker.
      await replaceWhileInUse(() => replaceFile(this.#path, JSON.stringify(run)))
    })
  }

  clear(): Promise<void> {
    return this.#answered(() => replaceWhileInUse(() => rm(this.#path, { force: true })))
  }

  #answered<T>(work: () => Promise<T>): Promise<T> {
    return whileAnswering(this.#path, () => this.#inTurn(work))
  }

  async #takeEnded(): Promise<Run[]> {
    const { folder, pid, isRunning } = this.#options
    const names = await readdir(folder).catch(noneIfMissing)
    const runs: Run[] = []
    for (const name of names) {
      const [, ended, claimedBy = ended] = markerName.exec(name) ?? []
      const owner = Number(claimedBy)
      if (!Number.isInteger(owner) || (owner !== pid && isRunning(owner))) continue
      const path = join(folder, name)
      const claimed = join(folder, `${String(ended)}.json.claimed-${pid}`)
      if (name.endsWith('.new')) await rm(path, { force: true })
      else if (await isMoved(path, claimed)) runs.push(...(await takeRun(claimed)))
    }
    return runs
  }

  get #path(): string {
    return join(this.#options.folder, `${this.#options.pid}.json`)
  }
}

/** Moves a marker; returns false if another process was first. */
async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await replaceWhileInUse(() => rename(from, to))
    return true
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Removes a marker, and returns its run if it can be read. */
async function takeRun(path: string): Promise<Run[]> {
  const run = runSchema.safeParse(parseJson(await textOf(path)))
  await rm(path, { force: true })
  return run.success ? [run.data] : []
}

/** Returns the text of a marker, or an empty text for anything but a file, which is then removed. */
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
