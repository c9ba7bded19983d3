import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addRoute, type App } from '../http/app'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn, optional } from '../schemas'
import { awsChunks, isAwsChunked } from './aws-chunked'
import { checksums, verified } from './checksums'
import { checkContentType, type Grant, type SignedQuery, signedQuerySchema } from './pre-signed-url'
import { StorageError } from './storage-error'

/** Reads a Range header. Anything but one well-formed range means the whole object: undefined (RFC 9110, 14.2). */
export function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'outside' | undefined {
  const [, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return undefined
  return start >= size ? 'outside' : { start, end: Math.min(end, size - 1) }
}

/** Returns whether an If-None-Match header lists this entity tag or is `*` (RFC 9110, section 13.1.2). */
export function namesTag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** Returns the status of a conditional request (RFC 9110, section 13.2.2) that gets no file; undefined for one that does. */
function unmetCondition(
  headers: z.infer<typeof download>,
  { etag, modifiedAt }: { etag: string; modifiedAt: number },
): 304 | 412 | undefined {
  const { 'if-match': wanted, 'if-none-match': known } = headers
  // HTTP dates have no milliseconds. An invalid date is ignored.
  const since = (date: string | undefined) => Math.floor(modifiedAt / 1000) * 1000 - Date.parse(date ?? '')
  if (wanted !== undefined ? !namesTag(wanted, etag) : since(headers['if-unmodified-since']) > 0) return 412
  const isKnown = known !== undefined ? namesTag(known, etag) : since(headers['if-modified-since']) <= 0
  return isKnown ? 304 : undefined
}

/** Returns a Content-Disposition (RFC 6266) with an ASCII name for older clients. The name has no lone surrogates. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^ -~]/g, '_').replace(/["\\]/g, '\\$&')
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, hex)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const params = z.object({
  attachmentId: z.string().describe('The first part of the key: the attachment that the file belongs to.'),
  file: z.string().describe('The second part of the key: a name of this file alone, with its extension.'),
})
const download = z.looseObject({
  range: z.string().optional().describe('One range of bytes; anything else means the whole file.'),
  'if-match': z.string().optional(),
  'if-none-match': z.string().optional(),
  'if-modified-since': z.string().optional(),
  'if-unmodified-since': z.string().optional(),
  'if-range': z.string().optional(),
})
const upload = z.looseObject({
  'content-type': optional(
    z.string(),
    'None, one that HTTP clients add automatically, or the type that the URL was signed for.',
  ),
  ...checksums,
})

const nothing = (description: string) => z.null().describe(description)
const xml = (description: string) => answerIn(description, { 'application/xml': z.string() })
const bytes = (description: string) =>
  answerIn(description, { 'application/octet-stream': z.string().meta({ format: 'binary' }) })
const refusals = {
  400: xml('A parameter is repeated, a checksum is wrong, or the connection broke.'),
  403: xml('The URL is not signed, was altered, is for another method or media type, or has expired.'),
  404: xml('There is no file under this key.'),
}
const downloads = {
  ...refusals,
  304: nothing('The file is still the one that If-None-Match or If-Modified-Since names.'),
  412: xml('The file is not the one that If-Match or If-Unmodified-Since names.'),
  416: xml(
    'The range lies outside the file, as every range does in an empty one; Content-Range has the size.',
  ),
}

const noSuchKey = new StorageError(404, 'NoSuchKey', 'There is no file under this key.')

interface StorageRequest {
  method: string
  params: z.infer<typeof params>
  query: SignedQuery
  headers: { authorization?: string | undefined }
  world: MockState
}

function grantIn({ method, params: { attachmentId, file }, query, headers, world }: StorageRequest): Grant {
  const { storage } = world.attachments
  const { oneCredential } = storage.switches.values
  if (oneCredential && headers.authorization !== undefined && query.signature !== undefined)
    throw new StorageError(
      400,
      'InvalidArgument',
      'Only one auth mechanism allowed: the signature in the URL, without an Authorization header.',
    )
  return storage.grantOf({ method, key: `${attachmentId}/${file}`, query })
}

async function sendObject(
  request: StorageRequest & { headers: z.infer<typeof download> },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { key, fileName } = grantIn(request)
  const { storage } = request.world.attachments
  const object = storage.get(key)
  if (object === undefined) throw noSuchKey
  void reply
    .header('etag', object.etag)
    .header('last-modified', new Date(object.modifiedAt).toUTCString())
    .header('accept-ranges', 'bytes')
    .header('content-disposition', contentDisposition(fileName))
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
  const { range, 'if-range': started } = request.headers
  const condition = unmetCondition(request.headers, object)
  if (condition === 304) return reply.code(304).send()
  if (condition === 412) throw new StorageError(412, 'PreconditionFailed', 'The file is another one.')

  const wanted = byteRange(started === undefined || started === object.etag ? range : undefined, object.size)
  if (wanted === 'outside') {
    reply.header('content-range', `bytes */${object.size}`)
    throw new StorageError(
      416,
      'InvalidRange',
      `The range lies outside the ${object.size} bytes of the file.`,
    )
  }
  const { start, end } = wanted ?? { start: 0, end: object.size - 1 }
  const body = request.method === 'HEAD' ? Readable.from([]) : await storage.read(object, start, end)
  if (body === undefined) throw noSuchKey
  if (wanted !== undefined) reply.header('content-range', `bytes ${start}-${end}/${object.size}`)
  return reply
    .code(wanted === undefined ? 200 : 206)
    .header('content-type', object.contentType)
    .header('content-length', end - start + 1)
    .send(body)
}

/** Returns the body of an upload. It fails when the connection closes, even if a fault stands in between. */
function bodyOf(request: FastifyRequest, reply: FastifyReply): AsyncIterable<Buffer> {
  const { body } = request
  if (!(body instanceof Readable)) return Readable.from([])
  const gone = new AbortController()
  reply.raw.once('close', () => {
    // After an answer, Node.js drains the rest; aborting that would break the connection under the next request.
    if (!reply.raw.writableFinished) gone.abort()
  })
  // A refused upload is left to be drained, so that the refusal reaches the client.
  return addAbortSignal(gone.signal, body).iterator({ destroyOnReturn: false })
}

export function addStorage(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    done(null, payload)
  })
  const url = `${paths.storage}/:attachmentId/:file`
  const described = (summary: string) => ({
    tags: [tags.storage],
    summary,
    params,
    querystring: signedQuerySchema,
  })

  addRoute(app, 'PUT', url, {
    ...described('Uploads a file with a pre-signed URL'),
    headers: upload,
    response: {
      ...refusals,
      200: nothing('The file is stored, with the entity tag in the ETag header.'),
      413: xml('The file is too large.'),
      415: xml('The Content-Type header is malformed.'),
      507: xml('The storage is full.'),
    },
    handler: async (request, reply) => {
      const grant = grantIn(request)
      const { storage } = request.world.attachments
      if (storage.switches.countDown('earlyRefusals')) {
        reply.raw.once('finish', () => request.raw.socket.destroy())
        void reply.header('connection', 'close')
        throw new StorageError(403, 'AccessDenied', 'The request is refused before it is read.')
      }
      checkContentType(grant, request.headers['content-type'])
      const { headers } = request.raw
      const isChunked = isAwsChunked(headers)
      const announced = Number(headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length'] ?? 0)
      const trailers: Record<string, string> = {}
      const sent = bodyOf(request, reply)
      const body = verified(isChunked ? awsChunks(sent, announced, trailers) : sent, headers, trailers)
      const etag = await storage.put(grant, body, announced)
      return reply.code(200).header('etag', etag).send()
    },
  })
  addRoute(app, 'GET', url, {
    ...described('Downloads a file, or a part of it, with a pre-signed URL'),
    headers: download,
    response: {
      ...downloads,
      200: bytes('The file.'),
      206: bytes('The part of the file; Content-Range has the size of all of it.'),
    },
    handler: sendObject,
  })
  addRoute(app, 'HEAD', url, {
    ...described('Returns the headers of a download, without the file'),
    headers: download,
    response: {
      200: nothing('There is the file.'),
      206: nothing('There is the part of the file.'),
      304: downloads[304],
      412: nothing(downloads[412].description),
      400: nothing('A parameter is repeated.'),
      403: nothing(refusals[403].description),
      404: nothing(refusals[404].description),
      416: nothing(downloads[416].description),
    },
    handler: sendObject,
  })
}
