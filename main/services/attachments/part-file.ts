import type { FileHandle } from 'node:fs/promises'
import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import type { FileHead } from '../../platform/http/file-transport'
import { codingOf } from './decoded-body'

/** The part of a file that has arrived, and the version that it belongs to. */
export class PartFile {
  length = 0
  /** The number of bytes of the whole file, if the storage says it. */
  total: number | undefined
  #etag: string | undefined
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Returns the headers that resume the same file; a weak entity tag does not identify it (RFC 9110, 13.1.5). */
  resumeHeaders(): Readonly<Record<string, string>> {
    if (this.length === 0 || this.#etag === undefined || this.#etag.startsWith('W/')) return {}
    return { range: `bytes=${this.length}-`, 'if-range': this.#etag }
  }

  /**
   * Returns true if a partial answer is the rest of the same version. Some storages and caches ignore `If-Range`, and send the
   * rest of a newer file.
   */
  continuesWith(head: FileHead, extension: string | undefined): boolean {
    const { headers } = head
    if (codingOf(head, extension) !== undefined) return false
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
    if (range === null || Number(range[1]) !== this.length) return false
    const total = range[2] === '*' ? this.total : Number(range[2])
    if (headers.get('etag') !== this.#etag || (this.total !== undefined && total !== this.total)) return false
    this.total = total
    return true
  }

  /**
   * Starts with the first byte of the file that the answer contains. Size and ranges of a coded answer count its coded bytes: the
   * size of the file stays unknown, and it can't be resumed.
   */
  async begin({ headers }: FileHead, isCoded: boolean): Promise<void> {
    await this.restart()
    if (isCoded) return
    const bytes = Number(headers.get('content-length') ?? NaN)
    this.total = Number.isSafeInteger(bytes) ? bytes : undefined
    this.#etag = headers.get('etag') ?? undefined
  }

  async restart(): Promise<void> {
    if (this.length > 0) await writing(() => this.#handle.truncate(0))
    this.length = 0
    this.total = undefined
    this.#etag = undefined
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.byteLength;) {
      const { bytesWritten } = await writing(() =>
        this.#handle.write(chunk, done, chunk.byteLength - done, this.length),
      )
      done += bytesWritten
      this.length += bytesWritten
    }
  }
}

/** Runs a step that writes, and throws `attachments/file-unwritable` for errors of the file system. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unwritable(error)
  }
}

const reasons: Readonly<Record<string, VariantOf<'attachments/file-unwritable'>>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'disk-full',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'not-permitted',
  ENOENT: 'no-folder',
  ENOTDIR: 'no-folder',
}

/** Converts an error of the file system; returns other errors unchanged. */
export function unwritable(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof CausewayError) return error
  const reason = reasons[String(error.code)] ?? 'failed'
  return new CausewayError('attachments/file-unwritable', { details: { reason }, cause: error })
}
