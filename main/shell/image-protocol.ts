import type { FetchedImage } from '../content/fetch-image'
import { requestedPath } from './renderer-files'

/** The folder of `app://causeway/` in which the page finds pictures of services, by the names that main gave them. */
const folder = 'images'

/** The name of the picture that a request of the page is for; undefined where it is for something else. */
export function requestedImage({ method, url }: Pick<Request, 'method' | 'url'>): string | undefined {
  const [first, id, ...rest] = (method === 'GET' ? requestedPath(url) : undefined) ?? []
  return first === folder && id !== undefined && rest.length === 0 && /^[0-9a-f]{40}$/.test(id)
    ? id
    : undefined
}

/** Answers with a picture that main has fetched and checked; 404 where there is none. */
export function answerWithImage(image: FetchedImage | undefined): Response {
  const headers = {
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  if (image === undefined) {
    return new Response('Not found', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
  }
  return new Response(image.bytes, { headers: { ...headers, 'content-type': image.type } })
}
