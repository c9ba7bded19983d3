import { Emitter } from '../../emitter'
import type { Reporter } from '../../reporter'
import { CausewayError, toErrorReport } from '../../errors'
import type { FileTransport } from '../../platform/http/file-transport'
import type { AttachmentsClient } from './attachments-client'
import type { DownloadRequest, ReplacementRequest, Transfer, UploadRequest } from './transfer'
import { TransferJob } from './transfer-job'
import { TransferSlots } from './transfer-slots'
import type { PreparedTransfer } from './prepared-transfer'
import type { UploadContext } from './upload'

interface AttachmentTransfersOptions {
  readonly transport: FileTransport
  /** Marks a file as downloaded from the internet; returns false if it could not be marked. */
  readonly mark: (path: string) => Promise<boolean>
  readonly client: (instanceId: string) => Promise<AttachmentsClient>
  readonly newId: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Receives errors other than CausewayError. */
  readonly reporter: Pick<Reporter, 'notice'>
}

const atOnce = 2
/** Interval of progress updates in milliseconds. */
const tickMs = 250

/**
 * The queue of all uploads and downloads between this computer and the storages of attachments services: two run at a time.
 * One that waits before a retry leaves its place to the next.
 */
export class AttachmentTransfers {
  readonly #options: AttachmentTransfersOptions
  readonly #jobs = new Map<string, TransferJob>()
  readonly #changes = new Emitter<readonly Transfer[]>()
  readonly #contexts = new Map<string, UploadContext>()
  readonly #slots = new TransferSlots(atOnce)
  readonly #running = new Set<Promise<void>>()
  #ticks: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor(options: AttachmentTransfersOptions) {
    this.#options = options
  }

  /**
   * Queues the creation of an attachment and the upload of its file. Throws `attachments/file-unreadable`
   * (`details.reason`: `missing`, `directory`, `not-permitted`, `not-a-file`, `failed`), `attachments/extension-needed`,
   * `attachments/invalid-request`.
   */
  async upload(instanceId: string, request: UploadRequest): Promise<Transfer> {
    const { uploadOf } = await import('./prepared-transfer')
    return this.#add(instanceId, await uploadOf(await this.#context(instanceId), request))
  }

  /**
   * Queues the upload of a new file for an attachment. Keeps the title; converts a link only if asked to. Throws the same
   * errors as `upload`.
   */
  async replace(instanceId: string, request: ReplacementRequest): Promise<Transfer> {
    const { replacementOf } = await import('./prepared-transfer')
    return this.#add(instanceId, await replacementOf(await this.#context(instanceId), request))
  }

  /** Queues a download. The file gets its name only once it is complete. */
  async download(instanceId: string, request: DownloadRequest): Promise<Transfer> {
    const { downloadOf } = await import('./prepared-transfer')
    const { transport, mark } = this.#options
    const client = () => this.#options.client(instanceId)
    return this.#add(instanceId, await downloadOf({ transport, mark, client }, request))
  }

  /** Returns all transfers, oldest first. */
  all(): readonly Transfer[] {
    return [...this.#jobs.values()].map(({ transfer }) => transfer)
  }

  /**
   * Calls back with all transfers after each change, several times a second while data moves; returns a function that stops
   * it.
   */
  onChange(listener: (transfers: readonly Transfer[]) => void): () => void {
    return this.#changes.on(listener)
  }

  /** Resolves when the transfer is done, unconfirmed, cancelled or failed. */
  async ended(id: string): Promise<Transfer> {
    return this.#find(id).ended()
  }

  /** Cancels a transfer: deletes the attachment if it was certainly created for it, and leaves nothing of a download. */
  cancel(id: string): void {
    this.#find(id).cancel()
  }

  /** Restarts a failed or cancelled transfer; retries a waiting one at once. */
  retry(id: string): void {
    const job = this.#find(id)
    const { state } = job.transfer
    if (state === 'waiting') job.resume()
    if (state !== 'failed' && state !== 'cancelled') return
    job.again()
    this.#queue(job)
  }

  /** Removes an ended transfer from the list. */
  dismiss(id: string): void {
    if (this.#jobs.get(id)?.hasEnded !== true) return
    this.#jobs.delete(id)
    this.#changed()
  }

  /** Cancels and removes the transfers of an instance. */
  async forgetInstance(instanceId: string): Promise<void> {
    const jobs = [...this.#jobs.values()].filter(({ transfer }) => transfer.instanceId === instanceId)
    for (const job of jobs) job.cancel()
    for (const { id } of await Promise.all(jobs.map((job) => job.ended()))) this.dismiss(id)
    this.#contexts.delete(instanceId)
  }

  /** Cancels all transfers, and resolves when none is running. */
  async dispose(): Promise<void> {
    this.#isDisposed = true
    for (const job of this.#jobs.values()) job.cancel()
    await Promise.all(this.#running)
  }

  #add(instanceId: string, { facts, work }: PreparedTransfer): Transfer {
    const id = this.#options.newId()
    const job = new TransferJob({ id, instanceId, ...facts }, work, {
      now: this.#options.now,
      delay: this.#options.delay,
      slots: this.#slots,
      onChange: () => {
        this.#changed()
      },
    })
    this.#jobs.set(id, job)
    this.#changed()
    this.#queue(job)
    return job.transfer
  }

  #queue(job: TransferJob): void {
    if (this.#isDisposed) return
    this.#slots.request(job.signal, () => {
      const running = this.#run(job).catch((error: unknown) => {
        this.#options.reporter.notice(toErrorReport(error))
      })
      this.#running.add(running)
      void running.finally(() => this.#running.delete(running))
    })
  }

  async #run(job: TransferJob): Promise<void> {
    await job.run()
    await job.finish()
  }

  #find(id: string): TransferJob {
    const job = this.#jobs.get(id)
    if (job !== undefined) return job
    throw new CausewayError('usage/invalid-argument')
  }

  async #context(instanceId: string): Promise<UploadContext> {
    const { createUploadContext } = await import('./prepared-transfer')
    const { transport, delay } = this.#options
    const client = () => this.#options.client(instanceId)
    const context = this.#contexts.get(instanceId) ?? createUploadContext({ transport, client, delay })
    this.#contexts.set(instanceId, context)
    return context
  }

  readonly #tick = (): void => {
    for (const job of this.#jobs.values()) job.tick()
  }

  #changed(): void {
    const all = this.all()
    this.#tickWhile(all.some(({ state }) => state === 'transferring'))
    this.#changes.emit(all)
  }

  /** A waiting transfer may wait for an hour, and wakes nothing up. */
  #tickWhile(isTransferring: boolean): void {
    if (isTransferring) {
      this.#ticks ??= setInterval(this.#tick, tickMs).unref()
      return
    }
    clearInterval(this.#ticks)
    this.#ticks = undefined
  }
}
