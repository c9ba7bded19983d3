import type { Attachment, AttachmentPage, AttachmentQuery } from './attachment'

/** What a person says of an attachment. */
export interface AttachmentTexts {
  /** At least one character. */
  readonly title: string
  readonly description?: string
}

/**
 * Ids of what it is linked to. The document has no way to send them; servers that know none ignore them. They are sent
 * only where they are given, and take the place of those before. Where a service refuses them by name, the same is
 * asked without them.
 */
export interface AttachmentLinks {
  readonly videos?: readonly string[]
  readonly modules?: readonly string[]
}

export interface NewLink extends AttachmentTexts, AttachmentLinks {
  /** http or https, without user name and password. */
  readonly url: string
}

export interface NewFile extends AttachmentTexts, AttachmentLinks {
  /** Of the file, in lower case and without a dot, such as `pdf`. */
  readonly extension: string
}

/** Where a file is to be uploaded with PUT: a secret that lives for a limited time. */
export interface AwaitedFile {
  readonly uploadUrl: URL
  /** An address of the service that says so. */
  readonly namedBy: URL
  /** Of its attachment, where the service says it: the document's answer is the address alone. */
  readonly attachmentId?: string
  /** Where the service refused the links to videos and modules, and took the rest. */
  readonly withoutLinks?: true
}

export interface FreshFile {
  readonly attachment: Attachment
  /** Where to download it from: a secret that lives for a limited time. */
  readonly url: URL
  /** An address of the service that says so. */
  readonly namedBy: URL
}

/** A change of the texts: the document wants type and title always. */
export type AttachmentEdit = AttachmentTexts &
  AttachmentLinks &
  ({ readonly type: 'INTERNAL' } | { readonly type: 'EXTERNAL'; readonly url?: string })

/**
 * The six endpoints of one attachments service (attachments-service.md, section 4).
 *
 * Each throws `attachments/invalid-request` (`details.field`; nothing was sent), `attachments/forbidden` (401 and 403),
 * `attachments/not-found` (404: not there, or its file is still awaited), `attachments/unavailable` (429 and 5xx: later
 * perhaps), `attachments/refused` (any other refusal),
 * each with `details.status` and where there are any the server's words in `details.error`, with
 * `details.retryAfterSeconds` where the server says when to come back; `attachments/invalid-response`; and what
 * HttpClient throws.
 */
export interface AttachmentsClient {
  /** Who calls, where the settings say so: the author of what is created. */
  readonly author?: string | undefined
  /** One page; records that cannot be read are left out and counted. */
  list(query?: AttachmentQuery, signal?: AbortSignal): Promise<AttachmentPage>
  /** The same of one video, which members may see too: as many as the service gives, as this call has no pages. */
  forVideo(videoId: string, signal?: AbortSignal): Promise<AttachmentPage>
  /** One attachment; of a file, its address is fresh. */
  show(id: string, signal?: AbortSignal): Promise<Attachment>
  /**
   * The same of a file, with a fresh address to download it from. Throws `attachments/not-a-file` for a link,
   * `attachments/invalid-response` where the address is none that may be asked.
   */
  freshFile(id: string, signal?: AbortSignal): Promise<FreshFile>
  addLink(link: NewLink, signal?: AbortSignal): Promise<Attachment>
  /** Makes the attachment of a file that is then uploaded (`AttachmentTransfers` does both). */
  announceFile(file: NewFile, signal?: AbortSignal): Promise<AwaitedFile>
  /** The attachment afterwards, where the service says it. */
  edit(id: string, edit: AttachmentEdit, signal?: AbortSignal): Promise<Attachment | undefined>
  /** Asks where a new file for it is to be uploaded; the old one stays until the new one is there. */
  replaceFile(id: string, file: NewFile, signal?: AbortSignal): Promise<AwaitedFile>
  remove(id: string, signal?: AbortSignal): Promise<void>
}
