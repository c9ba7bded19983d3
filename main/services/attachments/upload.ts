import { CausewayError, hasCode } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import type { FileTransport } from '../../platform/http/file-transport'
import type { AttachmentsClient, AwaitedFile, NewFile } from './attachments-client'
import type { Confirmations } from './confirmations'
import { notAFile } from './answers'
import { createdAttachment, currentAttachment, type Listed, listWhole } from './listed-attachments'
import { inspectFile, readUnchanged } from './local-file'
import { persevere, storageRefused, type TransferSteps } from './persevere'
import type { TransferJob, TransferWork } from './transfer-job'

/** What the uploads to one service share. */
export interface UploadContext {
  readonly transport: FileTransport
  readonly client: () => Promise<AttachmentsClient>
  readonly confirmations: Confirmations
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** One attachment is created after the other, so that what is listed before and after tells them apart. */
  creating: Promise<unknown>
  /** Whether the service has answered with the id of what it created: then nothing need be listed. */
  tellsIds: boolean
}

export interface UploadJob {
  readonly path: string
  readonly file: NewFile
  /** The attachment whose file it takes the place of; `mayConvert`: also where that is a link. */
  readonly replacement?: {
    readonly attachmentId: string
    readonly keepsTitle: boolean
    readonly mayConvert: boolean
  }
}

/** How long taking back an attachment may take, in milliseconds. */
const undoMs = 5000
/** When a list that does not show a new attachment yet is looked at again, in milliseconds. */
const lookAgainMs = [500, 1000, 2000]
/** Why a connection never came about. */
const noConnection = ['refused', 'name-not-resolved', 'no-route']
/** Answers to an address that is over, or was never good. */
const overStatuses = [401, 403, 404, 410]

/**
 * Uploads a file for a new attachment, or for one that there is (attachments-service.md, section 1). A lost connection is
 * tried again to the same address, an address that is over is renewed once. Whatever changes or deletes the new attachment
 * is done only where it is certain which one it is.
 *
 * Throws `attachments/file-unreadable`, `attachments/file-changed`, `attachments/storage-refused`,
 * `attachments/not-a-file` for a link that may not be converted, what the client throws, and what FileTransport throws.
 */
