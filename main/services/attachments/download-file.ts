import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CausewayError, hasCode } from '../../errors'
import type { FileHead, FileTransport } from '../../platform/http/file-transport'
import type { AttachmentsClient, FreshFile } from './attachments-client'
import { fileNameFor, numberedName } from './file-name'
import { persevere, storageRefused, type TransferSteps } from './persevere'
import type { DownloadRequest } from './transfer'
import type { TransferWork } from './transfer-job'

export interface Download {
  readonly to: DownloadRequest['to']
  readonly overwrite: boolean
  /** Asks the service for the attachment anew, with a fresh address. */
  readonly fresh: () => Promise<FreshFile>
  /** Marks the file as one that came from the internet; false where that cannot be. */
  readonly mark: (path: string) => Promise<boolean>
  readonly onFound: (found: { readonly title: string; readonly path: string }) => void
}

/** The transfer that downloads the file of an attachment. */
export function downloadWork(
  options: {
    readonly transport: FileTransport
    readonly mark: Download['mark']
    readonly client: () => Promise<AttachmentsClient>
  },
  request: Pick<DownloadRequest, 'attachmentId' | 'to'> & { readonly overwrite: boolean },
): TransferWork {
  const { transport, mark, client } = options
  const { attachmentId, to, overwrite } = request
  return {
    inTurn: async (job) => {
      const fresh = async () => (await client()).freshFile(attachmentId, job.signal)
      const onFound: Download['onFound'] = (found) => {
        job.learn(found)
      }
      const { path, isMarked } = await downloadFile(transport, { to, overwrite, mark, fresh, onFound }, job)
      job.learn({ path, isUnmarked: !isMarked })
    },
    undo: () => Promise.resolve(),
  }
}

/** Answers to an address that is over. */
const overStatuses = [401, 403, 404, 410]

/** How many names are tried in a folder. */
const mostNames = 1000

/**
 * Downloads the file of an attachment. It is written beside where it goes, and takes its name when all of it is there;
 * where it does not get that far, nothing is left. A lost connection is tried again from where it broke, where the
 * storage can do that.
 *
 * Gives where the file is, and whether it is marked. Throws `attachments/file-exists`, `attachments/file-unwritable` (`details.reason`: `disk-full`,
 * `not-permitted`, `no-folder`, `failed`), `attachments/file-missing`, `attachments/storage-refused`, what `fresh` throws,
 * and what FileTransport throws.
 */
export async function downloadFile(
  transport: FileTransport,
  download: Download,
  steps: TransferSteps,
): Promise<{ readonly path: string; readonly isMarked: boolean }> {
  const { to, overwrite } = download
  if ('path' in to && !overwrite) await requireFree(to.path)
  const file = await download.fresh()
  const { attachment } = file
  const folder = 'path' in to ? dirname(to.path) : to.folder
  const name = 'path' in to ? basename(to.path) : fileNameFor(attachment.title, attachment.extension)
  download.onFound({ title: attachment.title, path: join(folder, name) })
  const partPath = join(folder, `.causeway-${randomBytes(8).toString('hex')}.part`)
  const handle = await writing(() => open(partPath, 'wx'))
  try {
    try {
      await fill(transport, new PartFile(handle), file, download, steps)
      await writing(() => handle.sync())
    } finally {
      await handle.close()
    }
    // Before it has its name, so that nothing opens it without the mark.
    const isMarked = await download.mark(partPath)
    const names = 'path' in to ? [to.path] : namesIn(folder, name)
    return { path: await place(partPath, names, overwrite), isMarked }
  } catch (error) {
    await rm(partPath, { force: true })
    throw error
  }
}

async function fill(
  transport: FileTransport,
  part: PartFile,
  first: FreshFile,
  { fresh }: Download,
  steps: TransferSteps,
): Promise<void> {
  let file = first
  let mayRenew = true
  for (;;) {
    let begun = part.length
    const status = await persevere(
      steps,
      () => {
        begun = part.length
        return get(transport, file, part, steps)
      },
      () => part.length - begun,
    )
    if (status === undefined) return
    // Addresses live for a limited time, which a long wait may have used up, and lead to one version of the file.
    if (!mayRenew) throw status === 404 ? fileMissing(file.url) : storageRefused(file.url, status, '')
    mayRenew = false
    steps.enter('preparing')
    file = await fresh()
  }
}

