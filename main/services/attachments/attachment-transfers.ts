import type { DownloadRequest, ReplacementRequest, Transfer, UploadRequest } from './transfer'

/**
 * The queue of all uploads and downloads between this computer and the storages of attachments services: two run at a time.
 */
export interface AttachmentTransfers {
  /**
   * Queues the creation of an attachment and the upload of its file. Throws `attachments/file-unreadable`
   * (`details.reason`: `missing`, `directory`, `not-permitted`, `not-a-file`, `failed`), `attachments/extension-needed`,
   * `attachments/invalid-request`.
   */
  upload(instanceId: string, request: UploadRequest): Promise<Transfer>
  /**
   * Queues the upload of a new file for an attachment. Keeps the title; converts a link only if asked to. Throws the same
   * errors as `upload`.
   */
  replace(instanceId: string, request: ReplacementRequest): Promise<Transfer>
  /** Queues a download. The file gets its name only once it is complete. */
  download(instanceId: string, request: DownloadRequest): Promise<Transfer>
  /** Returns all transfers, oldest first. */
  all(): readonly Transfer[]
  /**
   * Calls back with all transfers after each change, several times a second while data moves; returns a function that stops
   * it.
   */
  onChange(listener: (transfers: readonly Transfer[]) => void): () => void
  /** Resolves when the transfer is done, unconfirmed, cancelled or failed. */
  ended(id: string): Promise<Transfer>
  /** Cancels a transfer: deletes the attachment if it was certainly created for it, and leaves nothing of a download. */
  cancel(id: string): void
  /** Restarts a failed or cancelled transfer; retries a waiting one at once. */
  retry(id: string): void
  /** Removes an ended transfer from the list. */
  dismiss(id: string): void
  /** Cancels and removes the transfers of an instance. */
  forgetInstance(instanceId: string): Promise<void>
  /** Cancels all transfers, and resolves when none is running. */
  dispose(): Promise<void>
}
