import type { FetchedImage } from '../../services/news/fetch-image'
import { notFound, requestedPath, type PageAnswer, type PageRequest } from './renderer-files'

/** The folder of `app://causeway/` with pictures of services, named by the ids from main. */
const folder = 'images'

/** Returns the id of the requested picture; undefined for other requests. */
export function requestedImage({ method, url }: PageRequest): string | undefined {
  const [first, id, ...rest] = (method === 'GET' ? requestedPath(url) : undefined) ?? []
  return first === folder && id !== undefined && rest.length === 0 && /^[0-9a-f]{40}$/.test(id)
    ? id
    : undefined
}

/** Answers with a picture that main has fetched and checked, or with 404. */
export function answerWithImage(image: FetchedImage | undefined): PageAnswer {
  const headers = {
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  if (image === undefined) return notFound(headers)
  return { statusCode: 200, mimeType: image.type, headers, data: Buffer.from(image.bytes) }
}
