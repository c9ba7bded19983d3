import type { ErrorReport } from '../../../contract/error-codes'
import type { AttachmentLinks } from './attachments-client'

/**
 * Where a transfer is. `preparing`: the service is asked where to. `waiting`: the connection was lost, and it is tried
 * again by itself. `confirming`: the file is uploaded, and the service has yet to say so; other transfers go on
 * meanwhile. `unconfirmed`: it has not said so for minutes, which is no failure.
 */
export type TransferState =
  | { readonly state: 'queued' | 'preparing' | 'transferring' | 'confirming' }
  /** `retryAt` in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly attempt: number; readonly retryAt: number }
  | { readonly state: 'done' | 'unconfirmed' | 'cancelled' }
  | { readonly state: 'failed'; readonly error: ErrorReport }

export interface TransferProgress {
  readonly bytes: number
  /** Unknown where a server does not say how long its file is. */
  readonly totalBytes?: number
  /** Smoothed over some seconds, as the time that is left is. */
  readonly bytesPerSecond?: number
  readonly secondsLeft?: number
}

/** One file on its way. Nothing in it is secret but the path, which is for main alone. */
export type Transfer = TransferState & {
  /** Of the transfer. */
  readonly id: string
  readonly instanceId: string
  readonly kind: 'upload' | 'replacement' | 'download'
  /** Of an upload once it is known for certain. */
  readonly attachmentId?: string
  /**
   * What a failed or cancelled upload has left at the service: the attachment `attachmentId` without its file, or one that
   * could not be told from others, if any.
   */
  readonly left?: 'identified' | 'unidentified' | undefined
  /** Of an upload whose service did not take the links to videos and modules. */
  readonly withoutLinks?: true
  readonly title: string
  /** Absolute: of an upload the file, of a download where it goes. */
  readonly path: string
  /** Of a download whose file could not be marked as coming from the internet: the system warns of nothing in it. */
  readonly isUnmarked?: boolean
  readonly progress: TransferProgress
}

/** Whether something of it would be lost if this process ended now: not of what is uploaded and waits for the service's word. */
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
  /** Default: the name of the file without its extension. */
  readonly title?: string
  readonly description?: string
  /** With or without a dot; default: that of the file's name. */
  readonly extension?: string
}

export interface ReplacementRequest {
  readonly attachmentId: string
  /** Of the attachment from then on; default: what it is now. */
  readonly title?: string
  readonly path: string
  readonly extension?: string
  /** Whether a link may become a file; default: it is refused. */
  readonly mayConvert?: boolean
}

export interface DownloadRequest {
  readonly attachmentId: string
  /** A folder, in which the file gets a name made of title and extension, or where `path` is a file itself. */
  readonly to: { readonly folder: string } | { readonly path: string }
  /** Default: never; a download into a folder takes another name where there is one. */
  readonly overwrite?: boolean
}
