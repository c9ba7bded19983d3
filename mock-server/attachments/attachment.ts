import { z } from 'zod'

export const typeSchema = z.enum(['INTERNAL', 'EXTERNAL'])

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
  .describe('The attachment.')
export type Attachment = z.infer<typeof attachmentSchema>

/** What is behind an attachment: an address, or a file by its key in the object storage. */
const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('EXTERNAL'), url: z.string() }),
  z.object({
    type: z.literal('INTERNAL'),
    extension: z.string(),
    /** The key under which a file is awaited; null when none is, which makes the attachment COMPLETED. */
    awaitedKey: z.string().nullable(),
    /** The key of the file that was uploaded last; null before the first. */
    fileKey: z.string().nullable(),
  }),
])

/** An attachment as the mock holds it. */
export const storedAttachmentSchema = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  videos: z.array(z.string()),
  modules: z.array(z.string()),
  content: contentSchema,
  /** Milliseconds; lists are sorted by it. */
  updatedAt: z.number(),
})
export type StoredAttachment = z.infer<typeof storedAttachmentSchema>

/** The first part of every key in the object storage. */
export function attachmentIdOf(key: string): string {
  return key.split('/', 1)[0] ?? ''
}

/** Whether a file that was promised is still to come. */
export function isInProgress({ content }: StoredAttachment): boolean {
  return content.type === 'INTERNAL' && content.awaitedKey !== null
}
