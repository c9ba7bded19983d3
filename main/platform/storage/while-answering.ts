import { dirname, sep } from 'node:path'
import { CausewayError } from '../../errors'
import { after } from '../../timer'
import { silentPlace } from '../child-process/silent-place'

interface AnsweringOptions {
  /** How long the work may take before the folder is asked, in milliseconds, and how long it may take in all. */
  readonly askAfterMs?: number
  readonly limitMs?: number
  readonly silentPlace?: (paths: readonly string[]) => Promise<string | undefined>
}

/** The folders that gave no answer the last time. Nothing waits at length for what is in them until they do. */
const silent = new Set<string>()

function silentAround(folder: string): string[] {
  return [...silent].filter((each) => folder === each || folder.startsWith(each + sep))
}

function isSilent(folder: string): boolean {
  return silentAround(folder).length > 0
}

/** The questions that have no answer yet. */
const pending = new Map<string, Promise<string | undefined>>()

/** Asks a folder, once at a time. */
function askOnce(
  folder: string,
  ask: NonNullable<AnsweringOptions['silentPlace']>,
): Promise<string | undefined> {
  const question =
    pending.get(folder) ??
    ask([folder]).finally(() => {
      pending.delete(folder)
    })
  pending.set(folder, question)
  return question
}

/**
 * Returns the result of work with a file. Throws `data/not-responding` if the work takes long and its folder gives no answer to a program
 * either, such as one on a network share that is gone; the work then goes on for ever, in a thread of Node's that keeps
 * the process from ending (`leave`). A disk that is only slow has a minute.
 */
export async function whileAnswering<T>(
  path: string,
  work: () => Promise<T>,
  { askAfterMs = 10_000, limitMs = 60_000, ...options }: AnsweringOptions = {},
): Promise<T> {
  const folder = dirname(path)
  const ask = options.silentPlace ?? ((paths) => silentPlace(paths, { limitMs: 5000 }))
  const stops: (() => void)[] = []
  const givenUp = new Promise<never>((_resolve, reject) => {
    const giveUp = (place = folder): void => {
      silent.add(place)
      reject(new CausewayError('data/not-responding', { details: { path: place } }))
    }
    const askFolder = async (): Promise<void> => {
      if (isSilent(folder)) {
        giveUp()
        return
      }
      // The disk may hold the one above as well, with more that will be asked for.
      const [above, own] = await Promise.all([dirname(folder), folder].map((place) => askOnce(place, ask)))
      if (own !== undefined) giveUp(above ?? own)
    }
    stops.push(
      after(isSilent(folder) ? askAfterMs / 10 : askAfterMs, () => void askFolder().catch(reject)),
      after(limitMs, () => {
        giveUp()
      }),
    )
  })
  // Nobody hears it after the work.
  givenUp.catch(() => undefined)
  try {
    const result = await Promise.race([work(), givenUp])
    for (const each of silentAround(folder)) silent.delete(each)
    return result
  } finally {
    for (const stop of stops) stop()
  }
}
