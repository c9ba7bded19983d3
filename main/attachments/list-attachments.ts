import { z } from 'zod'
import { CausewayError } from '../errors'
import type { HttpClient, HttpResponse } from '../http/http-client'
import { printable } from '../http/printable'

/** An uploaded file (`INTERNAL`) or a link (attachments-service.md, section 2). */
export interface Attachment {
  readonly id: string
  readonly userId: string
  /** As the server wrote it: unchecked, and for a file good for a limited time only. */
  readonly url: string
  readonly status: 'IN_PROGRESS' | 'COMPLETED'
  readonly type: 'INTERNAL' | 'EXTERNAL'
  readonly title: string
  readonly description?: string | undefined
  readonly extension?: string | undefined
  readonly videos: readonly string[]
  readonly modules: readonly string[]
}

export interface AttachmentPage {
  readonly data: readonly Attachment[]
  /** Of all pages. */
  readonly totalCount: number
}

export interface AttachmentQuery {
  /** From 1; default 1. */
  readonly page?: number
  /** Default 10. */
  readonly pageSize?: number
  readonly userId?: string
  readonly videos?: readonly string[]
  readonly modules?: readonly string[]
}

/** Who asks, where no gateway in front of the service says it (section 5). */
export interface AttachmentIdentity {
  readonly userId: string
  readonly roles: readonly ('ADMINISTRATOR' | 'CONTRIBUTOR' | 'MEMBER')[]
}

const attachments: z.ZodType<Attachment[]> = z.array(
  z.object({
    id: z.string(),
    userId: z.string(),
    url: z.string(),
    status: z.enum(['IN_PROGRESS', 'COMPLETED']),
    type: z.enum(['INTERNAL', 'EXTERNAL']),
    title: z.string(),
    description: z.string().optional(),
    extension: z.string().optional(),
    videos: z.array(z.string()),
    modules: z.array(z.string()),
  }),
)
const totalCount = z.int().nonnegative()

/** The document says `data`; a known server says `items` (field notes). */
const page: z.ZodType<AttachmentPage> = z.union([
  z.object({ data: attachments, totalCount }),
  z.object({ items: attachments, totalCount }).transform(({ items, ...rest }) => ({ data: items, ...rest })),
])

/**
 * One page of attachments, newest first (attachments-service.md, section 4, `GET /attachments/`). `baseUrl` has no
 * final slash.
 *
 * Throws `attachments/refused` (`details.status`, and in `details.error` the server's words),
 * `attachments/invalid-response`, and what HttpClient throws.
 */
export async function listAttachments(options: {
  readonly http: HttpClient
  readonly baseUrl: string
  readonly query: AttachmentQuery
  readonly identity?: AttachmentIdentity
  readonly signal?: AbortSignal
}): Promise<AttachmentPage> {
  const { http, baseUrl, query, identity, signal } = options
  const response = await http.send(listUrl(baseUrl, query), {
    headers: identity === undefined ? {} : identityHeaders(identity),
    ...(signal === undefined ? {} : { signal }),
  })
  const body = parseJson(response.text)
  if (response.status >= 400) throw refused(response, body)
  const parsed = response.status === 200 ? page.safeParse(body) : undefined
  if (parsed?.success !== true) throw invalidResponse(response)
  return parsed.data
}

function listUrl(
  baseUrl: string,
  { page: number, pageSize, userId, videos = [], modules = [] }: AttachmentQuery,
): URL {
  const url = new URL(`${baseUrl}/attachments/`)
  if (pageSize !== undefined) url.searchParams.set('pageSize', String(pageSize))
  if (number !== undefined) url.searchParams.set('page', String(number))
  if (userId !== undefined) url.searchParams.set('userId', userId)
  for (const video of videos) url.searchParams.append('videos', video)
  for (const module of modules) url.searchParams.append('modules', module)
  return url
}

function identityHeaders({ userId, roles }: AttachmentIdentity): Record<string, string> {
  return { 'x-user-id': userId, 'x-user-roles': roles.join(',') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Also for 5xx: the service names no kinds of errors, so the status has to tell. */
function refused({ url, status }: HttpResponse, body: unknown): CausewayError {
  const parsed = z.object({ message: z.string() }).safeParse(body)
  const error = parsed.success ? printable(parsed.data.message) : undefined
  const words = error === undefined ? '' : ` (“${error}”)`
  return new CausewayError(
    'attachments/refused',
    `${url.host} did not list its attachments${words}. Try again later, or ask the people who run it.`,
    { details: { host: url.host, status, ...(error === undefined ? {} : { error }) } },
  )
}

function invalidResponse({ url, status }: HttpResponse): CausewayError {
  return new CausewayError(
    'attachments/invalid-response',
    `${url.host} answered something else than an attachments service does. Tell the people who run it.`,
    { details: { host: url.host, status } },
  )
}
