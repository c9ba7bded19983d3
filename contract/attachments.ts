import { z } from 'zod'
import { serviceRoles } from './choices'
import { errorReport } from './error-codes'

/**
 * Schemas for attachments (attachments-service.md). Pre-signed URLs and file paths stay in main: the page
 * refers to a chosen file by the id that main gave it.
 */

export const fileId = z.string().max(64)
export const attachmentIds = z.array(z.string().max(1024)).max(100)

/** An uploaded file (`INTERNAL`) or a link (attachments-service.md, section 2). */
export const attachmentItem = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string().optional(),
  type: z.enum(['INTERNAL', 'EXTERNAL']),
  /** For a file, `COMPLETED` once it is uploaded. */
  status: z.enum(['IN_PROGRESS', 'COMPLETED']),
  extension: z.string().optional(),
  videos: z.array(z.string()).readonly(),
  modules: z.array(z.string()).readonly(),
  /** The URL of a link, as the server wrote it. Only main opens it, after checking that it's safe. */
  address: z.string().optional(),
})
export type AttachmentItem = z.infer<typeof attachmentItem>

/** The time of a cached answer, shown because the service can't be reached; ms since the epoch. */
const cachedAt = z.number().optional()
export const attachmentPage = z.object({
  data: z.array(attachmentItem),
  /** The total over all pages. */
  totalCount: z.number(),
  /** The number of invalid records left out of this page. */
  unreadable: z.number(),
  cachedAt,
  /** The host that can't be reached then. */
  host: z.string().optional(),
})
export type AttachmentPageAnswer = z.infer<typeof attachmentPage>

/** Facts that a storage reports about the file of an attachment; those that are unknown are missing. */
export const storedFile = z.object({
  bytes: z.int().nonnegative().optional(),
  /** The time of the last change; ms since the epoch. */
  changedAt: z.number().optional(),
})
export type StoredFileFacts = z.infer<typeof storedFile>

/** Filter criteria; empty ones match everything. */
export const attachmentFilter = z.object({
  userId: z.string().max(1024),
  videos: attachmentIds,
  modules: attachmentIds,
})
export type AttachmentFilter = z.infer<typeof attachmentFilter>

/** A file that the user chose or dropped. */
const chosenFile = z.object({ fileId, name: z.string(), title: z.string(), bytes: z.number() })
export type ChosenFile = z.infer<typeof chosenFile>

export const chosenFiles = z.object({
  files: z.array(chosenFile),
  /** Files that can't be uploaded, such as folders, and why. */
  refused: z.array(z.object({ name: z.string(), error: errorReport })),
})
export type ChosenFiles = z.infer<typeof chosenFiles>

/**
 * An upload or a download, from the request until it's dismissed. `preparing`: requests the address. `waiting`: lost the
 * connection, and retries automatically. `confirming`: the file is uploaded, but the service has not confirmed it; other
 * transfers run meanwhile. `unconfirmed`: the service did not confirm it for minutes, which is not a failure.
 */
const transferItem = z.object({
  id: z.string(),
  instanceId: z.string(),
  kind: z.enum(['upload', 'replacement', 'download']),
  /** The attachment; for an upload, once it is certain. */
  attachmentId: z.string().optional(),
  title: z.string(),
  state: z.enum([
    'queued',
    'preparing',
    'transferring',
    'waiting',
    'confirming',
    'unconfirmed',
    'done',
    'cancelled',
    'failed',
  ]),
  /** While waiting, the time of the next automatic retry; ms since the epoch. */
  retryAt: z.number().optional(),
  error: errorReport.optional(),
  /**
   * Remains of a failed or cancelled upload at the service: the attachment `attachmentId` without its file, or possibly an
   * attachment that could not be identified.
   */
  left: z.enum(['identified', 'unidentified']).optional(),
  /** Set if the service didn't accept the upload's videos and modules. */
  withoutLinks: z.literal(true).optional(),
  bytes: z.number(),
  /** Undefined if the server does not send the file's length. */
  totalBytes: z.number().optional(),
  /** Smoothed over a few seconds, like `secondsLeft`. */
  bytesPerSecond: z.number().optional(),
  secondsLeft: z.number().optional(),
  /** For a finished download: opens the file, or only shows it in its folder. */
  opens: z.enum(['file', 'folder']).optional(),
})
export type TransferItem = z.infer<typeof transferItem>

/** An attachment whose deletion is pending or was refused. */
const deletionItem = z.object({
  instanceId: z.string(),
  attachmentId: z.string(),
  title: z.string(),
  state: z.enum(['waiting', 'sending', 'failed']),
  error: errorReport.optional(),
})
export type DeletionItem = z.infer<typeof deletionItem>

/** The user's identity at an instance's attachment service, if the settings name one. */
export const attachmentsIdentity = z.object({
  userId: z.string().optional(),
  roles: z.array(z.enum(serviceRoles)).optional(),
})
export type AttachmentsIdentity = z.infer<typeof attachmentsIdentity>

export const attachmentsSlices = {
  /** Newest last. */
  transfers: z.array(transferItem),
  deletions: z.array(deletionItem),
}
