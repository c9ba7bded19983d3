import type { TransferItem } from '../../../contract/attachments'
import type { ErrorReport } from '../../../contract/error-codes'
import type { AttachmentLinks } from './attachments-client'

export type TransferState =
  | { readonly state: Exclude<TransferItem['state'], 'waiting' | 'failed'> }
  /** `retryAt` in milliseconds since the epoch. */
  | { readonly state: 'waiting'; readonly attempt: number; readonly retryAt: number }
  | { readonly state: 'failed'; readonly error: ErrorReport }

export type TransferProgress = Readonly<
  Pick<TransferItem, 'bytes' | 'totalBytes' | 'bytesPerSecond' | 'secondsLeft'>
>

/** An upload or download. Its path stays in main. */
export type Transfer = TransferState &
  Readonly<
    Pick<TransferItem, 'id' | 'instanceId' | 'kind' | 'attachmentId' | 'title' | 'left' | 'withoutLinks'>
  > & {
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
