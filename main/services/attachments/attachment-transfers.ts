import type { DownloadRequest, ReplacementRequest, Transfer, UploadRequest } from './transfer'

/** All files on their way between this computer and the storages of attachments services: two at a time, the rest waits. */
export interface AttachmentTransfers {
  /**
   * Makes the attachment and uploads its file. Resolves once it is in the queue. Throws `attachments/file-unreadable`
   * (`details.reason`: `missing`, `directory`, `not-permitted`, `not-a-file`, `failed`), `attachments/extension-needed`,
   * `attachments/invalid-request`.
   */
  upload(instanceId: string, request: UploadRequest): Promise<Transfer>
  /** Uploads another file for an attachment; its title stays, and a link stays a link unless asked. Throws the same. */
  replace(instanceId: string, request: ReplacementRequest): Promise<Transfer>
  /** The file comes under its own name only when all of it is there. */
  download(instanceId: string, request: DownloadRequest): Promise<Transfer>
  /** Oldest first. */
  all(): readonly Transfer[]
  /** Calls back with all of them after changes, while bytes flow some times a second; returns how to stop it. */
  onChange(listener: (transfers: readonly Transfer[]) => void): () => void
  /** Resolves when it is done, unconfirmed, cancelled or failed, however it got there. */
  ended(id: string): Promise<Transfer>
  /** Ends it in order: an attachment that was certainly made for it is removed, of a download nothing is left. */
  cancel(id: string): void
  /** Begins a failed or cancelled one again; one that waits to be tried again is tried now. */
  retry(id: string): void
  /** Forgets one that has ended. */
  dismiss(id: string): void
  /** Cancels those of an instance and forgets them. */
  forgetInstance(instanceId: string): Promise<void>
  /** Cancels all of them, and resolves when nothing is left running. */
  dispose(): Promise<void>
}
