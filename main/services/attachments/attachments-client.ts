import type { Attachment, AttachmentPage, AttachmentQuery } from './attachment'

/** The texts that a user enters for an attachment. */
export interface AttachmentTexts {
  /** At least one character. */
  readonly title: string
  readonly description?: string
}

/**
 * Ids of linked videos and modules. The document cannot send them; servers without them ignore them. They are sent only if
 * given, and replace the previous links. If a service rejects them by name, the request is sent again without them.
 */
export interface AttachmentLinks {
  readonly videos?: readonly string[]
  readonly modules?: readonly string[]
}

export interface NewLink extends AttachmentTexts, AttachmentLinks {
  /** An http or https URL without user name and password. */
  readonly url: string
}

export interface NewFile extends AttachmentTexts, AttachmentLinks {
  /** The file's extension, in lower case without a dot, such as `pdf`. */
  readonly extension: string
}

/** The upload of an announced file, to be sent with PUT. */
export interface AwaitedFile {
  /** A secret that is valid for a limited time. */
  readonly uploadUrl: URL
  /** The address of the service that named `uploadUrl`. */
  readonly namedBy: URL
  /** Id of the attachment if the service sends it: the document's answer contains only the address. */
  readonly attachmentId?: string
  /** Set if the service rejected the links to videos and modules, and accepted the rest. */
  readonly withoutLinks?: true
}

export interface FreshFile {
  readonly attachment: Attachment
  /** The download address: a secret that is valid for a limited time. */
  readonly url: URL
  /** The address of the service that named `url`. */
  readonly namedBy: URL
}

/** A change of the texts; the document always requires type and title. */
export type AttachmentEdit = AttachmentTexts &
  AttachmentLinks &
  ({ readonly type: 'INTERNAL' } | { readonly type: 'EXTERNAL'; readonly url?: string })

/**
 * The six endpoints of an attachments service (attachments-service.md, section 4).
 *
 * Each throws `attachments/invalid-request` (`details.field`; nothing was sent), `attachments/forbidden` (401 and 403),
 * `attachments/not-found` (404: missing, or its file is not uploaded yet), `attachments/unavailable` (429 and 5xx),
 * `attachments/refused` (any other refusal), `attachments/invalid-response`, and the errors of HttpClient. Refusals have
 * `details.status`, and if the server sends them its message in `details.error` and `details.retryAfterSeconds`.
 */
export interface AttachmentsClient {
  /** The caller, if the settings name one: the author of new attachments. */
  readonly author?: string | undefined
  /** Returns one page, without the records that cannot be read, but with their number. */
  list(query?: AttachmentQuery, signal?: AbortSignal): Promise<AttachmentPage>
  /** Returns the attachments of a video, which members may read too. This call has no pages. */
  forVideo(videoId: string, signal?: AbortSignal): Promise<AttachmentPage>
  /** Returns one attachment; a file comes with a new download address. */
  show(id: string, signal?: AbortSignal): Promise<Attachment>
  /**
   * Returns a file with a new download address. Throws `attachments/not-a-file` for a link, and
   * `attachments/invalid-response` if the address is not allowed.
   */
  freshFile(id: string, signal?: AbortSignal): Promise<FreshFile>
  addLink(link: NewLink, signal?: AbortSignal): Promise<Attachment>
  /** Creates the attachment of a file that is uploaded afterwards (`AttachmentTransfers` does both). */
  announceFile(file: NewFile, signal?: AbortSignal): Promise<AwaitedFile>
  /** Changes an attachment; returns its new state if the service sends it. */
  edit(id: string, edit: AttachmentEdit, signal?: AbortSignal): Promise<Attachment | undefined>
  /** Requests an upload address for a new file; the old file stays until the new one is uploaded. */
  replaceFile(id: string, file: NewFile, signal?: AbortSignal): Promise<AwaitedFile>
  remove(id: string, signal?: AbortSignal): Promise<void>
}
