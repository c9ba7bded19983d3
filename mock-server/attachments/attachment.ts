import { z } from 'zod'

const typeSchema = z.enum(['INTERNAL', 'EXTERNAL'])

/** The entity of the attachments document, section 2. */
export const attachmentSchema = z
  .object({
    id: z.string(),
    userId: z.string().describe('Who created it.'),
    url: z
      .string()
      .describe(
        'The address of a link, or a pre-signed URL: to download an uploaded file; to upload one that is awaited, for ' +
          'its owner and administrators alone (empty for others).',
      ),
    status: z.enum(['IN_PROGRESS', 'COMPLETED']),
    type: typeSchema,
    title: z.string(),
    description: z.string().optional(),
    extension: z.string().optional(),
    videos: z.array(z.string()).describe('Ids of linked videos.'),
    modules: z.array(z.string()).describe('Ids of linked modules.'),
  })
  .meta({ id: 'Attachment', description: 'The attachment.' })
export type Attachment = z.infer<typeof attachmentSchema>

/** Content of an attachment: an address, or a file identified by its key in the object storage. */
const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('EXTERNAL'), url: z.string() }),
  z.object({
    type: z.literal('INTERNAL'),
    extension: z.string(),
    /** Key under which the storage awaits a file. Null when none is awaited: the attachment is COMPLETED. */
    awaitedKey: z.string().nullable(),
    /** Key of the last uploaded file; null before the first upload. */
    fileKey: z.string().nullable(),
  }),
])

export const storedAttachmentSchema = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  videos: z.array(z.string()),
  modules: z.array(z.string()),
  content: contentSchema,
  /** Milliseconds since the epoch; lists are sorted by it. */
  updatedAt: z.number(),
})
export type StoredAttachment = z.infer<typeof storedAttachmentSchema>

/** Returns the attachment id, which is the first part of every key in the object storage. */
export function attachmentIdOf(key: string): string {
  return key.split('/', 1)[0] ?? ''
}

export function isInProgress({ content }: StoredAttachment): boolean {
  return content.type === 'INTERNAL' && content.awaitedKey !== null
}
