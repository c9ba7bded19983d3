import { type Socket as UdpSocket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'node:net'
import { type SecureContext, type TLSSocket, createSecureContext, createServer } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { CausewayError } from '../../errors'
import type { Proxy } from '../../platform/http/proxies'
import { createTestAuthority } from '../../platform/http/test-authority.testing'
import { startTestProxy } from '../../platform/http/test-proxy.testing'
import { contactedFor } from './contacted'
import { ProxyGuard } from './proxyguard'

const authority = createTestAuthority('Test')
const credentials = authority.keyAndCertificate('proxy.example.org')
const accepted = 'HTTP/1.1 101 Switching Protocols\r\nconnection: UPGRADE\r\nUpgrade: uotlv/1\r\n\r\n'

/** A server that answers each request with these words; later calls see its connections and what they sent. */
async function server(
  answers: readonly (string | undefined)[],
  maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3',
) {
  const sockets: TLSSocket[] = []
  const ports: (number | undefined)[] = []
  const requests: string[] = []
  const frames: Buffer[] = []
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const each of waiting.splice(0)) each()
  }
  const listener = createServer({ ...credentials, maxVersion }, (socket) => {
    const answer = answers[Math.min(sockets.length, answers.length - 1)]
    sockets.push(socket)
    ports.push(socket.remotePort)
    let received = Buffer.alloc(0)
    let hasAnswered = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (!hasAnswered && end >= 0) {
        hasAnswered = true
        requests.push(received.subarray(0, end).toString())
        received = received.subarray(end + 4)
        if (answer === undefined) socket.destroy()
        else socket.write(answer)
      }
      while (hasAnswered && received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const length = received.readUInt16BE()
        frames.push(received.subarray(2, 2 + length))
        received = received.subarray(2 + length)
      }
      wake()
    })
    wake()
  })
  listener.on('tlsClientError', () => undefined)
  const raw: Socket[] = []
  listener.on('connection', (socket: Socket) => raw.push(socket))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    for (const socket of raw) socket.destroy()
    listener.close()
  })
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const closed = async (): Promise<unknown> => {
    const [socket] = sockets
    return socket && !socket.closed ? once(socket, 'close') : undefined
  }
  const impersonate = (name: string) => {
    listener.setSecureContext(createTestAuthority('Other').keyAndCertificate(name))
  }
  return {
    impersonate,
    port: (listener.address() as AddressInfo).port,
    sockets,
    ports,
    requests,
    frames,
    until,
    closed,
  }
}

async function udpSocket(): Promise<UdpSocket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => {
    socket.close()
  })
  return socket
}

