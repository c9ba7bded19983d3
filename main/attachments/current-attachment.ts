import { hasCode } from '../errors'
import type { Attachment } from './attachment'
import type { AttachmentsClient } from './attachments-client'

/**
 * An attachment as it is, also while its file is awaited: then it answers 404 itself (attachments-service.md, section 7), and
 * is on the first page of the list, which has the last update first. Throws what showing it throws.
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
    const page = await client.list({ pageSize: 100 }, signal).catch(() => undefined)
    const listed = page?.data.find((attachment) => attachment.id === id)
    if (listed === undefined) throw error
    return listed
  }
}
