import type { lookup as systemLookup, LookupAddress } from 'node:dns'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAddressRules, type AddressRules } from './address-rules'
import { createFileTransport, type FileToPut } from './file-transport'
import { Transport } from './transport'
import { rejection, startTestServer } from './test-server.testing'

const transport = createFileTransport()
const piece = Buffer.alloc(256 * 1024)

function file(bytes: number, more: Partial<FileToPut> = {}): FileToPut {
  return {
    bytes,
    namedBy: new URL('http://127.0.0.1/'),
    contentType: 'application/pdf',
    open: async function* () {
      for (let left = bytes; left > 0; left -= piece.length) {
        yield await Promise.resolve(piece.subarray(0, Math.min(left, piece.length)))
      }
    },
    signal: new AbortController().signal,
    onSent: () => undefined,
    ...more,
  }
}

async function lengthOf(request: IncomingMessage): Promise<number> {
  let length = 0
  for await (const chunk of request) length += (chunk as Buffer).length
  return length
}

async function wholeBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts = []
  for await (const chunk of body) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

const get = (url: URL, signal = new AbortController().signal, namedBy = new URL('http://127.0.0.1/')) =>
  transport.get(url, { headers: {}, signal, namedBy }, async ({ status }, body) => ({
    status,
    text: await wholeBody(body),
  }))

describe('uploading a file', () => {
  it('sends the length and type, and nothing that identifies the user', async () => {
    const server = await startTestServer((request, response) => {
      void lengthOf(request).then((length) => response.writeHead(200).end(String(length)))
    })
    const sent: number[] = []
    const answer = await transport.put(
      server.url('/x?signature=s'),
      file(1_000_000, { onSent: (n) => sent.push(n) }),
    )
    expect(answer.status).toBe(200)
    expect(sent.at(-1)).toBe(1_000_000)
    expect(server.requests[0]?.method).toBe('PUT')
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'expect',
      'host',
      'user-agent',
    ])
  })

  it('stops at an immediate refusal, and reads its reason', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(403, { connection: 'close' }).end('<Error><Code>AccessDenied</Code></Error>')
    })
    let sent = 0
    const big = file(2_000_000_000, { onSent: (bytes) => (sent = bytes) })
    const answer = await transport.put(server.url('/'), big)
    expect(answer).toEqual({ status: 403, text: '<Error><Code>AccessDenied</Code></Error>' })
    expect(sent).toBeLessThan(1_000_000_000)
  })

  it('reads a refusal that arrives before the content', async () => {
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n', () =>
            socket.destroy(),
          )
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://127.0.0.1:${port}/`)
    expect((await transport.put(url, file(50_000_000))).status).toBe(403)
  })

  it('sends the content if the server ignores or rejects the expectation', async () => {
    const quick = createFileTransport({ continueMs: 50 })
    const server = await startTestServer((request, response) => {
      void lengthOf(request).then((length) => response.end(String(length)))
    })
    server.server.on('checkContinue', (_request, response: ServerResponse) => {
      response.writeHead(417).end()
    })
    expect((await quick.put(server.url('/'), file(1000))).status).toBe(200)
    const silent = await startTestServer(() => undefined)
    silent.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      void lengthOf(request).then((length) => response.writeHead(length === 1000 ? 200 : 400).end())
    })
    expect((await quick.put(silent.url('/'), file(1000))).status).toBe(200)
  })

  it('reports a lost connection at any point', async () => {
    const server = await startTestServer((request) => {
      request.once('data', () => request.socket.resetAndDestroy())
    })
    await expect(transport.put(server.url('/'), file(50_000_000))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'reset' },
    })
    const deaf = await startTestServer((request) => request.socket.resetAndDestroy())
    await expect(transport.put(deaf.url('/'), file(0))).rejects.toMatchObject({ code: 'http/unreachable' })
  })

  it('times out without progress, or without an answer', async () => {
    const impatient = createFileTransport({ idleMs: 100, answerMs: 100 })
    const stuck = await startTestServer(() => undefined)
    for (const bytes of [10, 100_000_000]) {
      await expect(impatient.put(stuck.url('/'), file(bytes))).rejects.toMatchObject({
        code: 'http/timed-out',
      })
    }
  })

  it('throws the error of reading the file, and does not complete the upload', async () => {
    const finished: boolean[] = []
    const server = await startTestServer((request) => {
      request.resume()
      request.on('error', () => undefined).once('close', () => finished.push(request.complete))
    })
    const closed = new Promise((resolve) => server.server.once('connection', (s) => s.once('close', resolve)))
    const broken = new RangeError('disk')
    const open = async function* () {
      yield await Promise.resolve(piece)
      throw broken
    }
    expect(await rejection(transport.put(server.url('/'), file(2 * piece.length, { open })))).toBe(broken)
    await closed
    expect(finished).toEqual([false])
  })

  it.each([
    [307, 200, 2],
    [308, 200, 2],
    [302, 302, 1],
  ])('repeats the upload only for 307 and 308: %i', async (status, final, asked) => {
    const server = await startTestServer((request, response) => {
      const isFirst = request.url === '/first'
      void lengthOf(request).catch(() => 0)
      response.writeHead(isFirst ? status : 200, isFirst ? { location: '/second' } : {}).end()
    })
    expect((await transport.put(server.url('/first'), file(10))).status).toBe(final)
    expect(server.requests).toHaveLength(asked)
  })
})

