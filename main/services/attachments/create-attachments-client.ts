import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/http/http-client'
import { safeUrl } from '../../../contract/safe-url'
import { retryingHttp } from '../../platform/http/retrying-http'
import type { ServiceIdentity } from '../../portal/instance/instance'
import {
  invalidResponse,
  namedFields,
  readAttachment,
  readAttachmentOrUpload,
  readPage,
  readUpload,
  throwRefusal,
  notAFile,
} from './answers'
import type { AttachmentsClient, AwaitedFile } from './attachments-client'
import { type Body, editBody, fileBody, idSegment, linkBody, listQuery } from './requests'

interface AttachmentsClientOptions {
  readonly http: HttpClient
  /** Without a final slash. */
  readonly baseUrl: string
  readonly identity?: ServiceIdentity | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** An attachment has at most several thousand characters, and a page 100 attachments. */
const maxBytes = 8 * 1024 * 1024

/** Creates an AttachmentsClient over HTTP. */
export function createAttachmentsClient(options: AttachmentsClientOptions): AttachmentsClient {
  const { baseUrl, identity, now } = options
  const http = retryingHttp(options.http)
  const headers = identityHeaders(identity)

  async function send(path: string, request: HttpRequest): Promise<HttpResponse> {
    const response = await http.send(new URL(`${baseUrl}/attachments/${path}`), {
      maxBytes,
      ...request,
      headers,
    })
    throwRefusal(response, now())
    return response
  }

  /**
   * Creates or changes an attachment; repeats the request without the links to videos and modules if they are rejected by
   * name.
   */
  async function write(
    path: string,
    method: 'POST' | 'PATCH',
    json: Body,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly response: HttpResponse; readonly withoutLinks?: true }> {
    const url = new URL(`${baseUrl}/attachments/${path}`)
    const ask = (body: Body) => http.send(url, { maxBytes, method, json: body, headers, signal })
    const { videos, modules, ...rest } = json
    const links = ['videos', 'modules'].filter((name) => json[name] !== undefined)
    const first = await ask(json)
    const withoutLinks = namedFields(first, links).length > 0
    const response = withoutLinks ? await ask(rest) : first
    throwRefusal(response, now())
    return withoutLinks ? { response, withoutLinks } : { response }
  }

  return {
    author: identity?.userId,
    list: async (query = {}, signal) => readPage(await send(search(listQuery(query)), { signal })),
    forVideo: async (videoId, signal) =>
      readPage(await send(`video/${idSegment(videoId, 'videoId')}`, { signal })),
    show: async (id, signal) => readAttachment(await send(idSegment(id, 'id'), { signal }), [200]),
    freshFile: async (id, signal) => {
      const response = await send(idSegment(id, 'id'), { signal })
      const attachment = readAttachment(response, [200])
      if (attachment.type === 'EXTERNAL') throw notAFile()
      const url = safeUrl('file', attachment.url, response.url)
      if (url === undefined) throw invalidResponse(response)
      return { attachment, url, namedBy: response.url }
    },
    addLink: async (link, signal) =>
      readAttachment((await write('', 'POST', linkBody(link), signal)).response, [201, 200]),
    announceFile: async (file, signal) =>
      awaitedFile(await write('', 'POST', fileBody(file), signal), [201, 200]),
    edit: async (id, edit, signal) => {
      const { response } = await write(idSegment(id, 'id'), 'PATCH', editBody(edit), signal)
      const answer = readAttachmentOrUpload(response, [200])
      return 'id' in answer ? answer : undefined
    },
    replaceFile: async (id, file, signal) => {
      const answer = await write(idSegment(id, 'id'), 'PATCH', fileBody(file), signal)
      return { ...awaitedFile(answer, [200]), attachmentId: id }
    },
    remove: async (id, signal) => {
      const response = await send(idSegment(id, 'id'), { method: 'DELETE', signal })
      if (response.status !== 204 && response.status !== 200) throw invalidResponse(response)
    },
  }
}

function search(parameters: URLSearchParams): string {
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

/** Returns the identity headers; several roles are separated by commas without spaces (field notes). */
function identityHeaders(identity: ServiceIdentity = {}): Record<string, string> {
  const { userId, roles } = identity
  return {
    ...(userId === undefined ? {} : { 'x-user-id': userId }),
    ...(roles === undefined ? {} : { 'x-user-roles': roles.join(',') }),
  }
}

/** Reads an upload address, which must be https, or on this computer if the service is too. */
function awaitedFile(
  { response, ...without }: { readonly response: HttpResponse; readonly withoutLinks?: true },
  statuses: readonly number[],
): AwaitedFile {
  const { url, ...rest } = readUpload(response, statuses)
  const uploadUrl = safeUrl('file', url, response.url)
  if (uploadUrl === undefined) throw invalidResponse(response)
  return { uploadUrl, namedBy: response.url, ...without, ...rest }
}
