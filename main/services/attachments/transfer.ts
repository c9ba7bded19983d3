import type { ErrorReport } from '../../../contract/error-codes'
import type { AttachmentLinks } from './attachments-client'

/**
 * The state of a transfer. `preparing`: requests the address. `waiting`: lost the connection, and retries automatically.
 * `confirming`: the file is uploaded, but the service has not confirmed it; other transfers run meanwhile. `unconfirmed`:
 * the service did not confirm it for minutes, which is not a failure.
 */
export type TransferState =
  | { readonly state: 'queued' | 'preparing' | 'transferring' | 'confirming' }
  /** `retryAt` in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly attempt: number; readonly retryAt: number }
  | { readonly state: 'done' | 'unconfirmed' | 'cancelled' }
  | { readonly state: 'failed'; readonly error: ErrorReport }

export interface TransferProgress {
  readonly bytes: number
  /** Missing if the server does not send the file's length. */
  readonly totalBytes?: number
  /** Smoothed over a few seconds, like `secondsLeft`. */
  readonly bytesPerSecond?: number
  readonly secondsLeft?: number
}

/** An upload or download. Only its path is private, which stays in main. */
export type Transfer = TransferState & {
  /** Id of the transfer. */
  readonly id: string
  readonly instanceId: string
  readonly kind: 'upload' | 'replacement' | 'download'
  /** For an upload, set once it is certain. */
  readonly attachmentId?: string
  /**
   * Remains of a failed or cancelled upload at the service: the attachment `attachmentId` without its file, or possibly an
   * attachment that could not be identified.
   */
  readonly left?: 'identified' | 'unidentified' | undefined
  /** Set for an upload whose service rejected the links to videos and modules. */
  readonly withoutLinks?: true
  readonly title: string
  /** Absolute path: the source of an upload, the target of a download. */
  readonly path: string
  /** True for a download that could not be marked as coming from the internet, so that the system does not warn about it. */
  readonly isUnmarked?: boolean
  readonly progress: TransferProgress
}

/** Returns true if ending the process now would lose work; an upload that only waits for confirmation loses nothing. */
export function isOnItsWay({ state }: TransferState): boolean {
  switch (state) {
    case 'queued':
    case 'preparing':
    case 'transferring':
    case 'waiting':
      return true
    case 'confirming':
    case 'unconfirmed':
    case 'done':
    case 'cancelled':
    case 'failed':
      return false
  }
}

export interface UploadRequest extends AttachmentLinks {
  readonly path: string
  /** Default: the file's name without its extension. */
  readonly title?: string
  readonly description?: string
  /** With or without a dot; default: the extension of the file's name. */
  readonly extension?: string
}

export interface ReplacementRequest {
  readonly attachmentId: string
  /** New title of the attachment; default: unchanged. */
  readonly title?: string
  readonly path: string
  readonly extension?: string
  /** Allows a link to become a file; default: false. */
  readonly mayConvert?: boolean
}

export interface DownloadRequest {
  readonly attachmentId: string
  /** A folder, where the name is made of title and extension, or the path of the file. */
  readonly to: { readonly folder: string } | { readonly path: string }
  /** Default: false; a download into a folder then takes a free name. */
  readonly overwrite?: boolean
}
