import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { isBelow, type ErrorArea } from '../http/error-area'
import { queryOf } from '../http/parameters'
import type { Attachment, StoredAttachment } from './attachment'

const errorNames: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
}

/** Errors of this service, `{statusCode, message, error}` (field notes). */
export function attachmentsErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, statusCode, message) =>
      sendJson(reply, statusCode, {
        statusCode,
        message,
        error: errorNames[statusCode] ?? 'Internal Server Error',
      }),
  }
}

const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
  .transform(Number)
const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]).optional()

const listQuery = z.object({
  pageSize: wholeNumber.pipe(z.number().max(100, 'must be at most 100')).default(10),
  page: wholeNumber.default(1),
  userId: z.string().optional(),
  videos: oneOrMany,
  modules: oneOrMany,
})
type ListQuery = z.infer<typeof listQuery>

const roles = z.array(z.enum(['ADMINISTRATOR', 'CONTRIBUTOR', 'MEMBER']))

function linksToOne(linked: string[], wanted: string[] | undefined): boolean {
  return wanted === undefined || wanted.some((id) => linked.includes(id))
}

function select(stored: StoredAttachment[], query: ListQuery): { data: Attachment[]; totalCount: number } {
  const found = stored
    .filter(
      ({ attachment }) =>
        (query.userId === undefined || attachment.userId === query.userId) &&
        linksToOne(attachment.videos, query.videos) &&
        linksToOne(attachment.modules, query.modules),
    )
    .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
    .map(({ attachment }) => attachment)
  const start = (query.page - 1) * query.pageSize
  return { data: found.slice(start, start + query.pageSize), totalCount: found.length }
}

/** Both headers are optional: who gives neither counts as the seeded tester with every role. */
function givenRoles(headers: IncomingHttpHeaders): string[] {
  const given = headers['x-user-roles']
  if (given !== undefined) return String(given).split(',')
  return headers['x-user-id'] === undefined ? roles.element.options : []
}

/** The listing of the attachments service (section 4, `GET /attachments/`), newest first. */
export function addAttachmentListing(app: App, base: string, attachments: () => StoredAttachment[]): void {
  const { send } = attachmentsErrorArea(base)
  app.get(`${base}/attachments/`, (request, reply) => {
    const parsedRoles = roles.safeParse(givenRoles(request.headers))
    if (!parsedRoles.success) return send(request, reply, 400, 'x-user-roles holds an unknown role')
    if (!parsedRoles.data.some((role) => role !== 'MEMBER')) {
      return send(request, reply, 403, 'listing needs the role CONTRIBUTOR or ADMINISTRATOR')
    }
    const query = listQuery.safeParse(queryOf(request))
    if (!query.success) {
      const issue = query.error.issues[0]
      return send(request, reply, 400, `${String(issue?.path[0])}: ${issue?.message ?? 'is malformed'}`)
    }
    return sendJson(reply, 200, select(attachments(), query.data))
  })
}
