import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { ErrorArea } from '../http/app'

/** Paths of this service in any version. */
const versioned = /^\/v\d[^/]*(?:\/|$)/

/** Error answers of this service, `{statusCode, message, error}` (field notes), for unknown versions too. */
export const attachmentsErrorArea: ErrorArea = {
  holds: (path) => versioned.test(path),
  send: (_request, reply, statusCode, message) =>
    sendJson(reply, statusCode, { statusCode, message, error: STATUS_CODES[statusCode] ?? 'Error' }),
}

/** Describes the body of an error answer. */
export function errorSchema(when: string) {
  return z.object({ statusCode: z.int(), message: z.string(), error: z.string() }).describe(when)
}
