import { hasCode } from '../../errors'
import type { Attachment, AttachmentQuery } from './attachment'
import type { AttachmentsClient } from './attachments-client'

const pageSize = 100
/** Maximum number of pages that are searched. */
const maxPages = 50

/** The attachments that a query finds. */
export interface Listed {
  readonly attachments: readonly Attachment[]
  /** False if the service has more than were read. */
  readonly isWhole: boolean
}

/**
 * Returns all attachments that match a query, in any order and page size of the service; `until` ends the search early.
 * Throws the errors of `list`.
 */
export async function listWhole(
  client: Pick<AttachmentsClient, 'list'>,
  query: AttachmentQuery,
  signal?: AbortSignal,
  until: (attachment: Attachment) => boolean = () => false,
): Promise<Listed> {
  const found = new Map<string, Attachment>()
  let unreadableCount = 0
  for (let page = 1; page <= maxPages; page += 1) {
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
 * Returns the current state of an attachment, also while its file is not uploaded yet: then it answers 404
 * (attachments-service.md, section 7), and only the list contains it. Throws the errors of `show`, and those
 * of `list` if the list has to be read: only an attachment that neither knows is `attachments/not-found`.
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
    const listed = await listWhole(client, {}, signal, isMeant)
    const found = listed.attachments.find(isMeant)
    if (found === undefined) throw error
    return found
  }
}

/**
 * Returns the id of the attachment that was created for a file, if it is certain: the document's answer contains only the
 * upload address. The attachment must be the only one at this address, not listed before, and a file of the right author
 * that is not uploaded yet, or with `isUploaded` may be complete.
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

/** Query parameters that storages add to sign an address; they differ for each signature. */
const signature =
  /^(x-(amz|goog|oss|cos|obs)-.*|(aws|google|oss)access(key)?id|key-pair-id|policy|signature|expires|sig|se|st)$/i

/** Returns an address without its signature, or without its whole query, which differs between methods for the same file. */
function placeOf({ origin, pathname, searchParams }: URL, withoutQuery: boolean): string {
  const rest = withoutQuery ? [] : [...searchParams].filter(([name]) => !signature.test(name))
  return JSON.stringify([origin, pathname, rest.map((pair) => pair.join('=')).sort()])
}
