/** An uploaded file (`INTERNAL`) or a link (attachments-service.md, section 2). */
export interface Attachment {
  readonly id: string
  readonly userId: string
  /** As the server wrote it: unchecked, and for a file a secret, good for a limited time only. */
  readonly url: string
  /** Of a file: whether it has arrived. */
  readonly status: 'IN_PROGRESS' | 'COMPLETED'
  readonly type: 'INTERNAL' | 'EXTERNAL'
  readonly title: string
  readonly description?: string | undefined
  readonly extension?: string | undefined
  readonly videos: readonly string[]
  readonly modules: readonly string[]
}

export interface AttachmentPage {
  readonly data: readonly Attachment[]
  /** Of all pages. */
  readonly totalCount: number
  /** How many records of this page are left out, as they are not what the document says. */
  readonly unreadable: number
}

export interface AttachmentQuery {
  /** From 1; default 1. */
  readonly page?: number
  /** Default 10; servers take 100 at most. */
  readonly pageSize?: number
  /** The author. */
  readonly userId?: string
  readonly videos?: readonly string[]
  readonly modules?: readonly string[]
}
