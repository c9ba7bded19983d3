import { watch as watchFile } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

/** Longer than any line of OpenVPN's. */
const maxLineCharacters = 16_384

/** Tells of changes to a file until it is closed; it may also tell of none. */
export type WatchFile = (file: string, onChange: () => void) => { close(): void }

export interface FollowOptions {
  /** Settles when nobody writes to the file any more. */
  readonly ended: Promise<unknown>
  /** The file cannot be read, or holds more than `maxBytes`: there will be no more lines. Called at most once. */
  readonly onTrouble: () => void
  /** Default 64 MiB. */
  readonly maxBytes?: number
  /** How often to look without being told, in milliseconds; default 200. */
  readonly lookMs?: number
  readonly watch?: WatchFile
}

/**
 * Calls back with each line of a file that another process writes, from its beginning; resolves when it has ended and
 * all is read. Never rejects. Of a line that is far too long only the beginning is told.
 *
 * It does not rely on being told of changes: Windows tells of what is written to a file only when that is closed, or
 * somebody opens it (nodejs/node#36888). To look is one read that finds nothing.
 */
export async function followLogFile(
  file: string,
  onLine: (line: string) => void,
  { ended, onTrouble, maxBytes = 67_108_864, lookMs = 200, watch = watchForChanges }: FollowOptions,
): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch {
    onTrouble()
    await ended
    return
  }
  const lines = createLineReader(onLine)
  const buffer = Buffer.alloc(65_536)
  let offset = 0
  let isTrouble = false
  let isWanted = false
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    while (isWanted && !isTrouble) {
      isWanted = false
      try {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
        offset += bytesRead
        lines.add(buffer.subarray(0, bytesRead))
        isWanted ||= bytesRead > 0
        isTrouble = offset > maxBytes
      } catch {
        isTrouble = true
      }
      if (isTrouble) onTrouble()
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
    // The timer goes on looking.
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
