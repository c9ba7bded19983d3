import type { AttachmentItem, AttachmentPageAnswer } from '../../../contract/attachments'

/** An attachment as the service sends it. */
export interface Attachment extends Readonly<Omit<AttachmentItem, 'address'>> {
  /** Unchecked, as the server wrote it; for a file a secret that is valid for a limited time. */
  readonly url: string
}

export interface AttachmentPage extends Readonly<Pick<AttachmentPageAnswer, 'totalCount' | 'unreadable'>> {
  readonly data: readonly Attachment[]
}

export interface AttachmentQuery {
  /** Number from 1; default 1. */
  readonly page?: number
  /** Default 10; servers accept up to 100. */
  readonly pageSize?: number
  /** Id of the author. */
  readonly userId?: string
  readonly videos?: readonly string[]
  readonly modules?: readonly string[]
}
