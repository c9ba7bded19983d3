import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { byteRange, namesTag } from './byte-range'
import { checksums, verified } from './checksums'
import { contentDisposition } from './content-disposition'
import type { StoredObject } from './object-storage'
import { checkContentType, type Grant } from './pre-signed-url'
import { sendStorageError, StorageError } from './storage-error'

export { storageErrorArea } from './storage-error'

const params = z.object({
  attachmentId: z.string().describe('The first part of the key: the attachment that the file belongs to.'),
  file: z.string().describe('The second part of the key: a name of this file alone, with its extension.'),
})
const query = z.object({
  method: z.string().optional().describe('PUT to upload; GET to download, also with HEAD.'),
  expires: z.string().optional().describe('When the URL expires, in seconds since 1970.'),
  contentType: z.string().optional().describe('The media type of the file.'),
  fileName: z.string().optional().describe('The name under which a downloaded file is to be saved.'),
  signature: z.string().optional().describe('HMAC-SHA256 over all of these and the key.'),
})
const download = z.looseObject({
  range: z.string().optional().describe('One range of bytes; anything else means the whole file.'),
  'if-none-match': z.string().optional(),
  'if-range': z.string().optional(),
})
const upload = z.looseObject({
  'content-type': z
    .string()
    .optional()
    .describe('None, one that HTTP clients add automatically, or the type that the URL was signed for.'),
  ...checksums,
})

const nothing = (description: string) => z.null().describe(description)
const xml = (description: string) => ({
  description,
  content: { 'application/xml': { schema: z.string() } },
})
const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
})
const refusals = {
  400: xml('A parameter is repeated, a checksum is wrong, or the connection broke.'),
  403: xml('The URL is not signed, was altered, is for another method or media type, or has expired.'),
  404: xml('There is no file under this key.'),
}
const downloads = {
  ...refusals,
  304: nothing('The file is still the one that If-None-Match names.'),
  416: xml(
    'The range lies outside the file, as every range does in an empty one; Content-Range has the size.',
  ),
}

const noSuchKey = new StorageError(404, 'NoSuchKey', 'There is no file under this key.')

function describeObject(reply: FastifyReply, object: StoredObject, grant: Grant): void {
  void reply
    .header('etag', object.etag)
    .header('last-modified', new Date(object.modifiedAt).toUTCString())
    .header('accept-ranges', 'bytes')
    .header('content-disposition', contentDisposition(grant.fileName))
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
}

async function sendObject(
  request: { method: string; headers: z.infer<typeof download>; world: MockState },
  reply: FastifyReply,
  grant: Grant,
): Promise<FastifyReply> {
  const { storage } = request.world.attachments
  const object = storage.get(grant.key)
  if (object === undefined) throw noSuchKey
  describeObject(reply, object, grant)
  const { range, 'if-none-match': known, 'if-range': started } = request.headers
  if (known !== undefined && namesTag(known, object.etag)) return reply.code(304).send()

  const wanted = byteRange(started === undefined || started === object.etag ? range : undefined, object.size)
  if (wanted.kind === 'outside') {
    reply.header('content-range', `bytes */${object.size}`)
    throw new StorageError(
      416,
      'InvalidRange',
      `The range lies outside the ${object.size} bytes of the file.`,
    )
  }
  const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: object.size - 1 }
  const length = end - start + 1
  const body = request.method === 'HEAD' ? Readable.from([]) : await storage.read(object, start, end)
  if (body === undefined) throw noSuchKey
  if (wanted.kind === 'part') reply.header('content-range', `bytes ${start}-${end}/${object.size}`)
  return reply
    .code(wanted.kind === 'part' ? 206 : 200)
    .header('content-type', object.contentType)
    .header('content-length', length)
    .send(body)
}

/** Returns the body of an upload. It fails when the connection closes, even if a fault stands in between. */
function bodyOf(request: FastifyRequest, reply: FastifyReply): AsyncIterable<Buffer> {
  const { body } = request
  if (!(body instanceof Readable)) return Readable.from([])
  const gone = new AbortController()
  reply.raw.once('close', () => {
    gone.abort()
  })
  // A refused upload is left to be drained, so that the refusal reaches the client.
  return addAbortSignal(gone.signal, body).iterator({ destroyOnReturn: false })
}

/** Adds the object storage below `base`, where the pre-signed URLs of the attachments service point. */
export function addStorage(app: App, base: string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    done(null, payload)
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof StorageError) return sendStorageError(request, reply, error)
    throw error
  })
  const url = `${base}/:attachmentId/:file`
  const described = (summary: string) => ({ tags: [tags.storage], summary, params, querystring: query })
  const grantOf = (request: {
    method: string
    params: z.infer<typeof params>
    query: z.infer<typeof query>
    world: MockState
  }): Grant => {
    const key = `${request.params.attachmentId}/${request.params.file}`
    return request.world.attachments.storage.grantOf({ method: request.method, key, query: request.query })
  }

  app.put(
    url,
    {
      schema: {
        ...described('Uploads a file with a pre-signed URL'),
        headers: upload,
        response: {
          ...refusals,
          200: nothing('The file is stored, with the entity tag in the ETag header.'),
          413: xml('The file is too large.'),
          415: xml('The Content-Type header is malformed.'),
          507: xml('The storage is full.'),
        },
      },
    },
    async (request, reply) => {
      const grant = grantOf(request)
      const { storage } = request.world.attachments
      if (storage.refusesEarly()) {
        reply.raw.once('finish', () => request.raw.socket.destroy())
        void reply.header('connection', 'close')
        throw new StorageError(403, 'AccessDenied', 'The request is refused before it is read.')
      }
      checkContentType(grant, request.headers['content-type'])
      const announced = Number(request.raw.headers['content-length'] ?? 0)
      const body = verified(bodyOf(request, reply), request.headers)
      const etag = await storage.put(grant, body, announced)
      return reply.code(200).header('etag', etag).send()
    },
  )
  app.get(
    url,
    {
      schema: {
        ...described('Downloads a file, or a part of it, with a pre-signed URL'),
        headers: download,
        response: {
          ...downloads,
          200: bytes('The file.'),
          206: bytes('The part of the file; Content-Range has the size of all of it.'),
        },
      },
    },
    (request, reply) => sendObject(request, reply, grantOf(request)),
  )
  app.head(
    url,
    {
      schema: {
        ...described('Returns the headers of a download, without the file'),
        headers: download,
        response: {
          200: nothing('There is the file.'),
          206: nothing('There is the part of the file.'),
          304: downloads[304],
          400: nothing('A parameter is repeated.'),
          403: nothing(refusals[403].description),
          404: nothing(refusals[404].description),
          416: nothing(downloads[416].description),
        },
      },
    },
    (request, reply) => sendObject(request, reply, grantOf(request)),
  )
}
