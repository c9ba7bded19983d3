import { requestCancelled } from '../http/failure'
import { CausewayError, hasCode } from '../errors'
import type { FileTransport } from '../http/file-transport'
import type { AttachmentsClient, AwaitedFile, NewFile } from './attachments-client'
import type { Confirmations } from './confirmations'
import { currentAttachment } from './current-attachment'
import { downloadFile } from './download-file'
import { identify } from './identify'
import type { DownloadRequest } from './transfer'
import type { TransferJob, TransferWork } from './transfer-job'
import { uploadFile } from './upload-file'

/** What the transfers of one instance share. */
export interface TransferContext {
  readonly transport: FileTransport
  /** Marks a file as one that came from the internet; false where that cannot be. */
  readonly mark: (path: string) => Promise<boolean>
  readonly client: () => Promise<AttachmentsClient>
  readonly confirmations: Confirmations
  /** Ids of attachments that belong to transfers. */
  readonly known: Set<string>
  /** The last announcement: two of the same name at once could not be told apart. */
  readonly announcing: { last: Promise<unknown> }
}

/** How long taking back an attachment may take, in milliseconds. */
const undoMs = 5000
const firstPage = { pageSize: 100 }

export interface UploadJob {
  readonly path: string
  readonly file: NewFile
  /** The attachment whose file it takes the place of. */
  readonly replacement?: { readonly attachmentId: string; readonly keepsTitle: boolean }
}

/** Uploads a file for a new attachment, or for one that there is. */
export function uploadWork(context: TransferContext, upload: UploadJob): TransferWork {
  const { path, replacement } = upload
  let { file } = upload
  let awaited: AwaitedFile | undefined

  async function announced(signal: AbortSignal, job: TransferJob): Promise<AwaitedFile> {
    if (replacement === undefined) return announce(context, file, signal)
    const client = await context.client()
    if (replacement.keepsTitle) {
      const { title } = await currentAttachment(client, replacement.attachmentId, signal)
      file = { ...file, title }
      job.learn({ title })
    }
    return client.replaceFile(replacement.attachmentId, file, signal)
  }

  return {
    inTurn: async (job) => {
      const { signal } = job
      await uploadFile(
        context.transport,
        {
          path,
          extension: file.extension,
          awaited,
          announce: () => announced(signal, job),
          renew: async (over) => {
            if (over.attachmentId === undefined) return undefined
            job.enter('preparing')
            return renewed(context, over.attachmentId, file, signal, replacement === undefined)
          },
          onAwaited: (now) => {
            awaited = now
            if (now.attachmentId === undefined) return
            context.known.add(now.attachmentId)
            job.learn({ attachmentId: now.attachmentId })
          },
        },
        job,
      )
    },
    afterwards: async (job) => {
      const id = awaited?.attachmentId
      awaited = undefined
      const outcome = id === undefined ? 'unconfirmed' : await context.confirmations.follow(id, job.signal)
      return outcome === 'completed' ? 'done' : 'unconfirmed'
    },
    undo: async () => {
      const made = replacement === undefined ? awaited?.attachmentId : undefined
      awaited = undefined
      if (made === undefined) return
      await (await context.client()).remove(made, AbortSignal.timeout(undoMs))
    },
  }
}

/** Downloads the file of an attachment. */
export function downloadWork(
  { transport, mark, client }: TransferContext,
  request: Pick<DownloadRequest, 'attachmentId' | 'to'> & { readonly overwrite: boolean },
): TransferWork {
  return {
    inTurn: async (job: TransferJob) => {
      const { to, overwrite } = request
      const { path, isMarked } = await downloadFile(
        transport,
        {
          to,
          overwrite,
          mark,
          fresh: async () => (await client()).freshFile(request.attachmentId, job.signal),
          onFound: (found) => {
            job.learn(found)
          },
        },
        job,
      )
      job.learn({ path, isUnmarked: !isMarked })
    },
    undo: () => Promise.resolve(),
  }
}

/** Where a new attachment was deleted meanwhile, it is made again. */
async function renewed(
  context: TransferContext,
  attachmentId: string,
  file: NewFile,
  signal: AbortSignal,
  isNew: boolean,
): Promise<AwaitedFile> {
  try {
    return await (await context.client()).replaceFile(attachmentId, file, signal)
  } catch (error) {
    if (!isNew || !hasCode(error, 'attachments/not-found')) throw error
    return announce(context, file, signal)
  }
}

/** Makes the attachment and finds out which it is, one after the other. */
async function announce(context: TransferContext, file: NewFile, signal: AbortSignal): Promise<AwaitedFile> {
  const before = context.announcing.last
  const work = (async () => {
    await before
    if (signal.aborted) throw requestCancelled()
    const client = await context.client()
    const awaited = await client.announceFile(file, signal)
    if (awaited.attachmentId !== undefined) return awaited
    const attachmentId = await find(context, client, file, awaited, signal)
    return { ...awaited, ...(attachmentId === undefined ? {} : { attachmentId }) }
  })()
  context.announcing.last = work.catch(() => undefined)
  return work
}

/** Undefined where the service does not tell: the file can be uploaded all the same. */
async function find(
  { known }: TransferContext,
  client: AttachmentsClient,
  file: NewFile,
  awaited: AwaitedFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { data } = await client.list(firstPage, signal)
    return identify(data, file, awaited, known)
  } catch (error) {
    if (error instanceof CausewayError && !signal.aborted) return undefined
    throw error
  }
}
