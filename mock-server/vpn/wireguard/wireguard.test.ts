import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'
import { isAnswered } from './start-wireguard'
import { dialProxy, newWireguardKeys, relayThrough, TestWireguard } from './wireguard.testing'
import type { WireguardPeer } from './wireguard'

const timeout = 90_000
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
/** Without the 28 bytes of its headers, of an MTU of 1392. */
const fullSizePing = 1364
const tcp = 'application/x-wireguard+tcp-profile'

it.runIf(process.platform === 'linux')('without root runs no server, and says why', async () => {
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(1000)
  const server = await createMockServer({ autoApprove: true, api: '3', tunnel: 'wireguard' })
  getuid.mockRestore()
  try {
    expect(server.wireguard).toEqual({ mode: 'none', reason: 'A network namespace needs root on Linux.' })
    const client = new TestClient(server)
    const { accessToken } = await client.logIn()
    const form = { profile_id: 'wireguard-only', public_key: newWireguardKeys().publicKey }
    expect(await (await client.connect(accessToken, form)).text()).toContain('Endpoint = node.vpn.example:')
    expect((await client.control('POST', '/scenarios/wireguard-udp-blocked')).status).toBe(409)
  } finally {
    await server.close()
  }
})

it.runIf(isRoot)('does not take away the socket of a wireguard-go that does not listen yet', async () => {
  const device = `cwl${process.pid}`
  const folder = '/var/run/wireguard'
  const path = `${folder}/${device}.sock`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Its server is gone, so it refuses as one that is only bound.
  const listening = `require('node:net').createServer().listen('${path}', () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', listening])
  try {
    expect(await isAnswered(device)).toBe(false)
    expect(existsSync(path)).toBe(true)
  } finally {
    rmSync(path)
  }
})

describe.runIf(isRoot)('the WireGuard server', { timeout }, () => {
  let server: MockServer
  let client: TestClient
  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, api: '3', tunnel: 'wireguard' })
    client = new TestClient(server)
  }, timeout)
  afterAll(() => server.close())

  const full = ({ wireguard } = server) => {
    if (wireguard.mode !== 'full') throw new Error(wireguard.reason)
    return wireguard
  }
  const peers = async (of = client) => {
    const answer = await (await of.control('GET', '/tunnel')).json()
    return (answer as { wireguard: { peers: WireguardPeer[] } }).wireguard.peers
  }
  const dial = async (limit?: AbortSignal) => {
    const { status, socket } = await dialProxy(full().proxyEndpoint, readFileSync(server.caFile ?? ''), limit)
    socket?.destroy()
    return status
  }
  const keys = newWireguardKeys()
  const configure = (accessToken: string, publicKey: string, accept?: string) =>
    client.connect(accessToken, { profile_id: 'everywhere', public_key: publicKey }, accept)

  it('answers pings of both families and lists the age of the handshake, until /disconnect', async () => {
    const { accessToken } = await client.logIn()
    const text = await (await configure(accessToken, keys.publicKey)).text()
    expect(await peers()).toMatchObject([{ publicKey: keys.publicKey, handshakeAgeSeconds: null }])
    const wireguard = await TestWireguard.start(text, keys.privateKey)
    try {
      const [address = '', address6 = ''] = full().pingAddresses
      expect(await wireguard.answers(address, 15)).toBe(true)
      expect(await wireguard.answers(address6, 15)).toBe(true)
      expect((await peers())[0]?.handshakeAgeSeconds).toBeLessThan(30)
      await client.call3(accessToken, '/disconnect', { method: 'POST' })
      expect(await peers()).toEqual([])
      expect(await wireguard.answers(address, 1)).toBe(false)
    } finally {
      await wireguard.stop()
    }
  })

  it('can be reached over TCP through ProxyGuard with a certificate of the CA', async () => {
    const { accessToken } = await client.logIn()
    const text = await (await configure(accessToken, keys.publicKey, tcp)).text()
    const url = /^ProxyEndpoint = (.*)$/m.exec(text)?.[1] ?? ''
    expect(url).toBe(full().proxyEndpoint)
    const { status, socket } = await dialProxy(url, readFileSync(server.caFile ?? ''))
    if (socket === undefined) throw new Error(String(status))
    const relay = await relayThrough(socket)
    const wireguard = await TestWireguard.start(text, keys.privateKey, `127.0.0.1:${relay.port}`)
    try {
      expect(await wireguard.answers(full().pingAddresses[0] ?? '', 15, fullSizePing)).toBe(true)
      expect((await peers())[0]?.endpoint).toMatch(/^127\.0\.0\.1:/)
    } finally {
      await wireguard.stop()
      relay.close()
    }
  })

  it('knows the peers of configurations in use: not those that are evicted, revoked or withdrawn', async () => {
    await client.control('POST', '/reset')
    const added = []
    for (let device = 0; device < 4; device += 1) {
      const { accessToken } = await client.logIn()
      const { publicKey } = newWireguardKeys()
      await configure(accessToken, publicKey)
      added.push(publicKey)
    }
    const known = async () => (await peers()).map(({ publicKey }) => publicKey).sort()
    expect(await known()).toEqual(added.slice(1).sort())
    await client.control('POST', '/configurations/withdraw', { id: added[1] })
    expect(await known()).toEqual(added.slice(2).sort())
    await client.scenario('login-revoked')
    expect(await known()).toEqual([])
    await client.scenario('all-well')
    expect(await known()).toEqual([])
  })

  it('knows its peers and its key again after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'causeway-mock-wireguard-'))
    try {
      const run = async (use: (other: TestClient) => Promise<void>) => {
        const other = await createMockServer({ dataDir, autoApprove: true, api: '3', tunnel: 'wireguard' })
        try {
          const its = new TestClient(other)
          await use(its)
          return { peers: await peers(its), publicKey: full(other).publicKey }
        } finally {
          await other.close()
        }
      }
      const before = await run(async (other) => {
        const form = { profile_id: 'wireguard-only', public_key: keys.publicKey }
        await other.connect((await other.logIn()).accessToken, form)
      })
      expect(before.peers).toMatchObject([{ publicKey: keys.publicKey }])
      const after = await run(() => Promise.resolve())
      expect([after.publicKey, after.peers[0]?.publicKey]).toEqual([before.publicKey, keys.publicKey])
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('loses packets, peers and addresses in scenarios', async () => {
    const { accessToken } = await client.logIn()
    const text = await (await configure(accessToken, keys.publicKey)).text()
    const wireguard = await TestWireguard.start(text, keys.privateKey)
    const [address = ''] = full().pingAddresses
    const answers = async () => [
      await wireguard.answers(address, 1),
      await wireguard.answers(address, 1, fullSizePing),
    ]
    try {
      expect(await wireguard.answers(address, 15)).toBe(true)
      expect(await answers()).toEqual([true, true])
      await client.scenario('wireguard-large-packets-lost')
      expect(await answers()).toEqual([true, false])
      await client.scenario('wireguard-udp-blocked')
      expect(await answers()).toEqual([false, false])
      expect(await dial()).toBe(101)
      await client.scenario('wireguard-server-silent')
      expect(await answers()).toEqual([false, false])
      await client.scenario('wireguard-endpoint-moved')
      expect(await answers()).toEqual([false, false])
      expect(text).toContain('Endpoint = 192.168.77.')
      expect(await (await configure(accessToken, keys.publicKey)).text()).toContain('Endpoint = 192.168.78.')
      await client.scenario('wireguard-peers-removed')
      expect(await peers()).toEqual([])
      await client.scenario('wireguard-address-plan-changed')
      expect(await peers()).toEqual([])
      expect(await (await configure(accessToken, keys.publicKey)).text()).toContain('Address = 10.78.')
      expect((await peers())[0]?.allowedIps[0]).toMatch(/^10\.78\./)
      await client.scenario('all-well')
      expect((await peers())[0]?.allowedIps[0]).toMatch(/^10\.77\./)
    } finally {
      await wireguard.stop()
    }
  })

  it.each([
    ['proxyguard-answers-200', 200],
    ['proxyguard-answers-401', 401],
    ['proxyguard-answers-502', 502],
    ['proxyguard-answers-503', 503],
    ['proxyguard-closes', 'ECONNRESET'],
    ['proxyguard-stalls', 'ABORT_ERR'],
    ['proxyguard-wrong-certificate', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['all-well', 101],
  ])('%s: a client of ProxyGuard gets %o', async (name, expected) => {
    await client.scenario(name)
    const limit = name === 'proxyguard-stalls' ? AbortSignal.timeout(1000) : undefined
    const outcome = await dial(limit).catch((error: unknown) => (error as NodeJS.ErrnoException).code)
    expect(outcome).toBe(expected)
  })

  describe('ProxyGuard answers as behind a real portal', () => {
    /** Sends the head of a request, and returns what the server says until it ends the connection. */
    const say = async (first: string, ...lines: string[]) => {
      const { hostname } = new URL(full().proxyEndpoint)
      const socket = connect({ host: hostname, port: 443, ca: readFileSync(server.caFile ?? '') })
      socket.write(`${[first, `Host: ${hostname}`, ...lines].join('\r\n')}\r\n\r\n`)
      return text(socket)
    }
    const upgrade = ['Connection: Upgrade', 'Upgrade: UoTLV/1']

    it.each([
      ['no upgrade', 'GET /proxyguard/node', [], '426 Upgrade Required', "the 'Connection' header is not"],
      [
        'another protocol',
        'GET /proxyguard/node',
        ['Connection: Upgrade', 'Upgrade: websocket'],
        '426 Upgrade Required',
        "the 'Upgrade' header is not 'UoTLV/1', got: 'websocket'",
      ],
      ['another method', 'POST /proxyguard/node', upgrade, '501 Not Implemented', 'Method Not Allowed'],
      ['another node', 'GET /proxyguard/other', upgrade, '404 Not Found', '<title>404 Not Found</title>'],
    ] as const)('%s', async (_what, request, lines, status, words) => {
      const output = await say(`${request} HTTP/1.1`, ...lines)
      expect(output).toMatch(/^HTTP\/1\.1 .*\r\nDate: .* GMT\r\nServer: Apache\r\n/)
      expect(output).toContain(`HTTP/1.1 ${status}\r\n`)
      expect(output).toContain(words)
    })

    it('the node is down', async () => {
      await client.scenario('proxyguard-answers-503')
      const output = await say('GET /proxyguard/node HTTP/1.1', ...upgrade)
      expect(output).toMatch(
        /^HTTP\/1\.1 503 Service Unavailable\r\n[^]*text\/html[^]*<h1>Service Unavailable<\/h1>/,
      )
      await client.scenario('all-well')
    })

    it('a client that is silent', async () => {
      await client.scenario('proxyguard-impatient')
      const output = await say('GET /proxyguard/node?a=1 HTTP/1.1', 'Connection: Upgrade', 'Upgrade: uotlv/1')
      expect(output).toMatch(
        /^HTTP\/1\.1 101 Switching Protocols\r\nDate: .*\r\nServer: Apache\r\nUpgrade: UoTLV\/1\r\nConnection: Upgrade\r\n\r\n$/,
      )
      await client.scenario('all-well')
    })
  })
})
