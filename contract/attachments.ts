import { z } from 'zod'
import { serviceRoles } from './choices'
import { instance } from './connection'
import { errorReport } from './error-codes'

/**
 * Schemas and commands for attachments (attachments-service.md). Pre-signed URLs and file paths stay in main: the page
 * refers to a chosen file by the id that main gave it.
 */

const one = instance.extend({ attachmentId: z.string().min(1).max(1024) })
const aTransfer = z.object({ transferId: z.string().max(64) })
const fileId = z.string().max(64)
const nothing = z.void()
const text = z.string().max(16_384)
const ids = z.array(z.string().max(1024)).max(100)
const texts = { title: text, description: text, videos: ids, modules: ids }

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
const seenAt = z.number().optional()
const attachmentPage = z.object({
  data: z.array(attachmentItem),
  /** The total over all pages. */
  totalCount: z.number(),
  /** The number of invalid records left out of this page. */
  unreadable: z.number(),
  seenAt,
  /** The host that can't be reached then. */
  host: z.string().optional(),
})
export type AttachmentPageAnswer = z.infer<typeof attachmentPage>

/** Facts that a storage reports about the file of an attachment; those that are unknown are missing. */
const storedFile = z.object({
  bytes: z.int().nonnegative().optional(),
  /** The time of the last change; ms since the epoch. */
  changedAt: z.number().optional(),
})
export type StoredFileFacts = z.infer<typeof storedFile>

/** Filter criteria; empty ones match everything. */
const attachmentFilter = z.object({ userId: z.string().max(1024), videos: ids, modules: ids })
export type AttachmentFilter = z.infer<typeof attachmentFilter>

/** A file that the user chose or dropped. */
const chosenFile = z.object({ fileId, name: z.string(), title: z.string(), bytes: z.number() })
export type ChosenFile = z.infer<typeof chosenFile>

const chosen = z.object({
  files: z.array(chosenFile),
  /** Files that can't be uploaded, such as folders, and why. */
  refused: z.array(z.object({ name: z.string(), error: errorReport })),
})
export type ChosenFiles = z.infer<typeof chosen>

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
const attachmentsIdentity = z.object({
  userId: z.string().optional(),
  roles: z.array(z.enum(serviceRoles)).optional(),
})
export type AttachmentsIdentity = z.infer<typeof attachmentsIdentity>

export const attachmentsSlices = {
  /** Newest last. */
  transfers: z.array(transferItem),
  deletions: z.array(deletionItem),
}

export const attachmentsCommands = {
  attachmentsIdentity: { input: instance, output: attachmentsIdentity },
  /** Returns one page of at most `pageSize` attachments. */
  listAttachments: {
    input: instance.extend({
      /** Starts at 1. */
      page: z.int().min(1).max(1_000_000),
      pageSize: z.int().min(1).max(100),
      filter: attachmentFilter,
    }),
    output: attachmentPage,
  },
  /** Returns the attachments of a video that the service lists, which may not be all. */
  listAttachmentsOfVideo: {
    input: instance.extend({ videoId: z.string().min(1).max(1024) }),
    output: attachmentPage,
  },
  showAttachment: { input: one, output: z.object({ data: attachmentItem, seenAt }) },
  /**
   * Returns what the storage reports about a file; unknown facts are missing. Fails with `http/cancelled` if the command
   * runs again meanwhile.
   */
  attachmentFile: { input: one, output: storedFile },
  addAttachmentLink: {
    input: instance.extend({ ...texts, address: text }),
    output: attachmentItem,
  },
  /** Changes only the given fields. `address` applies to links. */
  editAttachment: {
    input: one.extend({
      type: z.enum(['INTERNAL', 'EXTERNAL']),
      title: text,
      description: text.optional(),
      address: text.optional(),
      videos: ids.optional(),
      modules: ids.optional(),
    }),
    output: nothing,
  },
  /** Opens the system's file dialog; returns no files if the user cancels it. */
  chooseFiles: { input: z.object({ several: z.boolean() }), output: chosen },
  /** Starts an upload for each file; the slice `transfers` shows the progress. */
  uploadFiles: {
    input: instance.extend({
      files: z
        .array(z.object({ ...texts, fileId }))
        .min(1)
        .max(1000),
    }),
    output: nothing,
  },
  replaceAttachmentFile: { input: one.extend({ fileId, title: text }), output: nothing },
  /** Opens the system's save dialog, then starts the download. */
  downloadAttachment: { input: one, output: nothing },
  cancelTransfer: { input: aTransfer, output: nothing },
  retryTransfer: { input: aTransfer, output: nothing },
  dismissTransfer: { input: aTransfer, output: nothing },
  /** Opens a finished download with the default program, or shows it in its folder. */
  openDownload: { input: aTransfer, output: nothing },
  showDownload: { input: aTransfer, output: nothing },
  openAttachmentLink: { input: one, output: nothing },
  /** Deletes after a few seconds, or when the window closes. It can be undone until then. */
  deleteAttachment: { input: one.extend({ title: text }), output: nothing },
  /** Also dismisses a failed deletion. */
  undoDeleteAttachment: { input: one, output: nothing },
} as const
