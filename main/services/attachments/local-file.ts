import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { CausewayError } from '../../errors'
import { withoutReordering } from './file-name'
import { openRegularFile } from '../../platform/storage/regular-file'

/** A file as it was when it was looked at. */
export interface LocalFile {
  readonly path: string
  readonly size: number
  /** What changes with its content. */
  readonly version: string
}

/** Throws `attachments/file-unreadable` with `details.reason`: `missing`, `directory`, `not-a-file`, `not-permitted`, `failed`. */
export async function inspectFile(path: string): Promise<LocalFile> {
  try {
    const handle = await openRegularFile(path)
    try {
      const found = await handle.stat({ bigint: true })
      return { path, size: Number(found.size), version: versionOf(found) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw asUnreadable(error)
  }
}

const chunkBytes = 256 * 1024

/**
 * The content of the file. Its last piece comes only when the file is still what it was, so that nothing half new and
 * half old is ever complete. Throws `attachments/file-changed` (`details.reason`: `vanished`, `changed`) and
 * `attachments/file-unreadable`.
 */
export async function* readUnchanged(file: LocalFile): AsyncGenerator<Uint8Array> {
  let left = file.size
  try {
    if (left > 0) {
      const handle = await openRegularFile(file.path)
      // Closes the file with it.
      const stream = handle.createReadStream({ end: left - 1, highWaterMark: chunkBytes })
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        left -= chunk.byteLength
        if (left === 0) await requireUnchanged(file)
        yield chunk
      }
    }
  } catch (error) {
    throw asUnreadable(error)
  }
  if (left > 0) throw changed('changed')
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

/** The name of a file without its extension, as a title. */
export function titleOf(path: string): string {
  return withoutReordering(parse(path).name)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
}

/** In lower case and without the dot. Throws `attachments/extension-needed` for a name without one. */
export function extensionOf(path: string): string {
  const extension = parse(path).ext.slice(1).toLowerCase()
  if (extension !== '') return extension
  throw new CausewayError(
    'attachments/extension-needed',
    "This file's name has no extension, such as .pdf, and the service requires one. Specify it with --extension.",
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EISDIR: 'directory',
  'not-a-file': 'not-a-file',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
}

const sentences: Readonly<Record<string, string>> = {
  missing: "This file doesn't exist. Check its name.",
  directory: 'This is a folder. Choose a file, or pack the folder into an archive.',
  'not-a-file': "This isn't a regular file. Choose another one.",
  'not-permitted':
    "You don't have permission to read this file. Change its permissions, or choose another file.",
  failed: "This file can't be read. Check the disk that it's on.",
}

function unreadable(reason: string, cause?: unknown): CausewayError {
  return new CausewayError('attachments/file-unreadable', sentences[reason] ?? "This file can't be read.", {
    details: { reason },
    cause,
  })
}

function asUnreadable(error: unknown): unknown {
  if (error instanceof CausewayError || !(error instanceof Error) || !('code' in error)) return error
  return unreadable(reasons[String(error.code)] ?? 'failed', error)
}

function changed(reason: 'vanished' | 'changed'): CausewayError {
  return new CausewayError(
    'attachments/file-changed',
    reason === 'vanished'
      ? 'The file was removed during the upload. Put it back, then upload it again.'
      : 'The file changed during the upload. Wait until nothing is writing to it, then upload it again.',
    { details: { reason } },
  )
}
