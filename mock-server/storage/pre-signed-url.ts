import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { StorageError } from './storage-error'

/** Permission in a pre-signed URL: one method on one key, with one media type, until a time. */
export interface Grant {
  method: 'PUT' | 'GET'
  key: string
  /** Unix seconds. */
  expires: number
  contentType: string
  /** File name for saving a download; empty for uploads. */
  fileName: string
}

export const signedQuerySchema = z.object({
  method: z.string().optional().describe('PUT to upload; GET to download, also with HEAD.'),
  expires: z.string().optional().describe('When the URL expires, in seconds since 1970.'),
  contentType: z.string().optional().describe('The media type of the file.'),
  fileName: z.string().optional().describe('The name under which a downloaded file is to be saved.'),
  signature: z.string().optional().describe('HMAC-SHA256 over all of these and the key.'),
})
export type SignedQuery = z.infer<typeof signedQuerySchema>

function signature(secret: string, values: string[]): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(JSON.stringify(values)).digest()
}

/** Returns the query of the URL for a grant. The file name must have no lone surrogates. */
export function signedQuery(secret: string, grant: Grant): string {
  const { method, key, contentType, fileName } = grant
  const expires = String(grant.expires)
  return new URLSearchParams({
    method,
    expires,
    contentType,
    ...(fileName === '' ? {} : { fileName }),
    signature: signature(secret, [method, key, expires, contentType, fileName]).toString('hex'),
  }).toString()
}

/** Returns the grant of a signed URL; a HEAD counts as a GET. Throws a StorageError with 403 and the reason. */
export function grantOf(
  secret: string,
  request: { method: string; key: string; query: SignedQuery; now: Date },
): Grant {
  const { method, expires, contentType = '', fileName = '', signature: given } = request.query
  if (method === undefined || expires === undefined || given === undefined) {
    throw new StorageError(403, 'AccessDenied', 'The URL is not signed. Ask the attachments service for one.')
  }
  const wanted = signature(secret, [method, request.key, expires, contentType, fileName])
  const shown = Buffer.from(/^[0-9a-f]{64}$/.test(given) ? given : '', 'hex')
  if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) {
    throw new StorageError(
      403,
      'SignatureDoesNotMatch',
      'The signature does not match: the URL was altered, or signed by another storage.',
    )
  }
  if (method !== 'PUT' && method !== 'GET') throw new Error('A grant was signed for an unknown method.')
  if ((request.method === 'HEAD' ? 'GET' : request.method) !== method) {
    throw new StorageError(403, 'AccessDenied', `The URL is for ${method}, not for ${request.method}.`)
  }
  const grant = { method, key: request.key, expires: Number(expires), contentType, fileName } as const
  if (request.now.getTime() >= grant.expires * 1000) {
    const time = new Date(grant.expires * 1000).toISOString()
    throw new StorageError(403, 'AccessDenied', `The URL has expired at ${time}. Ask for a new one.`)
  }
  return grant
}

const defaultContentTypes = new Set([
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain;charset=utf-8',
])

/** Throws a StorageError with 403 if an upload has another media type than its URL. */
export function checkContentType(grant: Grant, header: string | undefined): void {
  if (header === undefined || defaultContentTypes.has(header.toLowerCase())) return
  const named = (header.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (named !== grant.contentType) {
    throw new StorageError(
      403,
      'AccessDenied',
      `The URL is for files of the type ${grant.contentType}, not for ${named}.`,
    )
  }
}