/** WireGuard's side of a client, with timers that go off when the test says so. */
async function client(
  port: number,
  {
    host = 'proxy.example.org',
    ca = [authority.certificate],
    via,
    mayReach = () => Promise.resolve(true),
    addresses = ['127.0.0.1'],
    secureContext = () => Promise.resolve(createSecureContext({ ca: [...ca] })),
  }: {
    host?: string
    ca?: readonly string[]
    via?: Proxy
    mayReach?: (address: string) => Promise<boolean>
    addresses?: readonly string[]
    secureContext?: () => Promise<SecureContext>
  } = {},
) {
  const wireguard = await udpSocket()
  const timers: { readonly milliseconds: number; readonly work: () => void }[] = []
  const waiting: (() => void)[] = []
  let fail: (error: CausewayError) => void
  const failed = new Promise<CausewayError>((resolve) => (fail = resolve))
  const permitted: string[] = []
  const troubles: unknown[] = []
  const proxy = await ProxyGuard.open({
    endpoint: new URL(`https://${host}:${String(port)}/proxyguard/node?x=1`),
    via,
    listenPort: wireguard.address().port,
    mayReach,
    permit: (address, from) => {
      permitted.push(`${address} ${String(from)}`)
      return Promise.resolve(true)
    },
    secureContext,
    onFailure: (error) => {
      fail(error)
    },
    onTrouble: ({ code, details }) => troubles.push({ code, ...details }),
    after: (milliseconds, work) => {
      const timer = { milliseconds, work }
      timers.push(timer)
      for (const each of waiting.splice(0)) each()
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  onTestFinished(() => {
    proxy.close()
  })
  for (const address of addresses) proxy.dial(address)
  const timer = async (milliseconds: number): Promise<() => void> => {
    for (;;) {
      const found = timers.find((each) => each.milliseconds === milliseconds)
      if (found !== undefined) return found.work
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    proxy,
    wireguard,
    permitted,
    troubles,
    failed,
    timer,
    send: (text: string) => {
      wireguard.send(text, proxy.port, '127.0.0.1')
    },
  }
}

it('carries datagrams both ways, and asks for the protocol by the name of the server', async () => {
  const there = await server([accepted])
  const { wireguard, send } = await client(there.port)
  send('first')
  await there.until(() => there.frames.length === 1)
  expect(there.requests).toEqual([
    [
      'GET /proxyguard/node?x=1 HTTP/1.1',
      `Host: proxy.example.org:${String(there.port)}`,
      'Connection: Upgrade',
      'Upgrade: UoTLV/1',
    ].join('\r\n'),
  ])
  expect(there.sockets[0]?.getProtocol()).toBe('TLSv1.3')
  expect(there.frames.map(String)).toEqual(['first'])
  // In pieces, and two at once.
  const [socket] = there.sockets
  socket?.write(Buffer.from([0]))
  socket?.write(Buffer.from('\u0003ab'))
  socket?.write(Buffer.from('c\0\u0002de\0\0'))
  const received: string[] = []
  await new Promise<void>((resolve) => {
    wireguard.on('message', (datagram: Buffer) => {
      received.push(String(datagram))
      if (received.length === 2) resolve()
    })
  })
  expect(received).toEqual(['abc', 'de'])
})

it('connects only from a port that the helper lets past the tunnel, and from another one after that', async () => {
  const there = await server([accepted, accepted])
  const { proxy, permitted, send } = await client(there.port)
  const first = proxy.from
  send('one')
  await there.until(() => there.frames.length === 1)
  // The helper has permitted the first address from the start.
  expect(permitted).toEqual([])
  proxy.redial()
  send('two')
  await there.until(() => there.frames.length === 2)
  expect(there.ports).toEqual([first, proxy.from])
  expect(permitted).toEqual([`127.0.0.1 ${String(proxy.from)}`])
})

it('tries the next address at once after one that refuses, and begins with the one that worked', async () => {
  const there = await server([accepted, accepted])
  const { proxy, permitted, send } = await client(there.port, { addresses: ['127.0.0.2', '127.0.0.1'] })
  send('one')
  await there.until(() => there.frames.length === 1)
  expect(permitted).toEqual([`127.0.0.1 ${String(there.ports[0])}`])
  proxy.redial()
  send('two')
  await there.until(() => there.frames.length === 2)
  expect(proxy.dialled).toBe('127.0.0.1')
  expect(permitted).toHaveLength(2)
})

it('gives one of several addresses 2.5 s to answer', async () => {
  const there = await server([accepted])
  const silent = createTcpServer().listen(there.port, '127.0.0.2')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { timer, permitted, send } = await client(there.port, { addresses: ['127.0.0.2', '127.0.0.1'] })
  ;(await timer(2500))()
  send('one')
  await there.until(() => there.frames.length === 1)
  expect(permitted).toHaveLength(1)
})

it('dials no address that the service may not name', async () => {
  const there = await server([accepted])
  const mayReach = (address: string) => Promise.resolve(address === '127.0.0.1')
  const { proxy, permitted, send } = await client(there.port, {
    mayReach,
    addresses: ['127.0.0.2', '127.0.0.1'],
  })
  await proxy.allAdded()
  send('one')
  await there.until(() => there.frames.length === 1)
  expect(permitted).toHaveLength(1)
  const none = await client(there.port, { mayReach: () => Promise.resolve(false) })
  await none.proxy.allAdded()
  expect(await none.failed).toMatchObject({
    code: 'http/private-address',
    details: { host: `proxy.example.org:${String(there.port)}` },
  })
  expect(there.sockets).toHaveLength(1)
})

it("forwards only datagrams of WireGuard's own port", async () => {
  const there = await server([accepted])
  const { proxy, send } = await client(there.port)
  const stranger = await udpSocket()
  await new Promise((resolve) => {
    stranger.send('stranger', proxy.port, '127.0.0.1', resolve)
  })
  send('own')
  await there.until(() => there.frames.length === 1)
  expect(there.frames.map(String)).toEqual(['own'])
})

it('dials again on the next datagram after a lost connection, and waits longer each time', async () => {
  const there = await server([accepted, undefined, 'HTTP/1.1 502 Bad Gateway\r\n\r\n', accepted])
  const { timer, send } = await client(there.port)
  send('one')
  await there.until(() => there.frames.length === 1)
  const silence = await timer(60_000)
  silence()
  const pause = timer(1000)
  // Sent until the client has noticed: a datagram that is on its way to a lost connection is lost.
  const sending = setInterval(() => {
    send('two')
  }, 1)
  onTestFinished(() => {
    clearInterval(sending)
  })
  ;(await pause)()
  ;(await timer(2000))()
  ;(await timer(4000))()
  await there.until(() => there.frames.length > 1)
  expect(there.requests).toHaveLength(4)
})

it.each([
  ['status 200', 'HTTP/1.1 200 OK\r\n\r\n', { status: 200 }],
  ['status 401', 'HTTP/1.1 401 Unauthorized\r\nX: y\r\n\r\n', { status: 401 }],
  ['another protocol', accepted.replace('uotlv/1', 'websocket'), { reason: 'headers' }],
  ['no Connection header', accepted.replace('connection', 'x'), { reason: 'headers' }],
  ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', { reason: 'no-http' }],
  ['an endless head', 'a'.repeat(9000), { reason: 'no-http' }],
])('gives up after %s', async (_what, answer, details) => {
  const there = await server([answer])
  const { failed } = await client(there.port)
  expect(await failed).toMatchObject({ code: 'proxyguard/refused', details })
})

describe('after a connection was accepted', () => {
  it.each([
    ['status 500', 'HTTP/1.1 500 Internal Server Error\r\n\r\n', { status: 500 }, 1000],
    ['status 302', 'HTTP/1.1 302 Found\r\nLocation: http://hotel.example/\r\n\r\n', { status: 302 }, 1000],
    [
      'status 511',
      'HTTP/1.1 511 Sign in\r\nRetry-After: 7\r\n\r\n',
      { status: 511, retryAfterSeconds: 7 },
      7000,
    ],
    [
      'status 503',
      'HTTP/1.1 503 Reloading\r\nretry-after: 30\r\n\r\n',
      { status: 503, retryAfterSeconds: 30 },
      30_000,
    ],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', { reason: 'no-http' }, 1000],
  ])('%s is temporary, and waited out as it asks', async (_what, answer, details, pause) => {
    const there = await server([accepted, answer, accepted])
    const { proxy, send, timer, troubles } = await client(there.port)
    send('one')
    await there.until(() => there.frames.length === 1)
    proxy.redial()
    await there.until(() => there.requests.length === 2)
    // Sent until the client has noticed.
    const sending = setInterval(() => {
      send('two')
    }, 1)
    onTestFinished(() => {
      clearInterval(sending)
    })
    ;(await timer(pause))()
    await there.until(() => there.frames.length > 1)
    expect(troubles).toEqual([{ code: 'proxyguard/refused', ...details }])
  })

  it('a certificate of somebody else is temporary', async () => {
    const there = await server([accepted])
    const { proxy, send, timer, troubles } = await client(there.port)
    send('one')
    await there.until(() => there.frames.length === 1)
    there.impersonate('hotel.example')
    proxy.redial()
    send('two')
    await timer(1000)
    expect(troubles).toMatchObject([{ code: 'proxyguard/untrusted' }])
    expect(there.frames).toHaveLength(1)
  })
})

it.each([
  ['TLS 1.2', 'TLSv1.2', {}],
  ['a certificate for another name', 'TLSv1.3', { host: 'other.example.org' }],
  ['an authority that is not trusted', 'TLSv1.3', { ca: [createTestAuthority('Other').certificate] }],
] as const)('does not trust %s, and asks it for nothing', async (_what, maxVersion, how) => {
  const there = await server([accepted], maxVersion)
  const { failed } = await client(there.port, how)
  expect(await failed).toMatchObject({ code: 'proxyguard/untrusted' })
  expect(there.requests).toEqual([])
})

it('blames no server for a defect', async () => {
  const there = await server([accepted])
  const defect = new TypeError('tls.createSecureContext is not a function')
  const { failed } = await client(there.port, { secureContext: () => Promise.reject(defect) })
  expect(await failed).toMatchObject({ code: 'internal/unexpected', cause: defect })
  expect(there.requests).toEqual([])
})

it('trusts nobody where a variable turns off the checks of Node.js', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const there = await server([accepted])
  const { failed } = await client(there.port, { ca: [createTestAuthority('Other').certificate] })
  expect(await failed).toMatchObject({ code: 'proxyguard/untrusted' })
  expect(there.requests).toEqual([])
})

it('closes the connection after a length that no datagram has', async () => {
  const there = await server([accepted])
  const { send, timer } = await client(there.port)
  send('one')
  await there.until(() => there.frames.length === 1)
  there.sockets[0]?.write(Buffer.from([255, 255, 255]))
  await there.closed()
  send('two')
  await timer(1000)
})

it('drops datagrams while the server takes none, instead of keeping them', async () => {
  const there = await server([accepted])
  const { send } = await client(there.port)
  send('one')
  await there.until(() => there.frames.length === 1)
  const [socket] = there.sockets
  socket?.pause()
  const large = 'x'.repeat(60_000)
  for (let count = 0; count < 500; count += 1) {
    send(large)
    await new Promise(setImmediate)
  }
  socket?.resume()
  const last = () => there.frames.some((frame) => frame.length < large.length && String(frame) === 'last')
  while (!last()) {
    send('last')
    await new Promise(setImmediate)
  }
  // The kernel keeps up to 10 MB on the way.
  expect(there.frames.filter((frame) => frame.length === large.length).length).toBeLessThan(300)
})

it('does nothing after it was closed', async () => {
  const there = await server([accepted])
  const { proxy, send } = await client(there.port)
  send('one')
  await there.until(() => there.frames.length === 1)
  const closed = there.closed()
  proxy.close()
  proxy.close()
  proxy.redial()
  await closed
  expect(there.sockets).toHaveLength(1)
})

describe('through the proxy of the network', () => {
  /** A proxy that the client knows by a name, with the address that the helper has looked up. */
  async function behindProxy(
    options: Partial<Parameters<typeof startTestProxy>[0]> = {},
    via: Partial<Proxy> = {},
    answers: readonly (string | undefined)[] = [accepted],
  ) {
    const there = await server(answers)
    const { port, asked } = await startTestProxy({ leadsTo: there.port, ...options })
    const proxy: Proxy = { protocol: 'http:', host: 'proxy.internal', port, ...via }
    return { there, asked, ...(await client(there.port, { via: proxy })) }
  }

  it('asks it for the server by name, with the user and the password', async () => {
    const { there, asked, send } = await behindProxy(
      { login: 'user:secret' },
      { credentials: { user: 'user', password: 'secret' } },
    )
    send('one')
    await there.until(() => there.frames.length === 1)
    expect(asked).toEqual([`proxy.example.org:${String(there.port)}`])
    expect(there.sockets[0]?.getProtocol()).toBe('TLSv1.3')
  })

  it('asks one on this computer for the address, which the kill switch permits', async () => {
    const { there, asked, send } = await behindProxy({}, { host: '127.0.0.1' })
    send('one')
    await there.until(() => there.frames.length === 1)
    expect(asked).toEqual([`127.0.0.1:${String(there.port)}`])
  })

  it('reaches one that speaks https, and checks its name', async () => {
    const secure = (name: string) => createHttpsServer(authority.keyAndCertificate(name))
    const good = await behindProxy({ server: secure('proxy.internal') }, { protocol: 'https:' })
    good.send('one')
    await good.there.until(() => good.there.frames.length === 1)
    const bad = await behindProxy({ server: secure('other.internal') }, { protocol: 'https:' })
    bad.send('one')
    await bad.timer(1000)
    expect(bad.asked).toEqual([])
  })

  it.each([
    [407, {}, { code: 'http/proxy-authentication' }],
    [407, { credentials: { user: 'u', password: 'p' } }, { variant: 'rejected' }],
    [403, {}, { code: 'http/unreachable', variant: 'proxy-refused', details: { status: 403 } }],
  ])('gives up when it answers %i', async (refusesWith, via, error) => {
    const { there, failed } = await behindProxy({ refusesWith }, via)
    expect(await failed).toMatchObject(error)
    expect(there.sockets).toEqual([])
  })

  it.each([
    ['answers 503', { refusesWith: 503 }, {}],
    ['is not there', {}, { port: 1 }],
  ])('dials again while it %s', async (_what, options, via) => {
    const { send, timer } = await behindProxy(options, via)
    send('one')
    ;(await timer(1000))()
    send('two')
    await timer(2000)
  })

  it('connects again after a connection was lost, and once for two changes of the network', async () => {
    const { there, asked, proxy, send } = await behindProxy()
    send('one')
    await there.until(() => there.frames.length === 1)
    proxy.redial()
    proxy.redial()
    send('two')
    await there.until(() => there.frames.length === 2)
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(there.sockets.filter((socket) => !socket.closed)).toHaveLength(1)
  })

  it('contacts it in place of the server, unless it is on this computer', () => {
    const there = { host: 'proxy.example.org', port: 443 }
    const via = (host: string): Proxy => ({ protocol: 'http:', host, port: 3128 })
    expect(contactedFor(there, via('192.0.2.3'))).toEqual({ host: '192.0.2.3', port: 3128 })
    for (const own of [undefined, via('localhost'), via('::1'), via('127.0.0.2')])
      expect(contactedFor(there, own)).toBe(there)
  })
})
