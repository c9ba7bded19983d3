import { z } from 'zod'
import { CausewayError } from '../../errors'
import { parseJson } from '../../json'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import { unavailable } from '../../platform/http/unavailable'
import type { Attachment, AttachmentPage } from './attachment'

/** Null where the document says "not required" means the same as left out. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)

const attachment: z.ZodType<Attachment> = z
  .object({
    id: z.string().min(1),
    userId: z.string(),
    url: z.string(),
    status: z.enum(['IN_PROGRESS', 'COMPLETED']),
    type: z.enum(['INTERNAL', 'EXTERNAL']),
    title: z.string(),
    description: optionalText,
    extension: optionalText,
    videos: z.array(z.string()),
    modules: z.array(z.string()),
  })
  .transform(({ description, extension, ...rest }) => ({
    ...rest,
    ...(description === undefined ? {} : { description }),
    ...(extension === undefined ? {} : { extension }),
  }))
const totalCount = z.int().nonnegative()

const records = z.array(z.unknown())

/** The document says `data`; a known server says `items` (field notes). A bad record does not spoil the others. */
const page: z.ZodType<AttachmentPage> = z
  .union([
    z.object({ data: records, totalCount }),
    z.object({ items: records, totalCount }).transform(({ items, ...rest }) => ({ data: items, ...rest })),
  ])
  .transform(({ data: all, totalCount }) => {
    const data = all.flatMap((record) => attachment.safeParse(record).data ?? [])
    return { data, totalCount, unreadable: all.length - data.length }
  })

const upload = z.object({ url: z.string() })

/** A page (section 2). Throws `attachments/invalid-response` as the others here do. */
export function readPage(response: HttpResponse): AttachmentPage {
  return parsed(response, page, [200])
}

export function readAttachment(response: HttpResponse, statuses: readonly number[]): Attachment {
  return parsed(response, attachment, statuses)
}

/** The address that a file goes to: the document's upload response, or that of a whole attachment (field notes). */
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

/** Throws when the service refused (section 7, and what real servers do besides). */
export function throwRefusal(response: HttpResponse, now: number): void {
  const { url, status, text } = response
  if (status < 400) return
  const body = z
    .object({ message: z.union([z.string(), z.array(z.string()).transform((all) => all.join(', '))]) })
    .safeParse(parseJson(text))
  const error = body.success ? printable(body.data.message) : undefined
  const words = error === undefined || error === '' ? '' : ` (“${error}”)`
  const retryAfter = retryAfterSeconds(response.headers, now)
  const details = {
    host: url.host,
    status,
    ...(error === undefined ? {} : { error }),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  }
  if (status === 401 || status === 403) {
    throw new CausewayError(
      'attachments/forbidden',
      `You don't have permission to do this on ${url.host}${words}. Check your user ID and roles with "causeway instance set", or ask your organization for the role you need.`,
      { details },
    )
  }
  if (status === 404) {
    throw new CausewayError(
      'attachments/not-found',
      `This attachment doesn't exist on ${url.host}, or its file hasn't been uploaded yet. To list the attachments, run: causeway attachment list`,
      { details },
    )
  }
  const later = unavailable(status, retryAfter)
  if (later !== undefined) {
    throw new CausewayError(
      'attachments/unavailable',
      `${url.host} ${later.what}${words}, status ${status}. ${later.todo}`,
      { details },
    )
  }
  throw new CausewayError(
    'attachments/refused',
    `${url.host} refused the request${words}. Try again later, or ask your organization whether you have access to it.`,
    { details },
  )
}

/**
 * Returns which of these fields a refusal names as wrong. The links to videos and modules are not in the document, so
 * that a strict service takes a request only without them.
 */
export function namedFields(
  { status, text }: Pick<HttpResponse, 'status' | 'text'>,
  fields: readonly string[],
): readonly string[] {
  return status === 400 ? fields.filter((field) => new RegExp(`\\b${field}\\b`).test(text)) : []
}

export function invalidResponse({ url, status }: Pick<HttpResponse, 'url' | 'status'>): CausewayError {
  return new CausewayError(
    'attachments/invalid-response',
    `The attachment service's response from ${url.host} isn't valid. Report this to the service's administrator.`,
    { details: { host: url.host, status } },
  )
}

function parsed<T>(response: HttpResponse, schema: z.ZodType<T>, statuses: readonly number[]): T {
  const body = statuses.includes(response.status) ? schema.safeParse(parseJson(response.text)) : undefined
  if (body?.success !== true) throw invalidResponse(response)
  return body.data
}

/** The error for what only files can do. */
export function notAFile(): CausewayError {
  return new CausewayError(
    'attachments/not-a-file',
    'This attachment is a link, not a file. Open the link instead.',
  )
}
