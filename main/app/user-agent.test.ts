import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createFetchImage } from '../services/news/fetch-image'
import { createFileTransport } from '../platform/http/file-transport'
import { createHttpClient } from '../platform/http/http-client'
import { startTestServer } from '../platform/http/test-server.testing'
import { createTokenEndpoint } from '../portal/oauth/token-endpoint'
import { userAgent } from '../platform/http/user-agent'

const { signal } = new AbortController()

it('contains only Causeway, its version and the operating system', () => {
  expect(userAgent).toMatch(/^Causeway\/[\d.]+(-[\w.]+)? \((Linux|macOS|Windows)\)$/)
  expect(userAgent).toContain(`/${packageJson.version} `)
})

it.each<[string, (url: URL) => Promise<unknown>]>([
  ['a request', (url) => createHttpClient().send(url)],
  [
    'a request with other headers',
    (url) => createHttpClient().send(url, { method: 'POST', headers: { Authorization: 'x' } }),
  ],
  [
    'a request for tokens',
    (url) =>
      createTokenEndpoint({ http: createHttpClient(), url, clientId: 'x' })
        .refresh('y')
        .catch(() => undefined),
  ],
  [
    'a download',
    (url) =>
      createFileTransport().get(url, { namedBy: url, headers: {}, signal }, (head) => Promise.resolve(head)),
  ],
  [
    'an upload',
    (url) =>
      createFileTransport().put(url, {
        namedBy: url,
        bytes: 0,
        contentType: 'text/plain',
        open: async function* () {
          // nothing to send
        },
        signal,
        onSent: () => undefined,
      }),
  ],
  [
    'a picture',
    (url) =>
      createFetchImage({ transport: createFileTransport() })({ imageUrl: url.href, baseUrl: url.href }),
  ],
])('is sent with %s', async (_what, send) => {
  const server = await startTestServer((_request, response) => response.end())
  await send(server.url('/'))
  expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([userAgent])
})