export function uploadWork(
  context: UploadContext,
  { path, file: named, replacement }: UploadJob,
): TransferWork {
  let file = named
  let awaited: AwaitedFile | undefined
  /** What was listed before the attachment was created, where the service did not say its id. */
  let before: Listed | undefined
  /** Whether an attachment may have been created that nothing is known of any more. */
  let isForgotten = false

  function take(next: AwaitedFile, job: TransferJob): AwaitedFile {
    awaited = next
    const { attachmentId, withoutLinks } = next
    job.learn({
      ...(attachmentId === undefined ? {} : { attachmentId }),
      ...(withoutLinks === undefined ? {} : { withoutLinks }),
    })
    return next
  }

  /** The first address. */
  async function announced(job: TransferJob): Promise<AwaitedFile> {
    await inspectFile(path)
    if (replacement === undefined) return created(job)
    const client = await context.client()
    const { title, type } = await currentAttachment(client, replacement.attachmentId, job.signal)
    if (type === 'EXTERNAL' && !replacement.mayConvert) throw notAFile()
    if (replacement.keepsTitle) {
      file = { ...file, title }
      job.learn({ title })
    }
    return take(await client.replaceFile(replacement.attachmentId, file, job.signal), job)
  }

  function created(job: TransferJob): Promise<AwaitedFile> {
    const previous = context.creating
    const creating = (async () => {
      await previous
      if (job.signal.aborted) throw requestCancelled()
      const client = await context.client()
      before = context.tellsIds ? undefined : await listed(client, job.signal)
      const next = await client.announceFile(file, job.signal).catch((error: unknown) => {
        isForgotten ||= mayHaveCreated(error)
        throw error
      })
      context.tellsIds = next.attachmentId !== undefined
      take(next, job)
      await identified(job, job.signal)
      return awaited ?? next
    })()
    context.creating = creating.catch(() => undefined)
    return creating
  }

  /** The id of the attachment, where it is certain. */
  async function identified(
    job: TransferJob,
    signal: AbortSignal,
    isUploaded = false,
  ): Promise<string | undefined> {
    if (awaited?.attachmentId !== undefined) return awaited.attachmentId
    if (awaited === undefined || before?.isWhole !== true) return undefined
    const client = await context.client()
    const { author } = client
    const { uploadUrl } = awaited
    const after = await listed(client, signal)
    const attachmentId = after && createdAttachment(before, after, { uploadUrl, author, isUploaded })
    if (attachmentId !== undefined) take({ ...awaited, attachmentId }, job)
    return attachmentId
  }

  /** The same where the list may be behind. */
  async function identifiedAtLast(
    job: TransferJob,
    signal: AbortSignal,
    isUploaded: boolean,
  ): Promise<string | undefined> {
    for (const milliseconds of lookAgainMs) {
      const id = await identified(job, signal, isUploaded)
      if (id !== undefined || before?.isWhole !== true) return id
      await context.delay(milliseconds, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (signal.aborted) return undefined
    }
    return identified(job, signal, isUploaded)
  }

  /** An address in the place of one that is over; where a new attachment was deleted meanwhile, it is made again. */
  async function renewed(job: TransferJob): Promise<AwaitedFile | undefined> {
    const id = await identified(job, job.signal)
    if (id === undefined) return undefined
    job.enter('preparing')
    try {
      return take(await (await context.client()).replaceFile(id, file, job.signal), job)
    } catch (error) {
      if (replacement !== undefined || !hasCode(error, 'attachments/not-found')) throw error
      return created(job)
    }
  }

  async function upload(job: TransferJob): Promise<void> {
    let to = awaited ?? (await announced(job))
    for (let mayRenew = true; ; mayRenew = false) {
      const { uploadUrl } = to
      const answer = await persevere(job, () => put(context.transport, to, { path, ...file }, job))
      if (answer.status >= 200 && answer.status < 300) return
      const isOver = overStatuses.includes(answer.status)
      const next = mayRenew && isOver ? await renewed(job) : undefined
      if (next !== undefined) {
        to = next
        continue
      }
      if (isOver && awaited?.attachmentId === undefined) {
        // There is no way back to it: another attempt creates another one.
        awaited = undefined
        isForgotten = true
      }
      throw storageRefused(uploadUrl, answer.status, answer.text)
    }
  }

  function left(): 'identified' | 'unidentified' | undefined {
    if (replacement !== undefined) return undefined
    if (awaited?.attachmentId !== undefined) return 'identified'
    return awaited !== undefined || isForgotten ? 'unidentified' : undefined
  }

  return {
    inTurn: async (job) => {
      try {
        await upload(job)
        // An earlier attempt may have left one.
        job.learn({ left: isForgotten ? 'unidentified' : undefined })
      } catch (error) {
        job.learn({ left: left() })
        throw error
      }
    },
    afterwards: async (job) => {
      try {
        const id = await identifiedAtLast(job, job.signal, true)
        const outcome = id && (await context.confirmations.follow(id, job.signal))
        return outcome === 'completed' ? 'done' : 'unconfirmed'
      } catch (error) {
        // The file is uploaded, whether or not anybody waits for the service to say so.
        if (job.signal.aborted) return 'unconfirmed'
        throw error
      } finally {
        awaited = undefined
      }
    },
    undo: async (job) => {
      if (replacement === undefined && awaited !== undefined) {
        const signal = AbortSignal.timeout(undoMs)
        const id = await identifiedAtLast(job, signal, false)
        // Another attempt goes on with it.
        if (id === undefined) return
        await removed(await context.client(), id, signal)
      }
      awaited = undefined
      job.learn({ left: left() })
    },
  }
}

/** Undefined where the service does not tell: the file can be uploaded all the same. */
async function listed(client: AttachmentsClient, signal: AbortSignal): Promise<Listed | undefined> {
  const { author } = client
  try {
    return await listWhole(client, author === undefined ? {} : { userId: author }, signal)
  } catch (error) {
    if (error instanceof CausewayError && !signal.aborted) return undefined
    throw error
  }
}

/** Who is gone already need not be removed. */
async function removed(client: AttachmentsClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    await client.remove(id, signal)
  } catch (error) {
    if (!hasCode(error, 'attachments/not-found')) throw error
  }
}

/** False where an answer, or the lack of a connection, says that nothing was created. */
function mayHaveCreated(error: unknown): boolean {
  if (hasCode(error, 'attachments/unavailable')) return ![429, 503].includes(Number(error.details?.status))
  if (hasCode(error, 'http/unreachable')) return !noConnection.includes(String(error.details?.reason))
  return !hasCode(
    error,
    'attachments/invalid-request',
    'attachments/forbidden',
    'attachments/not-found',
    'attachments/refused',
    'http/insecure-url',
    'http/private-address',
    'http/tls-failed',
  )
}

async function put(
  transport: FileTransport,
  { uploadUrl, namedBy }: AwaitedFile,
  { path, extension }: { readonly path: string; readonly extension: string },
  steps: TransferSteps,
) {
  const contentType = await mediaTypeOf(extension)
  const file = await inspectFile(path)
  steps.progressed(0, file.size)
  steps.enter('transferring')
  const answer = await transport.put(uploadUrl, {
    namedBy,
    bytes: file.size,
    contentType,
    open: () => readUnchanged(file),
    signal: steps.signal,
    onSent: (bytes) => {
      steps.progressed(bytes, file.size)
    },
  })
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429) {
    throw storageRefused(uploadUrl, answer.status, answer.text)
  }
  return answer
}

/** As servers derive it from the extension too: some sign it into the address. */
async function mediaTypeOf(extension: string): Promise<string> {
  // Large, and not needed before the first upload.
  const { default: mime } = await import('mime-types')
  return mime.lookup(extension) || 'application/octet-stream'
}
