import { watch as watchFile } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

/** Longer than any line of OpenVPN. */
const maxLineCharacters = 16_384

/** Reports changes of a file until it is closed; reports may be missing. */
type WatchFile = (file: string, onChange: () => void) => { close(): void }

export interface FollowOptions {
  /** Settles when no process writes to the file any more. */
  readonly ended: Promise<unknown>
  /** Called at most once, if the file cannot be read or exceeds `maxBytes`: there are no more lines. */
  readonly onFailure: () => void
  /** Default 64 MiB. */
  readonly maxBytes?: number
  /** Interval of reading without a reported change, in milliseconds; default 200. */
  readonly lookMs?: number
  readonly watch?: WatchFile
}

/**
 * Calls back with each line of a file that another process writes, from its beginning; resolves when the writer has ended
 * and everything is read. Never rejects. Truncates lines that are far too long.
 *
 * Does not rely on reported changes: Windows reports them only when the file is closed or opened (nodejs/node#36888).
 * Polling costs one read without data.
 */
export async function followLogFile(
  file: string,
  onLine: (line: string) => void,
  { ended, onFailure, maxBytes = 67_108_864, lookMs = 200, watch = watchForChanges }: FollowOptions,
): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch {
    onFailure()
    await ended
    return
  }
  const lines = createLineReader(onLine)
  const buffer = Buffer.alloc(65_536)
  let offset = 0
  let hasFailed = false
  let isWanted = false
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    while (isWanted && !hasFailed) {
      isWanted = false
      try {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
        offset += bytesRead
        lines.add(buffer.subarray(0, bytesRead))
        isWanted ||= bytesRead > 0
        hasFailed = offset > maxBytes
      } catch {
        hasFailed = true
      }
      if (hasFailed) onFailure()
    }
    reading = undefined
  }
  const look = (): Promise<void> => {
    isWanted = true
    reading ??= read()
    return reading
  }

  const watcher = watch(file, () => void look())
  const timer = setInterval(() => void look(), lookMs)
  await look()
  await ended
  watcher.close()
  clearInterval(timer)
  await look()
  lines.end()
  await handle.close().catch(() => undefined)
}

function watchForChanges(file: string, onChange: () => void): { close(): void } {
  try {
    const watcher = watchFile(file, { persistent: false }, onChange)
    // The timer keeps reading.
    watcher.on('error', () => undefined)
    return watcher
  } catch {
    return { close: () => undefined }
  }
}

function createLineReader(onLine: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  const add = (text: string): void => {
    const [first = '', ...others] = text.split('\n')
    begun = grown(begun, first)
    for (const next of others) {
      tell()
      begun = grown('', next)
    }
  }
  const tell = (): void => {
    const line = begun.replace(/\r$/, '')
    begun = ''
    if (line !== '') onLine(line)
  }
  return {
    add: (bytes: Buffer) => {
      add(decoder.write(bytes))
    },
    end: () => {
      add(decoder.end())
      tell()
    },
  }
}

function grown(begun: string, more: string): string {
  return begun.length < maxLineCharacters ? (begun + more).slice(0, maxLineCharacters) : begun
}
