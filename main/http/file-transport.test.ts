import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createFileTransport, type FileToPut } from './file-transport'
import { rejection, startTestServer } from './test-server.testing'

const transport = createFileTransport()
const piece = Buffer.alloc(256 * 1024)

function file(bytes: number, more: Partial<FileToPut> = {}): FileToPut {
  return {
    bytes,
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

const get = (url: URL, signal = new AbortController().signal) =>
  transport.get(url, { headers: {}, signal }, async ({ status }, body) => ({
    status,
    text: await wholeBody(body),
  }))

describe('sending a file', () => {
  it('says its length and type, and nothing about who sends it', async () => {
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
      'host',
      'user-agent',
    ])
  })

  it('stops where it is refused at once, and hears why', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(403, { connection: 'close' }).end('<Error><Code>AccessDenied</Code></Error>')
    })
    let sent = 0
    const big = file(2_000_000_000, { onSent: (bytes) => (sent = bytes) })
    const answer = await transport.put(server.url('/'), big)
    expect(answer).toEqual({ status: 403, text: '<Error><Code>AccessDenied</Code></Error>' })
    expect(sent).toBeLessThan(1_000_000_000)
  })

  it('says that the connection broke, wherever it does', async () => {
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

  it('gives up where nothing moves, or no answer comes', async () => {
    const impatient = createFileTransport({ idleMs: 100, answerMs: 100 })
    const stuck = await startTestServer(() => undefined)
    for (const bytes of [10, 100_000_000]) {
      await expect(impatient.put(stuck.url('/'), file(bytes))).rejects.toMatchObject({
        code: 'http/timed-out',
      })
    }
  })

  it('hands on what reading the file threw, and completes nothing', async () => {
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
  ])('sends it again after a %i, and only there', async (status, final, asked) => {
    const server = await startTestServer((request, response) => {
      const isFirst = request.url === '/first'
      void lengthOf(request).catch(() => 0)
      response.writeHead(isFirst ? status : 200, isFirst ? { location: '/second' } : {}).end()
    })
    expect((await transport.put(server.url('/first'), file(10))).status).toBe(final)
    expect(server.requests).toHaveLength(asked)
  })
})

describe('getting a file', () => {
  it('follows three redirects, and not the fourth', async () => {
    const server = await startTestServer((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 0) response.end('here')
      else response.writeHead(302, { location: `/${step - 1}` }).end()
    })
    expect(await get(server.url('/3'))).toEqual({ status: 200, text: 'here' })
    expect(await get(server.url('/4'))).toMatchObject({ status: 302 })
  })

  it.each(['http://vpn.example.org/', 'https://u:secret@vpn.example.org/', 'file:///etc/passwd', 'nowhere:'])(
    'follows none to %s',
    async (location) => {
      const server = await startTestServer((_request, response) =>
        response.writeHead(302, { location }).end(),
      )
      expect(await get(server.url('/'))).toMatchObject({ status: 302 })
      await expect(get(new URL(location))).rejects.toMatchObject({ code: 'http/insecure-url' })
    },
  )

  it('says that it broke off in the middle', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.socket?.destroy())
    })
    await expect(get(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'incomplete-answer' },
    })
  })

  it('ends when it is cancelled, before and in the middle', async () => {
    const server = await startTestServer((_request, response) => response.write('half'))
    const cancel = new AbortController()
    const reading = transport.get(
      server.url('/'),
      { headers: {}, signal: cancel.signal },
      async (_head, body) => {
        for await (const chunk of body) if (chunk.byteLength > 0) cancel.abort()
      },
    )
    await expect(reading).rejects.toMatchObject({ code: 'http/cancelled' })
    await expect(get(server.url('/'), AbortSignal.abort())).rejects.toMatchObject({ code: 'http/cancelled' })
  })
})
