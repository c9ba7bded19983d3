import { CausewayError, hasCode } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import type { FileTransport, StorageAnswer } from '../../platform/http/file-transport'
import type { AttachmentsClient, AwaitedFile, NewFile } from './attachments-client'
import type { Confirmations } from './confirmations'
import { notAFile } from './answers'
import { createdAttachment, currentAttachment, type Listed, listWhole } from './listed-attachments'
import { inspectFile, readUnchanged } from './local-file'
import { withRetries, storageRefused, type TransferSteps } from './with-retries'
import type { TransferJob, TransferWork } from './transfer-job'

/** Shared by all uploads to one service. */
export interface UploadContext {
  readonly transport: FileTransport
  readonly client: () => Promise<AttachmentsClient>
  readonly confirmations: Confirmations
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Serializes the creation of attachments, so that the lists before and after identify each one. */
  creating: Promise<unknown>
  /** True if the service answers with the ids of new attachments, so that no lists are needed. */
  tellsIds: boolean
}

interface UploadJob {
  readonly path: string
  readonly file: NewFile
  /** The attachment whose file is replaced; `mayConvert` also allows a link. */
  readonly replacement?: {
    readonly attachmentId: string
    readonly keepsTitle: boolean
    readonly mayConvert: boolean
  }
}

/** Time limit for the confirmation of an uploaded file, with all requests for it, in milliseconds. */
const longestConfirmationMs = 5 * 60_000
/** Time limit for deleting an attachment after a cancelled upload, in milliseconds. */
const undoMs = 5000
/** Delays before the list is read again for a new attachment, in milliseconds. */
const lookAgainMs = [500, 1000, 2000]
/** Reasons for a connection that was never established. */
const noConnection = ['refused', 'name-not-resolved', 'no-route', 'no-ipv4', 'proxy']
/** Statuses of an expired or invalid address. */
const expiredStatuses = [401, 403, 404, 410]

/**
 * Uploads a file for a new or an existing attachment (attachments-service.md, section 1). Retries a lost connection with
 * the same address, renews an expired address once, and repeats an upload once without the media type if the storage may refuse
 * that. Changes or deletes the new attachment only if it is identified for
 * certain.
 *
 * Throws `attachments/file-unreadable`, `attachments/file-changed`, `attachments/storage-refused`, `attachments/not-a-file`
 * for a link that may not be converted, the errors of the client, and the errors of FileTransport.
 */
export class Upload implements TransferWork {
  readonly #context: UploadContext
  readonly #path: string
  #file: NewFile
  readonly #replacement: UploadJob['replacement']
  #awaited: AwaitedFile | undefined
  /** The list before the creation, if the service does not send the id. */
  #before: Listed | undefined
  /** True if an attachment may exist that can no longer be identified. */
  #isForgotten = false

  constructor(context: UploadContext, { path, file, replacement }: UploadJob) {
    this.#context = context
    this.#path = path
    this.#file = file
    this.#replacement = replacement
  }

