import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { CausewayError } from '../../errors'
import { editableText } from '../../../contract/safe-text'
import { openRegularFile } from '../../platform/storage/regular-file'

/** A file with its size and version at one time. */
interface LocalFile {
  readonly path: string
  readonly size: number
  /** Changes whenever the content does. */
  readonly version: string
}

/**
 * Reads the size and version of a file. Throws `attachments/file-unreadable` with `details.reason`: `missing`, `directory`,
 * `not-a-file`, `not-permitted`, `failed`.
 */
export async function inspectFile(path: string): Promise<LocalFile> {
  try {
    const handle = await openRegularFile(path)
    try {
      const found = await handle.stat({ bigint: true })
      // The kernel makes the content of such a file when it is read, and says that it is empty.
      if (found.size === 0n && (await handle.read(Buffer.alloc(1), 0, 1)).bytesRead > 0)
        throw unreadable('not-a-file')
      return { path, size: Number(found.size), version: versionOf(found) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw asUnreadable(error)
  }
}

const chunkBytes = 512 * 1024

/**
 * Reads the content of a file. A chunk is valid until the next one is asked for: two buffers take turns, one being read into
 * while the other is sent, because new ones for each chunk cost five times as much processor time. Yields the last chunk only
 * if the file is unchanged, so that a mix of two versions is never complete. Throws `attachments/file-changed`
 * (`details.reason`: `vanished`, `changed`) and `attachments/file-unreadable`.
 */
export async function* readUnchanged(file: LocalFile): AsyncGenerator<Uint8Array> {
  let bytesLeft = file.size
  try {
    if (bytesLeft > 0) {
      const handle = await openRegularFile(file.path)
      let reading: Promise<Uint8Array> | undefined
      try {
        const length = Math.min(chunkBytes, bytesLeft)
        const buffers = [Buffer.allocUnsafeSlow(length), Buffer.allocUnsafeSlow(length)] as const
        const read = async (into: Buffer, most: number) =>
          into.subarray(0, (await handle.read(into, 0, Math.min(length, most))).bytesRead)
        reading = read(buffers[0], bytesLeft)
        for (let turn = 1; bytesLeft > 0; turn += 1) {
          const chunk = await reading
          if (chunk.byteLength === 0) break
          bytesLeft -= chunk.byteLength
          if (bytesLeft === 0) await requireUnchanged(file)
          else reading = read(turn % 2 === 0 ? buffers[0] : buffers[1], bytesLeft)
          yield chunk
        }
      } finally {
        // A file that is closed while it is read would be another one's.
        await reading?.catch(() => undefined)
        await handle.close()
      }
    }
  } catch (error) {
    throw asUnreadable(error)
  }
  if (bytesLeft > 0) throw changed('changed')
  if (file.size === 0) await requireUnchanged(file)
}

async function requireUnchanged(file: LocalFile): Promise<void> {
  const now = await stat(file.path, { bigint: true }).catch(() => undefined)
  if (now === undefined) throw changed('vanished')
  if (versionOf(now) !== file.version) throw changed('changed')
}

function versionOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(' ')
}

/** Returns a title: the name of the file without its extension. */
export function titleOf(path: string): string {
  return editableText(parse(path).name)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
}

/** Returns the extension in lower case without the dot. Throws `attachments/extension-needed` for a name without one. */
export function extensionOf(path: string): string {
  const extension = parse(path).ext.slice(1).toLowerCase()
  if (extension !== '') return extension
  throw new CausewayError('attachments/extension-needed')
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EISDIR: 'directory',
  'not-a-file': 'not-a-file',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
}

function unreadable(reason: string, cause?: unknown): CausewayError {
  return new CausewayError('attachments/file-unreadable', {
    details: { reason },
    cause,
  })
}

function asUnreadable(error: unknown): unknown {
  if (error instanceof CausewayError || !(error instanceof Error) || !('code' in error)) return error
  return unreadable(reasons[String(error.code)] ?? 'failed', error)
}

function changed(reason: 'vanished' | 'changed'): CausewayError {
  return new CausewayError('attachments/file-changed', { details: { reason } })
}
