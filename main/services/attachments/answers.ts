import { z } from 'zod'
import { attachmentItem } from '../../../contract/attachments'
import { CausewayError } from '../../errors'
import { parseJson } from '../../json'
import { recordsOf, toNumber } from '../../loose'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../../contract/safe-text'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import type { Attachment, AttachmentPage } from './attachment'

/** An optional text; null means the same as left out. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)

const attachment: z.ZodType<Attachment> = attachmentItem.omit({ address: true }).extend({
  id: z.string().min(1),
  url: z.string(),
  description: optionalText,
  extension: optionalText,
})
const totalCount = z.preprocess(toNumber, z.int().nonnegative())

/** A page, as `data` in the document or as `items` from a known server (field notes). */
const page: z.ZodType<AttachmentPage> = z
  .union([
    z.object({ data: recordsOf(attachment), totalCount }),
    z
      .object({ items: recordsOf(attachment), totalCount })
      .transform(({ items: data, totalCount }) => ({ data, totalCount })),
  ])
  .transform(({ data: { items: data, unreadable }, totalCount }) => ({ data, totalCount, unreadable }))

const upload = z.object({ url: z.string() })

/** Reads a page (section 2). Throws `attachments/invalid-response`, like the other functions here. */
export function readPage(response: HttpResponse): AttachmentPage {
  return parsed(response, page, [200])
}

export function readAttachment(response: HttpResponse, statuses: readonly number[]): Attachment {
  return parsed(response, attachment, statuses)
}

/** Reads the upload address from the document's upload response or from a whole attachment (field notes). */
export function readUpload(
  response: HttpResponse,
  statuses: readonly number[],
): { readonly url: string; readonly attachmentId?: string } {
  const body = readAttachmentOrUpload(response, statuses)
  return 'id' in body ? { url: body.url, attachmentId: body.id } : { url: body.url }
}

export function readAttachmentOrUpload(
  response: HttpResponse,
  statuses: readonly number[],
): Attachment | { readonly url: string } {
  return parsed<Attachment | { readonly url: string }>(response, z.union([attachment, upload]), statuses)
}

/** Throws the error for a refusal (section 7, and the additional refusals of real servers). */
export function throwRefusal(response: HttpResponse, now: number): void {
  const { url, status, text } = response
  if (status < 400) return
  const body = z
    .object({ message: z.union([z.string(), z.array(z.string()).transform((all) => all.join(', '))]) })
    .safeParse(parseJson(text))
  const error = body.success ? printable(body.data.message) : undefined
  const retryAfter = retryAfterSeconds(response.headers, now)
  const details = {
    host: url.host,
    status,
    error,
    retryAfterSeconds: retryAfter,
  }
  if (status === 401 || status === 403) {
    throw new CausewayError('attachments/forbidden', { details })
  }
  if (status === 404) {
    throw new CausewayError('attachments/not-found', { details })
  }
  if (status === 429 || status >= 500) {
    throw new CausewayError('attachments/unavailable', { details })
  }
  throw new CausewayError('attachments/refused', { details })
}

/**
 * Returns the fields that a refusal rejects by name. The links to videos and modules are not in the document, so a strict
 * service accepts a request only without them.
 */
export function namedFields(
  { status, text }: Pick<HttpResponse, 'status' | 'text'>,
  fields: readonly string[],
): readonly string[] {
  return status === 400 ? fields.filter((field) => new RegExp(`\\b${field}\\b`).test(text)) : []
}

export function invalidResponse({ url, status }: Pick<HttpResponse, 'url' | 'status'>): CausewayError {
  return new CausewayError('attachments/invalid-response', { details: { host: url.host, status } })
}

function parsed<T>(response: HttpResponse, schema: z.ZodType<T>, statuses: readonly number[]): T {
  const body = statuses.includes(response.status) ? schema.safeParse(parseJson(response.text)) : undefined
  if (body?.success !== true) throw invalidResponse(response)
  return body.data
}

/** Creates the error for an operation that needs a file. */
export function notAFile(): CausewayError {
  return new CausewayError('attachments/not-a-file')
}
