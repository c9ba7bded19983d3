import type { lookup as systemLookup, LookupAddress } from 'node:dns'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAddressRules } from './address-rules'
import { createFileTransport } from './file-transport'
import { createHttpClient } from './http-client'
import { type Proxy, proxyFromVariables } from './proxies'
import { createTestAuthority } from './test-authority.testing'
import { startTestProxy } from './test-proxy.testing'
import { rejection } from './test-server.testing'
import { Transport } from './transport'
import { Trust } from './trust'

const authority = createTestAuthority('Example University Root')
const trust = new Trust(() => Promise.resolve([authority.certificate]))
const secret = 'correct horse'

/** Starts a server whose name nothing but a proxy knows. */
async function startServer() {
  const server = await authority.serve(
    (request, response) => {
      request.resume().on('end', () => response.end('hello'))
    },
    { host: 'vpn.example.org' },
  )
  return { port: Number(server.port), url: new URL('https://vpn.example.org/') }
}

const transportThrough = (proxy: Partial<Proxy> & { readonly port: number }, addresses?: string[]) =>
  new Transport({
    trust,
    proxyFor: () => Promise.resolve({ protocol: 'http:', host: '127.0.0.1', ...proxy }),
    addressRules: createAddressRules(namesLeadTo(addresses)),
  })

function namesLeadTo(addresses: string[] | undefined): typeof systemLookup | undefined {
  if (addresses === undefined) return undefined
  return ((_name: string, _options: object, answer: (error: null, all: LookupAddress[]) => void) => {
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as typeof systemLookup
}

const clientOf = (transport: Transport) => createHttpClient(() => Promise.resolve(transport))

describe('a proxy', () => {
  it('is asked for the server of requests, downloads and uploads, by its name', async () => {
    const { port, url } = await startServer()
    const proxy = await startTestProxy({ leadsTo: port })
    const transport = transportThrough({ port: proxy.port }, ['127.0.0.1'])
    expect(await clientOf(transport).send(url)).toMatchObject({ text: 'hello' })
    const files = createFileTransport({ transport })
    const shared = { signal: new AbortController().signal, namedBy: url }
    const status = await files.get(url, { ...shared, headers: {} }, (head) => Promise.resolve(head.status))
    const put = await files.put(url, {
      ...shared,
      bytes: 5,
      contentType: 'text/plain',
      open: async function* () {
        yield await Promise.resolve(Buffer.from('hello'))
      },
      onSent: () => undefined,
    })
    expect([status, put.status]).toEqual([200, 200])
    expect(new Set(proxy.asked)).toEqual(new Set(['vpn.example.org:443']))
  })

  it('gets the user and the password', async () => {
    const { port, url } = await startServer()
    const proxy = await startTestProxy({ leadsTo: port, login: `user:${secret}` })
    const transport = transportThrough({ port: proxy.port, credentials: { user: 'user', password: secret } })
    expect(await clientOf(transport).send(url)).toMatchObject({ status: 200 })
  })

  it('may speak https', async () => {
    const { port, url } = await startServer()
    const { key, cert } = authority.keyAndCertificate('127.0.0.1')
    const proxy = await startTestProxy({ leadsTo: port, server: createHttpsServer({ key, cert }) })
    const transport = transportThrough({ port: proxy.port, protocol: 'https:' })
    expect(await clientOf(transport).send(url)).toMatchObject({ text: 'hello' })
    expect(proxy.asked).toEqual(['vpn.example.org:443'])
  })

  it.each([
    [undefined, 'requires a user name and password'],
    [{ user: 'user', password: secret }, 'rejected the user name or password'],
  ])(
    'that refuses the login %j has an error of its own, without the password',
    async (credentials, words) => {
      const { port, url } = await startServer()
      const proxy = await startTestProxy({ leadsTo: port, login: 'user:another' })
      const error = await rejection(clientOf(transportThrough({ port: proxy.port, credentials })).send(url))
      expect(error).toMatchObject({
        code: 'http/proxy-authentication',
        message: expect.stringContaining(words) as string,
        details: { proxy: `127.0.0.1:${proxy.port}` },
      })
      expect(JSON.stringify(error) + String(error)).not.toContain(secret)
      expect(JSON.stringify(error) + String(error)).not.toContain(
        Buffer.from(secret).toString('base64').slice(4, 12),
      )
    },
  )

  it('that refuses the server is named', async () => {
    const { port, url } = await startServer()
    const proxy = await startTestProxy({ leadsTo: port, refusesWith: 403 })
    expect(await rejection(clientOf(transportThrough({ port: proxy.port })).send(url))).toMatchObject({
      code: 'http/unreachable',
      message: expect.stringContaining('refused the connection to vpn.example.org') as string,
      details: { reason: 'proxy', proxy: `127.0.0.1:${proxy.port}`, status: 403 },
    })
  })

  it.each(['closed', 'not a proxy'])('that is %s is named', async (what) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      socket.end('SSH-2.0-OpenSSH\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const close = () => new Promise((resolve) => server.close(resolve))
    if (what === 'closed') await close()
    else {
      onTestFinished(async () => {
        await close()
      })
    }
    const sent = clientOf(transportThrough({ port })).send(new URL('https://vpn.example.org/'))
    expect(await rejection(sent)).toMatchObject({
      code: 'http/unreachable',
      message: expect.stringContaining(`proxy server 127.0.0.1:${port} couldn't be reached`) as string,
    })
  })

  it('is tried without the server noticing', async () => {
    const { port, url } = await startServer()
    const proxy = await startTestProxy({ leadsTo: port, login: `user:${secret}` })
    const options = { port: proxy.port, credentials: { user: 'user', password: secret } }
    await transportThrough(options).requireReachable(url)
    expect(await rejection(transportThrough({ port: proxy.port }).requireReachable(url))).toMatchObject({
      code: 'http/proxy-authentication',
    })
  })

  it('that never answers is given up at once if it is cancelled', async () => {
    const asked = new AbortController()
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      asked.abort()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const url = new URL('https://vpn.example.org/')
    expect(await rejection(transportThrough({ port }).requireReachable(url, asked.signal))).toMatchObject({
      code: 'http/cancelled',
    })
    server.close()
  })

  it('of a kind that Causeway does not know is an error, not a way around it', async () => {
    const transport = new Transport({
      trust,
      proxyFor: (url) =>
        Promise.resolve(proxyFromVariables({ ALL_PROXY: `socks5://user:${secret}@127.0.0.1:1` }, url)),
    })
    const error = await rejection(clientOf(transport).send(new URL('https://vpn.example.org/')))
    expect(error).toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'proxy', proxy: 'ALL_PROXY' },
    })
    expect(JSON.stringify(error) + String(error)).not.toContain(secret)
  })

  it('is not asked for a private address that a service names', async () => {
    const { port } = await startServer()
    const proxy = await startTestProxy({ leadsTo: port })
    const transport = transportThrough({ port: proxy.port }, ['10.0.0.1'])
    const request = {
      headers: {},
      signal: new AbortController().signal,
      namedBy: new URL('https://news.example.org/'),
      purpose: 'picture' as const,
    }
    const get = (url: string) =>
      createFileTransport({ transport }).get(new URL(url), request, () => Promise.resolve())
    for (const url of ['https://10.0.0.1/x', 'https://router.example/x']) {
      expect(await rejection(get(url))).toMatchObject({ code: 'http/private-address' })
    }
    expect(proxy.asked).toEqual([])
  })
})