describe('downloading a file', () => {
  it('follows three redirects but not a fourth', async () => {
    const server = await startTestServer((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 0) response.end('here')
      else response.writeHead(302, { location: `/${step - 1}` }).end()
    })
    expect(await get(server.url('/3'))).toEqual({ status: 200, text: 'here' })
    expect(await get(server.url('/4'))).toMatchObject({ status: 302 })
  })

  it.each(['http://vpn.example.org/', 'https://u:secret@vpn.example.org/', 'file:///etc/passwd', 'nowhere:'])(
    'follows no redirect to %s',
    async (location) => {
      const server = await startTestServer((_request, response) =>
        response.writeHead(302, { location }).end(),
      )
      expect(await get(server.url('/'))).toMatchObject({ status: 302 })
      await expect(get(new URL(location))).rejects.toMatchObject({ code: 'http/insecure-url' })
    },
  )

  it('reports a connection lost during the answer', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.socket?.destroy())
    })
    await expect(get(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'incomplete-answer' },
    })
  })

  it('ends when it is cancelled, before and during the transfer', async () => {
    const server = await startTestServer((_request, response) => response.write('half'))
    const cancel = new AbortController()
    const reading = transport.get(
      server.url('/'),
      { headers: {}, signal: cancel.signal, namedBy: server.url('/') },
      async (_head, body) => {
        for await (const chunk of body) if (chunk.byteLength > 0) cancel.abort()
      },
    )
    await expect(reading).rejects.toMatchObject({ code: 'http/cancelled' })
    await expect(get(server.url('/'), AbortSignal.abort())).rejects.toMatchObject({ code: 'http/cancelled' })
  })
})