  async inTurn(job: TransferJob): Promise<void> {
    try {
      await this.#upload(job)
      // An earlier attempt may have left an attachment.
      job.learn({ left: this.#isForgotten ? 'unidentified' : undefined })
    } catch (error) {
      job.learn({ left: this.#leftover() })
      throw error
    }
  }

  /** Looks for the attachment and its confirmation until the time limit: the file is uploaded, whatever happens here. */
  async afterwards(job: TransferJob): Promise<'done' | 'unconfirmed'> {
    const tooLong = new AbortController()
    const limit = setTimeout(() => {
      tooLong.abort()
    }, longestConfirmationMs)
    const signal = AbortSignal.any([job.signal, tooLong.signal])
    try {
      return await Promise.race([this.#confirmed(job, signal), givenUp(signal)])
    } catch (error) {
      if (signal.aborted || error instanceof CausewayError) return 'unconfirmed'
      throw error
    } finally {
      clearTimeout(limit)
      this.#awaited = undefined
    }
  }

  async #confirmed(job: TransferJob, signal: AbortSignal): Promise<'done' | 'unconfirmed'> {
    const id = await this.#identifiedAtLast(job, signal, true)
    const outcome = id && (await this.#context.confirmations.follow(id, signal))
    return outcome === 'completed' ? 'done' : 'unconfirmed'
  }

  async undo(job: TransferJob): Promise<void> {
    if (this.#replacement === undefined && this.#awaited !== undefined) {
      const signal = AbortSignal.timeout(undoMs)
      const id = await this.#identifiedAtLast(job, signal, false)
      // Another attempt continues with it.
      if (id === undefined) return
      await removed(await this.#context.client(), id, signal)
    }
    this.#awaited = undefined
    job.learn({ left: this.#leftover() })
  }

  #take(next: AwaitedFile, job: TransferJob): AwaitedFile {
    this.#awaited = next
    const { attachmentId, withoutLinks } = next
    job.learn({
      attachmentId,
      withoutLinks,
    })
    return next
  }

  /** Requests the first upload address. */
  async #announced(job: TransferJob): Promise<AwaitedFile> {
    await inspectFile(this.#path)
    if (this.#replacement === undefined) return this.#created(job)
    const client = await this.#context.client()
    const { title, type } = await currentAttachment(client, this.#replacement.attachmentId, job.signal)
    if (type === 'EXTERNAL' && !this.#replacement.mayConvert) throw notAFile()
    if (this.#replacement.keepsTitle) {
      this.#file = { ...this.#file, title }
      job.learn({ title })
    }
    return this.#take(await client.replaceFile(this.#replacement.attachmentId, this.#file, job.signal), job)
  }

  #created(job: TransferJob): Promise<AwaitedFile> {
    const previous = this.#context.creating
    const creating = (async () => {
      await previous
      if (job.signal.aborted) throw requestCancelled()
      const client = await this.#context.client()
      this.#before = this.#context.tellsIds ? undefined : await listed(client, job.signal)
      const next = await client.announceFile(this.#file, job.signal).catch((error: unknown) => {
        this.#isForgotten ||= mayHaveCreated(error)
        throw error
      })
      this.#context.tellsIds = next.attachmentId !== undefined
      this.#take(next, job)
      await this.#identified(job, job.signal)
      return this.#awaited ?? next
    })()
    this.#context.creating = creating.catch(() => undefined)
    return creating
  }

  /** Returns the id of the attachment, if it is certain. */
  async #identified(job: TransferJob, signal: AbortSignal, isUploaded = false): Promise<string | undefined> {
    const awaited = this.#awaited
    if (awaited?.attachmentId !== undefined) return awaited.attachmentId
    if (awaited === undefined || this.#before?.isWhole !== true) return undefined
    const client = await this.#context.client()
    const { author } = client
    const { uploadUrl } = awaited
    const after = await listed(client, signal)
    const attachmentId = after && createdAttachment(this.#before, after, { uploadUrl, author, isUploaded })
    if (attachmentId !== undefined) this.#take({ ...awaited, attachmentId }, job)
    return attachmentId
  }

  /** Does the same with retries, because the list may be outdated. */
  async #identifiedAtLast(
    job: TransferJob,
    signal: AbortSignal,
    isUploaded: boolean,
  ): Promise<string | undefined> {
    for (const milliseconds of lookAgainMs) {
      const id = await this.#identified(job, signal, isUploaded)
      if (id !== undefined || this.#before?.isWhole !== true) return id
      await this.#context.delay(milliseconds, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (signal.aborted) return undefined
    }
    return this.#identified(job, signal, isUploaded)
  }

  /** Replaces an expired address; creates a new attachment again if it was deleted meanwhile. */
  async #renewed(job: TransferJob): Promise<AwaitedFile | undefined> {
    const id = await this.#identified(job, job.signal)
    if (id === undefined) return undefined
    job.enter('preparing')
    try {
      return this.#take(await (await this.#context.client()).replaceFile(id, this.#file, job.signal), job)
    } catch (error) {
      if (this.#replacement !== undefined || !hasCode(error, 'attachments/not-found')) throw error
      return this.#created(job)
    }
  }

  async #upload(job: TransferJob): Promise<void> {
    let to = this.#awaited ?? (await this.#announced(job))
    let mayRenew = true
    let withType = true
    for (;;) {
      const { uploadUrl } = to
      const answer = await withRetries(job, () =>
        put(this.#context.transport, to, { path: this.#path, ...this.#file }, job, withType),
      )
      if (answer.status >= 200 && answer.status < 300) return
      const typeProblem = withType ? problemOfType(answer) : 'none'
      if (typeProblem === 'named') {
        withType = false
        continue
      }
      const isExpired = expiredStatuses.includes(answer.status)
      const next = mayRenew && isExpired ? await this.#renewed(job) : undefined
      mayRenew = false
      if (next !== undefined) {
        to = next
        continue
      }
      if (typeProblem === 'possible') {
        withType = false
        continue
      }
      if (isExpired && this.#awaited?.attachmentId === undefined) {
        // The attachment cannot be identified any more: another attempt creates a new one.
        this.#awaited = undefined
        this.#isForgotten = true
      }
      throw storageRefused(uploadUrl, answer)
    }
  }

  #leftover(): 'identified' | 'unidentified' | undefined {
    if (this.#replacement !== undefined) return undefined
    if (this.#awaited?.attachmentId !== undefined) return 'identified'
    return this.#awaited !== undefined || this.#isForgotten ? 'unidentified' : undefined
  }
}

/** Resolves when the signal aborts: not every step of a confirmation can be cancelled. */
function givenUp(signal: AbortSignal): Promise<'unconfirmed'> {
  return new Promise((resolve) => {
    const giveUp = (): void => {
      resolve('unconfirmed')
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Returns undefined if the service refuses: the file can be uploaded without the list. */
async function listed(client: AttachmentsClient, signal: AbortSignal): Promise<Listed | undefined> {
  const { author } = client
  try {
    return await listWhole(client, { userId: author }, signal)
  } catch (error) {
    if (error instanceof CausewayError && !signal.aborted) return undefined
    throw error
  }
}

/** Deletes an attachment, unless it is deleted already. */
async function removed(client: AttachmentsClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    await client.remove(id, signal)
  } catch (error) {
    if (!hasCode(error, 'attachments/not-found')) throw error
  }
}

/** Returns false if an answer, or a failure to connect, shows that nothing was created. */
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
    'http/proxy-authentication',
    'http/proxy-timed-out',
  )
}

async function put(
  transport: FileTransport,
  { uploadUrl, namedBy }: AwaitedFile,
  { path, extension }: { readonly path: string; readonly extension: string },
  steps: TransferSteps,
  withType: boolean,
) {
  const contentType = withType ? await mediaTypeOf(extension) : undefined
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
    throw storageRefused(uploadUrl, answer)
  }
  return answer
}

/**
 * Returns whether a storage refuses the `Content-Type` that we chose, or a signature that covers another one: `named` by its
 * answer, or `possible` because it gives no other reason.
 */
function problemOfType({ status, text }: StorageAnswer): 'named' | 'possible' | 'none' {
  if (![400, 403, 405, 406, 412, 415, 422].includes(status)) return 'none'
  if (status === 415 || /SignatureDoesNotMatch|\bheaders?|content.?type|media.?type/i.test(text))
    return 'named'
  return /AccessDenied|expired/i.test(text) ? 'none' : 'possible'
}

/** Returns the media type of an extension, as servers derive it too: some sign it into the address. */
async function mediaTypeOf(extension: string): Promise<string> {
  // A large module, not needed before the first upload.
  const { default: mime } = await import('mime-types')
  return mime.lookup(extension) || 'application/octet-stream'
}
