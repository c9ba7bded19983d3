import type { lookup as systemLookup, LookupAddress } from 'node:dns'
import type { RequestListener } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { gradientPng, pngStart } from '../../../mock-server/content/images'
import { createTestAuthority } from '../../platform/http/test-authority.testing'
import { startTestServer } from '../../platform/http/test-server.testing'
import { createAddressRules } from '../../platform/http/address-rules'
import { createFileTransport } from '../../platform/http/file-transport'
import { Transport } from '../../platform/http/transport'
import { Trust } from '../../platform/http/trust'
import { createFetchImage } from './fetch-image'

const png = gradientPng(40, 30, [0, 0, 0], [255, 255, 255])
const shown = { type: 'image/png', bytes: new Uint8Array(png) }
/** Returns the function of a computer with this trust and these names. */
const fetchImageWith = (
  options: { trust?: Trust; lookup?: typeof systemLookup } = {},
  timeoutMs?: number,
) => {
  const { trust, lookup } = options
  const transport = new Transport({ trust, addressRules: createAddressRules(lookup) })
  return createFetchImage({ transport: createFileTransport({ transport }), timeoutMs })
}
const fetchImage = fetchImageWith()

/** Starts a service on this computer whose picture is at `/picture`, and records its requests. */
async function service(handler: RequestListener) {
  const { origin, requests } = await startTestServer(handler)
  return {
    origin,
    requests,
    picture: (path = '/picture') => fetchImage({ imageUrl: `${origin}${path}`, baseUrl: origin }),
  }
}

/** Resolves every name to these addresses. */
function namesLeadTo(...addresses: string[]): { lookup: typeof systemLookup; asked: string[] } {
  const asked: string[] = []
  const lookup = ((name: string, _options: object, answer: (error: null, all: LookupAddress[]) => void) => {
    asked.push(name)
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as typeof systemLookup
  return { lookup, asked }
}

/** Starts a private server on this computer, and records its connections. */
async function startPrivateServer(): Promise<{ port: number; connections: Socket[] }> {
  const connections: Socket[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return { port: (server.address() as { port: number }).port, connections }
}

it("trusts a server whose authority is only in this computer's certificate store", async () => {
  const authority = createTestAuthority('Example University Root')
  const { origin } = await authority.serve((_request, response) => response.end(png))
  const image = { imageUrl: `${origin}/picture`, baseUrl: origin }
  const trust = new Trust(() => Promise.resolve([authority.certificate]))
  expect(await fetchImageWith({ trust })(image)).toEqual(shown)
  expect(await fetchImage(image)).toBeUndefined()
})

it('fetches a picture without identifying the user', async () => {
  const { picture, requests } = await service((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'reader=1' })
    response.end(png)
  })
  expect(await picture()).toEqual(shown)
  expect(await picture()).toEqual(shown)
  const { host, connection, ...sent } = requests[1]?.headers ?? {}
  expect([host, connection]).not.toContain(undefined)
  expect(Object.keys(sent).toSorted()).toEqual(['accept', 'accept-encoding', 'user-agent'])
})

it.each<[string, RequestListener]>([
  ['a page', (_request, response) => response.end('<!doctype html><h1>Sign in</h1>')],
  ['SVG', (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['nothing', (_request, response) => response.end()],
  ['one of 60000 by 60000', (_request, response) => response.end(pngStart(60_000, 60_000))],
  ['404', (_request, response) => response.writeHead(404).end(png)],
  ['206', (_request, response) => response.writeHead(206).end(png)],
  ['packed', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(png)],
  [
    'broken off',
    (_request, response) => {
      response.writeHead(200, { 'content-length': png.length * 2 })
      response.write(png, () => response.destroy())
    },
  ],
  [
    'announced too long',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 6 * 1024 * 1024 })
      response.write(png)
    },
  ],
  [
    'without end',
    (_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.concat([png, Buffer.alloc(65_536)])));
      }
      response.on('drain', more)
      more()
    },
  ],
  ['a redirect in a circle', (request, response) => response.writeHead(302, { location: request.url }).end()],
  ['a redirect to nowhere', (_request, response) => response.writeHead(302, { location: 'http://' }).end()],
  [
    'a redirect to a file',
    (_request, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
  ],
  [
    'a redirect to another machine over http',
    (_request, response) => response.writeHead(307, { location: 'http://198.51.100.7/' }).end(),
  ],
  [
    'a redirect into the network',
    (_request, response) => response.writeHead(308, { location: 'https://10.0.0.1/' }).end(),
  ],
])('returns nothing for an answer that is not a valid picture: %s', async (_what, handler) => {
  const { picture } = await service(handler)
  expect(await picture()).toBeUndefined()
})

