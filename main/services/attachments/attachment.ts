/** An uploaded file (`INTERNAL`) or a link (attachments-service.md, section 2). */
export interface Attachment {
  readonly id: string
  readonly userId: string
  /** Unchecked, as the server wrote it; for a file a secret that is valid for a limited time. */
  readonly url: string
  /** For a file, `COMPLETED` once it is uploaded. */
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
  /** Number of attachments on all pages. */
  readonly totalCount: number
  /** Number of records of this page that are left out because they are invalid. */
  readonly unreadable: number
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
