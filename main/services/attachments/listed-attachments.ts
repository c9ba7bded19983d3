import { hasCode } from '../../errors'
import type { Attachment, AttachmentQuery } from './attachment'
import type { AttachmentsClient } from './attachments-client'

const pageSize = 100
/** A service with more pages than these is not searched to its end. */
const mostPages = 50

/** The attachments that a query finds. */
export interface Listed {
  readonly attachments: readonly Attachment[]
  /** False where the service has more than were looked at. */
  readonly isWhole: boolean
}

/**
 * Returns all attachments that a query finds, in whatever order the service lists them and however many it puts on a
 * page; `until` ends the search early. Throws what listing throws.
 */
export async function listWhole(
  client: Pick<AttachmentsClient, 'list'>,
  query: AttachmentQuery,
  signal?: AbortSignal,
  until: (attachment: Attachment) => boolean = () => false,
): Promise<Listed> {
  const found = new Map<string, Attachment>()
  let unreadableCount = 0
  for (let page = 1; page <= mostPages; page += 1) {
    const before = found.size + unreadableCount
    const { data, totalCount, unreadable } = await client.list({ ...query, pageSize, page }, signal)
    for (const attachment of data) found.set(attachment.id, attachment)
    unreadableCount += unreadable
    const count = found.size + unreadableCount
    if (count >= totalCount) return { attachments: [...found.values()], isWhole: true }
    if (count === before || data.some(until)) break
  }
  return { attachments: [...found.values()], isWhole: false }
}

/**
 * Returns an attachment as it is now, also while its file is awaited: then it answers 404 itself
 * (attachments-service.md, section 7), and only the list has it. Throws what showing it throws.
 */
export async function currentAttachment(
  client: Pick<AttachmentsClient, 'show' | 'list'>,
  id: string,
  signal?: AbortSignal,
): Promise<Attachment> {
  try {
    return await client.show(id, signal)
  } catch (error) {
    if (!hasCode(error, 'attachments/not-found')) throw error
    const isMeant = (attachment: Attachment): boolean => attachment.id === id
    const listed = await listWhole(client, {}, signal, isMeant).catch(() => undefined)
    const found = listed?.attachments.find(isMeant)
    if (found === undefined) throw error
    return found
  }
}

/**
 * Returns the id of the attachment that was created for a file, where it is certain: the document's answer is the
 * address for the upload alone. It is the only one at this address, was not listed before, and is a file of the right
 * author whose upload is awaited, or with `isUploaded` may be complete.
 */
export function createdAttachment(
  before: Listed,
  after: Listed,
  {
    uploadUrl,
    author,
    isUploaded = false,
  }: { readonly uploadUrl: URL; readonly author: string | undefined; readonly isUploaded?: boolean },
): string | undefined {
  if (!before.isWhole || !after.isWhole) return undefined
  const place = placeOf(uploadUrl, isUploaded)
  const isThere = ({ type, url }: Attachment): boolean =>
    type === 'INTERNAL' && URL.canParse(url) && placeOf(new URL(url), isUploaded) === place
  const [created, ...others] = after.attachments.filter(isThere)
  if (created === undefined || others.length > 0 || before.attachments.some(isThere)) return undefined
  const { id, userId, status } = created
  const isNew = before.attachments.every((attachment) => attachment.id !== id)
  const isRight = (author === undefined || userId === author) && (isUploaded || status === 'IN_PROGRESS')
  return isNew && isRight ? id : undefined
}

/** What storages add to an address to sign it: it differs each time that the same place is signed. */
const signature =
  /^(x-(amz|goog|oss|cos|obs)-.*|(aws|google|oss)access(key)?id|key-pair-id|policy|signature|expires|sig|se|st)$/i

/** What an address names without its signature; without its query where another method is signed for the same file. */
function placeOf({ origin, pathname, searchParams }: URL, withoutQuery: boolean): string {
  const rest = withoutQuery ? [] : [...searchParams].filter(([name]) => !signature.test(name))
  return JSON.stringify([origin, pathname, rest.map((pair) => pair.join('=')).sort()])
}