it('follows a redirect to another port of this computer for a service on it', async () => {
  const other = await service((_request, response) => response.end(png))
  const { picture } = await service((_request, response) =>
    response.writeHead(302, { location: `${other.origin}/there` }).end(),
  )
  expect(await picture()).toEqual(shown)
})

it('gives up on a server that does not answer, and when the caller cancels', async () => {
  const { origin } = await startTestServer(() => undefined)
  const image = { imageUrl: `${origin}/picture`, baseUrl: origin }
  expect(await fetchImageWith({}, 50)(image)).toBeUndefined()
  expect(await fetchImage(image, AbortSignal.abort())).toBeUndefined()
})

it.each([
  ['this machine', '127.0.0.1'],
  ['this machine, as IPv6 writes it', '::ffff:127.0.0.1'],
  ['any address of this machine', '0.0.0.0'],
])('does not connect to %s for a public service', async (_what, address) => {
  const { port, connections } = await startPrivateServer()
  const { lookup, asked } = namesLeadTo(address)
  const fetched = fetchImageWith({ lookup })({
    imageUrl: `https://pictures.example.org:${port}/x`,
    baseUrl: 'https://news.example.org',
  })
  expect(await fetched).toBeUndefined()
  expect(asked).toEqual(['pictures.example.org'])
  expect(connections).toEqual([])
})

it('connects to none of several private addresses of a name, and resolves it once', async () => {
  const { port, connections } = await startPrivateServer()
  const { lookup, asked } = namesLeadTo('127.0.0.1', '::1', '10.0.0.1', '198.51.100.7')
  const fetched = fetchImageWith({ lookup })({
    imageUrl: `https://pictures.example.org:${port}/x`,
    baseUrl: 'https://news.example.org',
  })
  expect(await fetched).toBeUndefined()
  expect(asked).toEqual(['pictures.example.org'])
  expect(connections).toEqual([])
})

it.each([
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://0x7f000001:PORT/',
  'https://2130706433:PORT/',
  'https://127.1:PORT/',
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://pictures.example.org:PORT/',
  'https://user:password@pictures.example.org:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
])('does not fetch %s for a public service', async (pattern) => {
  const { port, connections } = await startPrivateServer()
  const imageUrl = pattern.replace('PORT', String(port))
  const { lookup } = namesLeadTo('127.0.0.1')
  expect(await fetchImageWith({ lookup })({ imageUrl, baseUrl: 'https://news.example.org' })).toBeUndefined()
  expect(connections).toEqual([])
})

it('fetches a picture from the host of a service in a private network', async () => {
  const { port, connections } = await startPrivateServer()
  const { lookup } = namesLeadTo('127.0.0.1')
  const baseUrl = `https://news.example.org:${port}`
  // The server there speaks no TLS, so there is no picture, but a connection was made.
  expect(await fetchImageWith({ lookup })({ imageUrl: `${baseUrl}/x`, baseUrl })).toBeUndefined()
  expect(connections).toHaveLength(1)
})

it('does not fetch pictures from the local network for a service on this computer', async () => {
  const { lookup, asked } = namesLeadTo('10.0.0.1')
  const baseUrl = 'http://127.0.0.1:9'
  for (const imageUrl of ['https://10.0.0.1/x', 'https://router.example/x', 'http://router.example/x']) {
    expect(await fetchImageWith({ lookup })({ imageUrl, baseUrl })).toBeUndefined()
  }
  expect(asked).toEqual(['router.example'])
})
