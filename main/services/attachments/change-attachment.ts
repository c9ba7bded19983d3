import { CausewayError } from '../../errors'
import type { Attachment } from './attachment'
import type { AttachmentEdit, AttachmentLinks, AttachmentsClient } from './attachments-client'
import { currentAttachment } from './listed-attachments'

/** The fields to change. */
export interface AttachmentChanges extends AttachmentLinks {
  readonly type?: AttachmentEdit['type']
  readonly title?: string
  readonly description?: string
  /** Of a link. */
  readonly url?: string
}

/**
 * Changes these fields of an attachment; returns its new state if the service sends it. The document always requires type and
 * title: who knows both spares the request for them. Otherwise unchanged fields are sent too, because the document doesn't say that
 * missing ones stay.
 */
export async function changeAttachment(
  client: Pick<AttachmentsClient, 'show' | 'list' | 'edit'>,
  id: string,
  { type, title, url, ...texts }: AttachmentChanges,
  signal?: AbortSignal,
): Promise<Attachment | undefined> {
  if (type !== undefined && title !== undefined) {
    const known = { ...texts, title }
    return client.edit(id, type === 'EXTERNAL' ? { ...known, type, url } : { ...known, type }, signal)
  }
  const now = await currentAttachment(client, id, signal)
  const whole = {
    ...texts,
    title: title ?? now.title,
    description: texts.description ?? now.description,
  }
  if (now.type === 'EXTERNAL')
    return client.edit(id, { ...whole, type: now.type, url: url ?? now.url }, signal)
  if (url === undefined) return client.edit(id, { ...whole, type: now.type }, signal)
  throw new CausewayError('usage/invalid-argument', {
    variant: 'file-has-no-address',
    details: { argument: 'url' },
  })
}
