import { randomBytes } from 'node:crypto'
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CausewayError, hasCode } from '../../errors'
import type { FileTransport } from '../../platform/http/file-transport'
import { reasonOf } from '../../platform/storage/file-system-error'
import { replaceWhileInUse } from '../../platform/storage/while-in-use'
import type { AttachmentsClient, FreshFile } from './attachments-client'
import { codingOf, readDecoded } from './decoded-body'
import { fileNameFor, numberedName } from './file-name'
import { PartFile, unwritable, writing } from './part-file'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import { withRetries, storageRefused, type TransferSteps } from './with-retries'
import type { DownloadRequest } from './transfer'
import type { TransferWork } from './transfer-job'

interface Download {
  readonly to: DownloadRequest['to']
  readonly overwrite: boolean
  /** Requests the attachment again, with a new address. */
  readonly fresh: () => Promise<FreshFile>
  /** Marks a file as downloaded from the internet; returns false if it could not be marked. */
  readonly mark: (path: string) => Promise<boolean>
  readonly onFound: (found: { readonly title: string; readonly path: string }) => void
}

/** Creates the work of a transfer that downloads an attachment's file. */
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

/** Statuses of an expired or invalid address. */
const expiredStatuses = [401, 403, 404, 410]

/** Maximum number of names that are tried in a folder. */
const maxNames = 1000

/**
 * Downloads the file of an attachment. Writes it to a temporary file beside the target, and renames it when it is complete;
 * after a failure nothing is left. Resumes after a lost connection where the storage supports it.
 *
 * Returns the path, and if the file is marked. Throws `attachments/file-exists`, `attachments/file-unwritable`
 * (`details.reason`: `disk-full`, `not-permitted`, `no-folder`, `not-a-file`, `failed`), `attachments/file-missing`,
 * `attachments/storage-refused`, the errors of `fresh`, and the errors of FileTransport.
 */
async function downloadFile(
  transport: FileTransport,
  download: Download,
  steps: TransferSteps,
): Promise<{ readonly path: string; readonly isMarked: boolean }> {
  const { to, overwrite } = download
  if ('path' in to) await requireFree(to.path, overwrite)
  const file = await download.fresh()
  const { attachment } = file
  const folder = 'path' in to ? dirname(to.path) : to.folder
  const name = 'path' in to ? basename(to.path) : fileNameFor(attachment.title, attachment.extension)
  download.onFound({ title: attachment.title, path: join(folder, name) })
  await removeAbandonedParts(folder)
  const partPath = join(folder, `.causeway-${randomBytes(8).toString('hex')}.part`)
  const handle = await writing(() => open(partPath, 'wx'))
  try {
    try {
      await fill(transport, new PartFile(handle), file, download, steps)
      await writing(() => handle.sync())
    } finally {
      await handle.close()
    }
    // Marked before it gets its name, so that nothing opens it without the mark.
    const isMarked = await download.mark(partPath)
    const names = 'path' in to ? [to.path] : namesIn(folder, name)
    return { path: await place(partPath, names, overwrite), isMarked }
  } catch (error) {
    // Whatever ended the download is worth more than this.
    await rm(partPath, { force: true }).catch(() => undefined)
    throw error
  }
}

const dayMs = 86_400_000

/** Deletes temporary files that a process left that was killed, and that may be large. Nobody has written to them for a day. */
async function removeAbandonedParts(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      if (!/^\.causeway-[0-9a-f]{16}\.part$/.test(name)) continue
      const path = join(folder, name)
      if (Date.now() - (await lstat(path)).mtimeMs > dayMs) await rm(path, { force: true })
    }
  } catch {
    // The download says what is wrong with the folder.
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
  /** Only what lies beyond counts as progress: a file that starts again and again must not be retried for ever. */
  let furthest = 0
  for (;;) {
    const status = await withRetries(
      steps,
      () => {
        furthest = Math.max(furthest, part.length)
        return get(transport, file, part, steps)
      },
      () => part.length - furthest,
    )
    if (status === undefined) return
    // The address may have expired during a long wait, and it leads to one version of the file.
    if (!mayRenew && status === 404)
      throw new CausewayError('attachments/file-missing', { details: { host: file.url.host } })
    if (!mayRenew) throw storageRefused(file.url, { status })
    mayRenew = false
    steps.enter('preparing')
    file = await fresh()
  }
}

/** Returns undefined once the file is complete, or the status of an expired address. */
async function get(
  transport: FileTransport,
  file: FreshFile,
  part: PartFile,
  steps: TransferSteps,
): Promise<number | undefined> {
  const { url, namedBy, attachment } = file
  const headers = part.resumeHeaders()
  const outcome = await transport.get(url, { headers, signal: steps.signal, namedBy }, async (head, body) => {
    const { status } = head
    if (expiredStatuses.includes(status)) return status
    const isResumed = 'range' in headers
    if (isResumed && (status === 416 || (status === 206 && !part.continuesWith(head, attachment.extension))))
      return 'not-resumable'
    if (status !== 200 && !(status === 206 && isResumed)) {
      const text = await beginningOf(body)
      throw storageRefused(url, {
        status,
        text,
        retryAfterSeconds: retryAfterSeconds(head.headers, Date.now()),
      })
    }
    const coding = codingOf(head, attachment.extension)
    if (status === 200) await part.begin(head, coding !== undefined)
    const { total } = part
    const save = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) {
        await part.append(chunk)
        steps.progressed(part.length, total)
      }
    }
    steps.progressed(part.length, total)
    steps.enter('transferring')
    await (coding === undefined ? save(body) : readDecoded({ coding, host: url.host }, body, save))
    // A storage may send less than the rest that it was asked for.
    if (total !== undefined && part.length !== total) throw incompleteAnswer(url)
    return undefined
  })
  if (outcome !== 'not-resumable') return outcome
  await part.restart()
  return get(transport, file, part, steps)
}

/** Renames the file to the first name that is free, without ever replacing another file. */
async function place(partPath: string, paths: Iterable<string>, overwrite: boolean): Promise<string> {
  for (const path of paths) {
    if (!overwrite && !(await reserve(path))) continue
    try {
      await writing(() => replaceWhileInUse(() => rename(partPath, path)))
    } catch (error) {
      if (!overwrite) await rm(path, { force: true })
      throw error
    }
    return path
  }
  throw fileExists()
}

/** Creates an empty file under the name, so that of two programs only one gets it. */
async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if (reasonOf(error) === 'EEXIST') return false
    throw unwritable(error)
  }
}

function* namesIn(folder: string, name: string): Generator<string> {
  yield join(folder, name)
  for (let number = 1; number < maxNames; number += 1) yield join(folder, numberedName(name, number))
}

/**
 * Throws `attachments/file-exists` before the download starts, or `attachments/file-unwritable` for what nobody wants to lose
 * to a file: a device, such as `/dev/null`, a pipe or a socket.
 */
export async function requireFree(path: string, overwrite: boolean): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || (overwrite && found.isFile())) return
  throw overwrite
    ? new CausewayError('attachments/file-unwritable', { details: { reason: 'not-a-file' } })
    : fileExists()
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    for await (const chunk of body) return Buffer.from(chunk).toString('utf8', 0, 4096)
  } catch (error) {
    if (!hasCode(error, 'http/unreachable')) throw error
  }
  return ''
}

function incompleteAnswer({ host }: URL): CausewayError {
  return new CausewayError('http/unreachable', { details: { host, reason: 'incomplete-answer' } })
}

function fileExists(): CausewayError {
  return new CausewayError('attachments/file-exists')
}