describe('addresses that a service may send us to', () => {
  const publicService = new URL('https://vpn.example.org/v2.0.0/attachments/')

  /** Starts a private server on this computer that counts its connections. */
  async function startPrivateServer(): Promise<{
    readonly port: number
    readonly connections: () => number
  }> {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    return { port: (server.address() as { port: number }).port, connections: () => connections }
  }

  /** Resolves names to these addresses. */
  function namesLeadTo(addresses: Readonly<Record<string, readonly string[]>>) {
    const asked: string[] = []
    const lookup = ((name: string, _options: object, answer: (error: null, all: LookupAddress[]) => void) => {
      asked.push(name)
      const found = addresses[name] ?? [name]
      answer(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }) as typeof systemLookup
    return { asked, rules: createAddressRules(lookup) }
  }

  const ask = (rules: AddressRules, url: string, namedBy: URL, method: 'PUT' | 'GET') => {
    const guarded = createFileTransport({ transport: new Transport({ addressRules: rules }) })
    const request = { headers: {}, signal: new AbortController().signal, namedBy }
    return method === 'PUT'
      ? guarded.put(new URL(url), file(10, { namedBy }))
      : guarded.get(new URL(url), request, ({ status }) => Promise.resolve({ status }))
  }

  it.each([
    'https://127.0.0.1:PORT/x',
    'https://localhost:PORT/x',
    'https://[::ffff:127.0.0.1]:PORT/x',
    'https://2130706433:PORT/x',
  ])('do not include %s for a service on the internet', async (pattern) => {
    const { port, connections } = await startPrivateServer()
    const url = pattern.replace('PORT', String(port))
    for (const method of ['PUT', 'GET'] as const) {
      const { rules } = namesLeadTo({ localhost: ['127.0.0.1'], 'vpn.example.org': ['8.8.8.8'] })
      const error = await rejection(ask(rules, url, publicService, method))
      expect(error).toMatchObject({ code: 'http/private-address' })
      expect(JSON.stringify(error)).not.toContain('/x')
    }
    expect(connections()).toBe(0)
  })

  it('do not include private addresses of a name, which is resolved once', async () => {
    const { port, connections } = await startPrivateServer()
    const { rules, asked } = namesLeadTo({
      'storage.example.org': ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'],
      'vpn.example.org': ['8.8.8.8'],
    })
    await expect(
      ask(rules, `https://storage.example.org:${port}/x`, publicService, 'PUT'),
    ).rejects.toMatchObject({ code: 'http/private-address', details: { host: 'storage.example.org' } })
    expect(asked.filter((name) => name === 'storage.example.org')).toHaveLength(1)
    expect(connections()).toBe(0)
  })

  it.each(['https://10.0.0.1/x', 'https://router.example/x'])(
    'do not include the redirect target %s for a service on this computer',
    async (location) => {
      const server = await startTestServer((request, response) => {
        request.resume()
        response.writeHead(307, { location }).end()
      })
      const { rules } = namesLeadTo({ 'router.example': ['192.168.0.1'] })
      for (const method of ['PUT', 'GET'] as const) {
        await expect(ask(rules, server.url('/').href, server.url('/'), method)).rejects.toMatchObject({
          code: 'http/private-address',
        })
      }
    },
  )

  it.each([
    ['in a private network names another one there', '10.1.2.3', '10.9.9.9', true],
    ['in a private network names one on this computer', '10.1.2.3', '127.0.0.1', false],
    ['in a private network names a metadata service', '10.1.2.3', '169.254.169.254', false],
    ['in a private network names one on the internet', '10.1.2.3', '8.8.8.8', true],
    ['on the internet names one in a private network', '8.8.8.8', '10.9.9.9', false],
  ])('are limited if a service %s', async (_what, service, storage, may) => {
    const { rules } = namesLeadTo({ 'vpn.example.org': [service], 'storage.example.org': [storage] })
    const rule = await rules.ruleFor('file', new URL('https://storage.example.org/x'), publicService)
    const found = await new Promise((resolve) => {
      rule?.lookup('storage.example.org', { all: true }, (error, all) => {
        resolve(error === null ? all : undefined)
      })
    })
    expect(found).toEqual(may ? [{ address: storage, family: 4 }] : undefined)
  })

  it('do not include private ones for a service with public and private addresses', async () => {
    const { rules } = namesLeadTo({ 'vpn.example.org': ['10.0.0.1', '8.8.8.8'] })
    const url = new URL('https://10.0.0.2/x')
    const rule = await rules.ruleFor('file', url, publicService)
    expect(() => rule?.check(url)).toThrow(expect.objectContaining({ code: 'http/private-address' }))
  })
})