/** Undefined when the file is whole; else the status of an address that is over. */
async function get(
  transport: FileTransport,
  { url, namedBy }: FreshFile,
  part: PartFile,
  steps: TransferSteps,
): Promise<number | undefined> {
  const headers = part.resumeHeaders()
  return transport.get(url, { headers, signal: steps.signal, namedBy }, async (head, body) => {
    const { status } = head
    if (overStatuses.includes(status)) return status
    if (status === 416 && 'range' in headers) {
      await part.restart()
      throw storageRefused(url, 503, '')
    }
    if (status !== 200 && !(status === 206 && part.continuesAt(head))) {
      throw storageRefused(url, status, await beginningOf(body))
    }
    if (status === 200) await part.begin(head)
    const total = part.totalWith(head)
    steps.progressed(part.length, total)
    steps.enter('transferring')
    for await (const chunk of body) {
      await part.append(chunk)
      steps.progressed(part.length, total)
    }
    return undefined
  })
}

/** The file as far as it has come. */
class PartFile {
  length = 0
  #etag: string | undefined
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** To go on where it broke off, of the very same file; a weak entity tag does not say that (RFC 9110, 13.1.5). */
  resumeHeaders(): Readonly<Record<string, string>> {
    if (this.length === 0 || this.#etag === undefined || this.#etag.startsWith('W/')) return {}
    return { range: `bytes=${this.length}-`, 'if-range': this.#etag }
  }

  continuesAt({ headers }: FileHead): boolean {
    return this.length > 0 && String(headers['content-range']).startsWith(`bytes ${this.length}-`)
  }

  totalWith({ headers }: FileHead): number | undefined {
    const rest = Number(headers['content-length'] ?? NaN)
    return Number.isSafeInteger(rest) ? this.length + rest : undefined
  }

  async begin({ headers }: FileHead): Promise<void> {
    await this.restart()
    this.#etag = typeof headers.etag === 'string' ? headers.etag : undefined
  }

  async restart(): Promise<void> {
    if (this.length > 0) await writing(() => this.#handle.truncate(0))
    this.length = 0
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

/** Gives the file the first of these names that nothing has, without ever taking one from another file. */
async function place(partPath: string, paths: Iterable<string>, overwrite: boolean): Promise<string> {
  for (const path of paths) {
    if (!overwrite && !(await reserve(path))) continue
    try {
      await writing(() => rename(partPath, path))
    } catch (error) {
      if (!overwrite) await rm(path, { force: true })
      throw error
    }
    return path
  }
  throw fileExists()
}

/** An empty file under the name: between two programs that want it, only one gets it. */
async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw unwritable(error)
  }
}

function* namesIn(folder: string, name: string): Generator<string> {
  yield join(folder, name)
  for (let number = 1; number < mostNames; number += 1) yield join(folder, numberedName(name, number))
}

/** Throws `attachments/file-exists`: better before the download than after it. */
export async function requireFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined) throw fileExists()
}

async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unwritable(error)
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    for await (const chunk of body) return Buffer.from(chunk).toString('utf8', 0, 4096)
  } catch (error) {
    if (!hasCode(error, 'http/unreachable')) throw error
  }
  return ''
}

function fileExists(): CausewayError {
  return new CausewayError(
    'attachments/file-exists',
    'A file with this name already exists. Choose another name, or allow the file to be replaced.',
  )
}

function fileMissing(url: URL): CausewayError {
  return new CausewayError(
    'attachments/file-missing',
    `The service no longer has this attachment's file (storage ${url.host}). Ask its author to upload it again.`,
    { details: { host: url.host } },
  )
}

const reasons: Readonly<Record<string, readonly [reason: string, sentence: string]>> = {
  ENOSPC: ['disk-full', 'The disk is full. Free up some space, then try again.'],
  EDQUOT: ['disk-full', 'Your disk quota is used up. Free up some space, then try again.'],
  EFBIG: ['disk-full', 'The file is too large for this disk. Choose another disk.'],
  EACCES: ['not-permitted', "You don't have permission to write to this folder. Choose another one."],
  EPERM: ['not-permitted', "You don't have permission to write to this folder. Choose another one."],
  EROFS: ['not-permitted', 'This folder is read-only. Choose another one.'],
  ENOENT: ['no-folder', "This folder doesn't exist. Create it, or choose another one."],
  ENOTDIR: ['no-folder', "This folder doesn't exist. Create it, or choose another one."],
  EISDIR: ['failed', 'A folder with this name already exists. Choose another name.'],
  ENAMETOOLONG: ['failed', 'This name is too long. Choose a shorter one.'],
}

function unwritable(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof CausewayError) return error
  const [reason, sentence] = reasons[String(error.code)] ?? [
    'failed',
    "The file couldn't be saved. Check the disk.",
  ]
  return new CausewayError('attachments/file-unwritable', sentence, { details: { reason }, cause: error })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
