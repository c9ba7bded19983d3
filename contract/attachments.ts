import { z } from 'zod'
import { errorReport } from './error-codes'

/**
 * What crosses for attachments (attachments-service.md). Pre-signed URLs and paths of files stay in main: the page names a
 * file that the person has chosen by the number that main gave it.
 */

const instance = z.object({ instanceId: z.string().max(2048) })
const one = instance.extend({ attachmentId: z.string().min(1).max(1024) })
const aTransfer = z.object({ transferId: z.string().max(64) })
const fileId = z.string().max(64)
const nothing = z.void()
const text = z.string().max(16_384)
const ids = z.array(z.string().max(1024)).max(100)
const texts = { title: text, description: text, videos: ids, modules: ids }

export const attachmentItem = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string().optional(),
  type: z.enum(['INTERNAL', 'EXTERNAL']),
  status: z.enum(['IN_PROGRESS', 'COMPLETED']),
  extension: z.string().optional(),
  videos: z.array(z.string()),
  modules: z.array(z.string()),
  /** Of a link, as the server wrote it; only main opens it, and only what may be opened. */
  address: z.string().optional(),
})
export type AttachmentItem = z.infer<typeof attachmentItem>

/** `seenAt`: where the service could not be reached, and this is what it last said; ms since the epoch. */
const seenAt = z.number().optional()
const attachmentPage = z.object({
  data: z.array(attachmentItem),
  /** Of all pages. */
  totalCount: z.number(),
  /** How many of this page are left out, as they cannot be read. */
  unreadable: z.number(),
  seenAt,
})
export type AttachmentPageAnswer = z.infer<typeof attachmentPage>

/** Empty ones filter nothing. */
export const attachmentFilter = z.object({ userId: z.string().max(1024), videos: ids, modules: ids })
export type AttachmentFilter = z.infer<typeof attachmentFilter>

/** A file that the person has chosen or dropped. */
export const chosenFile = z.object({ fileId, name: z.string(), title: z.string(), bytes: z.number() })
export type ChosenFile = z.infer<typeof chosenFile>

const chosen = z.object({
  files: z.array(chosenFile),
  /** The names of those that cannot be uploaded, such as folders, and why. */
  refused: z.array(z.object({ name: z.string(), error: errorReport })),
})
export type ChosenFiles = z.infer<typeof chosen>

/**
 * An upload or a download, from when it was asked for until it is dismissed. Its states are those of
 * main/services/attachments/transfer.ts.
 */
export const transferItem = z.object({
  id: z.string(),
  instanceId: z.string(),
  kind: z.enum(['upload', 'replacement', 'download']),
  /** The attachment, once there is one. */
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
  /** While waiting: when it is tried again by itself; ms since the epoch. */
  retryAt: z.number().optional(),
  /** Why it failed. */
  error: errorReport.optional(),
  /** What a failed or cancelled upload has left at the service: its attachment, or one that is not known for certain. */
  left: z.enum(['identified', 'unidentified']).optional(),
  /** Of an upload whose service did not take its videos and modules. */
  withoutLinks: z.literal(true).optional(),
  bytes: z.number(),
  totalBytes: z.number().optional(),
  bytesPerSecond: z.number().optional(),
  secondsLeft: z.number().optional(),
  /** Of a download that is done: whether its file may be opened, or only be shown in its folder. */
  opens: z.enum(['file', 'folder']).optional(),
})
export type TransferItem = z.infer<typeof transferItem>

/** An attachment that is to be deleted in a moment, or whose deletion was refused. */
export const deletionItem = z.object({
  instanceId: z.string(),
  attachmentId: z.string(),
  title: z.string(),
  state: z.enum(['waiting', 'sending', 'failed']),
  error: errorReport.optional(),
})
export type DeletionItem = z.infer<typeof deletionItem>

/** Who the person says to be at the service of an instance, where the settings name one. */
const attachmentsIdentity = z.object({
  userId: z.string().optional(),
  roles: z.array(z.enum(['ADMINISTRATOR', 'CONTRIBUTOR', 'MEMBER'])).optional(),
})
export type AttachmentsIdentity = z.infer<typeof attachmentsIdentity>

export const attachmentsSlices = {
  /** Newest last. */
  transfers: z.array(transferItem),
  deletions: z.array(deletionItem),
}

export const attachmentsCommands = {
  attachmentsIdentity: { input: instance, output: attachmentsIdentity },
  /** One page, of up to as many as are asked for. */
  listAttachments: {
    input: instance.extend({
      /** From 1. */
      page: z.int().min(1).max(1_000_000),
      pageSize: z.int().min(1).max(100),
      filter: attachmentFilter,
    }),
    output: attachmentPage,
  },
  /** As many as the service gives of this video, perhaps not all. */
  listAttachmentsOfVideo: {
    input: instance.extend({ videoId: z.string().min(1).max(1024) }),
    output: attachmentPage,
  },
  showAttachment: { input: one, output: z.object({ data: attachmentItem, seenAt }) },
  addAttachmentLink: {
    input: instance.extend({ ...texts, address: text }),
    output: attachmentItem,
  },
  /** What is left out stays as it is; `address`: of a link. */
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
  /** Has the person choose files in a window of the system; none are chosen where they change their mind. */
  chooseFiles: { input: z.object({ several: z.boolean() }), output: chosen },
  /** Starts an upload for each; how they go is in the slice `transfers`. */
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
  /** Has the person choose where to in a window of the system, then starts the download. */
  downloadAttachment: { input: one, output: nothing },
  cancelTransfer: { input: aTransfer, output: nothing },
  retryTransfer: { input: aTransfer, output: nothing },
  dismissTransfer: { input: aTransfer, output: nothing },
  /** Opens a finished download with the system's program for it, or shows it in its folder. */
  openDownload: { input: aTransfer, output: nothing },
  showDownload: { input: aTransfer, output: nothing },
  openAttachmentLink: { input: one, output: nothing },
  /** Is sent some seconds later, or when the window closes; until then it can be undone. */
  deleteAttachment: { input: one.extend({ title: text }), output: nothing },
  /** Also takes away the note of a deletion that failed. */
  undoDeleteAttachment: { input: one, output: nothing },
} as const
