import { createHmac, timingSafeEqual } from 'node:crypto'
import { StorageError } from './storage-error'

/** What a pre-signed URL allows: one method on one key, with one media type, until a time. */
export interface Grant {
  method: 'PUT' | 'GET'
  key: string
  /** Unix seconds. */
  expires: number
  contentType: string
  /** The name under which a downloaded file is to be saved; empty for uploads. */
  fileName: string
}

/** The query parameters of a pre-signed URL. */
export interface SignedQuery {
  method?: string | undefined
  expires?: string | undefined
  contentType?: string | undefined
  fileName?: string | undefined
  signature?: string | undefined
}

function signature(secret: string, values: string[]): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(JSON.stringify(values)).digest()
}

/** The query of the URL that hands out a grant. The file name must have no lone surrogates. */
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

/**
 * Reads the grant out of a URL that this storage signed. Throws a StorageError, 403 with the reason, when the URL is
 * not signed, was altered, is for another method or has expired. A HEAD counts as a GET.
 */
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

/** What HTTP clients name by themselves when nobody told them a type. */
const unasked = new Set([
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain;charset=utf-8',
])

/** Throws a StorageError, 403, when an upload names another media type than the one that the URL was signed for. */
export function checkContentType(grant: Grant, header: string | undefined): void {
  if (header === undefined || unasked.has(header.toLowerCase())) return
  const named = (header.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (named !== grant.contentType) {
    throw new StorageError(
      403,
      'AccessDenied',
      `The URL is for files of the type ${grant.contentType}, not for ${named}.`,
    )
  }
}
