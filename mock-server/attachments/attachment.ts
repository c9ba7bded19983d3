import { z } from 'zod'
import { wholeNumber, wholeNumberOr } from '../http/parameters'

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

const maxId = 100
const maxLinks = 100

const id = z.string().min(1).max(maxId)
const links = z.array(id).max(maxLinks)
const filter = z.preprocess(
  (given) => (typeof given === 'string' ? [given] : given),
  z.array(z.string()).max(100),
)

/** The document has no parameters for the list of a video, so without them the list is complete. */
export const videoQuery = z.object({
  pageSize: wholeNumber(1, 100)
    .optional()
    .describe('Not in the document. The size of a page; all attachments if omitted.'),
  page: wholeNumber(1, 1_000_000_000)
    .optional()
    .describe('Not in the document. The number of the page, from 1.'),
})

export type PageQuery = Required<z.infer<typeof videoQuery>>

export const listQuery = z.object({
  pageSize: wholeNumberOr(10, 1, 100).describe('The size of a page; default 10.'),
  page: wholeNumberOr(1, 1, 1_000_000_000).describe('The number of the page, from 1.'),
  userId: z.string().optional().describe('Only those that this user created.'),
  videos: filter.optional().describe('Only those linked to one of these videos; repeat it for several.'),
  modules: filter.optional().describe('Only those linked to one of these modules; repeat it for several.'),
})
export type Filter = Pick<z.infer<typeof listQuery>, 'userId' | 'videos' | 'modules'>

const title = z.string().min(1).max(500)
const description = z.string().max(5000)
const extension = z
  .string()
  .regex(/^[A-Za-z0-9]{1,16}$/, { error: 'must be 1 to 16 letters and digits, without a dot' })
export const linkUrl = z
  .url({ protocol: /^https?$/, hostname: /./, error: 'must be an http or https URL' })
  .regex(/^https?:\/\//i, { error: 'must be an http or https URL' })
  .max(2048)
/** A field that is checked for its type and otherwise ignored, because it belongs to the other type of attachment. */
const ignored = z.string().max(16_384)

const common = {
  title,
  description: description.exactOptional(),
  videos: links
    .exactOptional()
    .describe('Not in the document, which has no other way to link: ids of videos.'),
  modules: links
    .exactOptional()
    .describe('Not in the document, which has no other way to link: ids of modules.'),
}

export const createBody = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('INTERNAL'), ...common, extension, url: ignored.optional() }),
    z.object({ type: z.literal('EXTERNAL'), ...common, url: linkUrl, extension: ignored.optional() }),
  ],
  { error: 'must be an attachment with the type INTERNAL or EXTERNAL' },
)
export type CreateBody = z.infer<typeof createBody>

/** Body of a patch request (the attachment base of section 2); missing fields stay as they are. */
export const patchBody = z.object({
  type: typeSchema.exactOptional(),
  title: title.exactOptional(),
  description: description.exactOptional(),
  extension: extension.exactOptional().describe('Replaces the file: the answer has the URL to upload it.'),
  url: ignored
    .exactOptional()
    .describe('For a link, an http or https URL of at most 2048 characters; ignored for a file.'),
  videos: common.videos,
  modules: common.modules,
})
export type PatchBody = z.infer<typeof patchBody>

const documentedQuery = Object.keys(listQuery.shape)
const documentedBody = ['type', 'title', 'description', 'extension', 'url']

export function undocumented(isList: boolean, query: unknown, body: unknown): string[] {
  const names = (given: unknown) => (typeof given === 'object' && given !== null ? Object.keys(given) : [])
  return [
    ...names(query).filter((name) => !isList || !documentedQuery.includes(name)),
    ...names(body).filter((name) => !documentedBody.includes(name)),
  ]
}

export const idParams = z.object({ id: z.string() })
export const videoParams = z.object({ videoId: z.string() })

/** The answer to a new file, with only the address, and that to everything else, with the whole attachment. */
export const attachmentOrUpload = attachmentSchema.partial().required({ url: true }).meta({
  id: 'AttachmentOrUpload',
  description:
    'For a file, only `url`: the pre-signed URL to which it is uploaded with PUT. Otherwise the whole attachment.',
})

export const pageSchema = z
  .object({
    data: z.array(attachmentSchema),
    totalCount: z.int().min(0).describe('The number of attachments on all pages.'),
  })
  .meta({
    id: 'AttachmentPage',
    description: 'One page, last update first; `items` instead of `data` only after a control call for it.',
  })
