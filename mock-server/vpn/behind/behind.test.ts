import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../control/journal-record'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'
import { TestOpenVpn } from '../tunnel/openvpn.testing'
import { rows } from '../../../scripts/slow.testing'
import { newWireguardKeys, TestWireguard } from '../wireguard/wireguard.testing'

const timeout = 90_000
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const exec = promisify(execFile)

/** A client of a tunnel, in whose network programs run. */
interface Connected {
  run(...command: string[]): Promise<string>
  stop(): Promise<void>
}

async function overOpenvpn(client: TestClient): Promise<Connected> {
  const { accessToken } = await client.logIn()
  const config = await client.profileConfig(accessToken, 'profile_id=office')
  const openvpn = new TestOpenVpn(config, await client.createKeyPair(accessToken), [], 300)
  if (!(await openvpn.isConnected())) throw new Error(openvpn.log.join('\n'))
  return {
    run: async (program = '', ...parameters) =>
      // Also the output of a program that fails.
      (await exec('sh', ['-c', '"$@"; true', 'sh', program, ...parameters])).stdout.trim(),
    stop: () => openvpn.stop(),
  }
}

async function overWireguard(client: TestClient): Promise<Connected> {
  const { accessToken } = await client.logIn()
  const keys = newWireguardKeys()
  const form = { profile_id: 'wireguard-only', public_key: keys.publicKey }
  return TestWireguard.start(await (await client.connect(accessToken, form)).text(), keys.privateKey)
}

const tunnels = [
  ['openvpn', overOpenvpn],
  ['wireguard', overWireguard],
] as const

// Over TLS, because ProxyGuard, the tunnels and their journal must not depend on the origin.
describe.runIf(isRoot).each(rows(tunnels, 1))('behind %s', { timeout }, (tunnel, connect) => {
  let server: MockServer
  let client: TestClient
  let connected: Connected
  let ipv4 = ''
  let ipv6 = ''
  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, api: '2,3', tunnel, tls: 'generated' })
    client = new TestClient(server)
    const { networks } = (await (await client.control('GET', '/network')).json()) as {
      networks: { addresses: string[] }[]
    }
    ;[ipv4 = '', ipv6 = ''] = networks[0]?.addresses ?? []
    connected = await connect(client)
    // The first packet sets WireGuard up.
    await connected.run('ping', '-c', '1', '-w', '10', ipv4)
  }, timeout)
  afterAll(async () => {
    await connected.stop()
    await server.close()
  })
  afterEach(() => client.control('POST', '/scenarios/all-well'))

  const journal = async (query: string) =>
    (await (await client.control('GET', `/requests?via=tunnel&${query}`)).json()) as JournalEntry[]
  const ping = (address: string, size = 56) =>
    connected.run('ping', '-n', '-c', '1', '-w', '3', '-M', 'do', '-s', String(size), address)
  const node = (script: string) => connected.run(process.execPath, '-e', script)
  const resolve = (name: string, type: string, at = ipv4) =>
    node(`const resolver = new (require('node:dns').promises.Resolver)({ timeout: 2000, tries: 1 })
      resolver.setServers([${JSON.stringify(at)}])
      resolver.resolve(${JSON.stringify(name)}, '${type}').then((found) => console.log(found.join()), (e) => console.log(e.code))`)

  it('answers DNS over UDP in both families, and records what was asked', async () => {
    await client.control('DELETE', '/requests')
    expect(await resolve('www.Example.org', 'A')).toBe(ipv4)
    expect(await resolve('www.example.org', 'AAAA', `[${ipv6}]:53`)).toBe(ipv6)
    expect(await resolve('www.example.org', 'MX')).toBe('ENODATA')
    expect(await resolve('nothing.invalid', 'A')).toBe('ENOTFOUND')
    const asked = await journal('method=DNS')
    expect(asked.map(({ path, query, status }) => [path, query.type, status])).toEqual([
      ['/www.example.org', 'A', 0],
      ['/www.example.org', 'AAAA', 0],
      ['/www.example.org', 'MX', 0],
      ['/nothing.invalid', 'A', 3],
    ])
    expect(asked[0]?.headers).toMatchObject({ to: `${ipv4}:53` })
    expect(await journal('path=/not-asked.example')).toEqual([])
  })

  it('answers the records that a test sets, until the next scenario', async () => {
    const records = {
      'a.example': ['192.0.2.7', '2001:db8::7'],
      'gone.example.': [],
      'b.example': 'server-failure',
    }
    expect((await client.control('PUT', '/network', { records })).status).toBe(200)
    expect(await resolve('a.example', 'A')).toBe('192.0.2.7')
    expect(await resolve('a.example', 'AAAA')).toBe('2001:db8::7')
    expect(await resolve('gone.example', 'A')).toBe('ENOTFOUND')
    expect(await resolve('b.example', 'A')).toBe('ESERVFAIL')
    await client.scenario('all-well')
    expect(await resolve('a.example', 'A')).toBe(ipv4)
    // A name that every object has.
    expect(await resolve('constructor', 'A')).toBe(ipv4)
  })

  it('shows the address of the client, and takes what is sent to the sink', async () => {
    await client.control('DELETE', '/requests')
    const address = await node(
      `fetch('http://${ipv4}/?a=1', { headers: { accept: 'application/json' } }).then((r) => r.json()).then((r) => console.log(r.address))`,
    )
    expect(address).toMatch(/^10\./)
    expect(await node(`fetch('http://[${ipv6}]/').then((r) => r.text()).then(console.log)`)).toMatch(
      /^Your address: fd/,
    )
    await node(`require('node:net').connect(80, '${ipv4}').end('GET // HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')`)
    await expect.poll(() => journal('path=//')).toHaveLength(1)
    await client.control('DELETE', '/requests')
    expect(await node(`fetch('http://${ipv4}/?a=1').then((r) => r.text()).then(console.log)`)).toMatch(
      /^Your/,
    )
    expect(await node(`fetch('http://[${ipv6}]/').then((r) => r.text()).then(console.log)`)).toMatch(/^Your/)
    await node(`require('node:net').connect(9, '${ipv4}').end(Buffer.alloc(500000))`)
    await expect
      .poll(() => journal('method=DISCARD'))
      .toMatchObject([{ bodyBytes: 500_000, headers: { to: `${ipv4}:9` } }])
    expect(await journal('method=GET')).toMatchObject([
      { path: '/', query: { a: '1' }, status: 200, via: 'tunnel', headers: { to: `${ipv4}:80` } },
      { path: '/', headers: { to: `[${ipv6}]:80` } },
    ])
    expect(await (await client.control('GET', '/requests?via=server')).json()).toEqual([])
  })

  it('records packets that came through, and no others', async () => {
    await client.control('DELETE', '/requests')
    for (const address of [ipv4, ipv6]) expect(await ping(address)).toContain(' 0% packet loss')
    await node(`require('node:net').connect(4321, '${ipv4}').on('error', () => undefined)`)
    await expect.poll(() => journal(`path=/${ipv4}:4321`)).toMatchObject([{ method: 'TCP' }])
    const pings = (await journal('method=ICMP')).map(({ path }) => path)
    expect(new Set(pings)).toEqual(new Set([`/${ipv4}`, `/${ipv6}`]))
    expect(await journal('path=/192.0.2.1*')).toEqual([])
  })

  it('has the MTU that a test sets: larger packets vanish', async () => {
    expect(await ping(ipv4, 1300)).toContain(' 0% packet loss')
    expect((await client.control('PUT', '/network', { mtu: 1300 })).status).toBe(200)
    expect(await ping(ipv4, 1300)).toContain(' 100% packet loss')
    expect(await ping(ipv4, 1272)).toContain(' 0% packet loss')
    await node(`require('node:net').connect(9, '${ipv4}').end(Buffer.alloc(3000000))`)
    await expect.poll(() => journal('method=DISCARD&limit=1')).toMatchObject([{ bodyBytes: 3_000_000 }])
    await client.scenario('all-well')
    expect(await ping(ipv4, 1300)).toContain(' 0% packet loss')
  })

  // OpenVPN's server pushes it, which the queries above show.
  it.runIf(tunnel === 'wireguard')('has its DNS server in the configuration', async () => {
    const { accessToken } = await client.logIn()
    const { publicKey } = newWireguardKeys()
    const text = await (
      await client.connect(accessToken, { profile_id: 'everywhere', public_key: publicKey })
    ).text()
    expect(text).toContain(`\nDNS = ${ipv4},${ipv6}`)
  })
})

it('refuses settings without a network, and without effect', async () => {
  const server = await createMockServer()
  const client = new TestClient(server)
  try {
    expect((await client.control('PUT', '/network', { mtu: 1300 })).status).toBe(409)
    for (const wrong of [
      {},
      { mtu: 10 },
      { MTU: 1300 },
      { records: { 'a b': [] } },
      { records: { a: ['x'] } },
    ]) {
      expect([wrong, (await client.control('PUT', '/network', wrong)).status]).toEqual([wrong, 400])
    }
    expect(await (await client.control('GET', '/network')).json()).toEqual({
      mtu: null,
      records: {},
      networks: [],
    })
  } finally {
    await server.close()
  }
})

it.runIf(isRoot)('ends with the mock', { timeout }, async () => {
  const server = await createMockServer({ tunnel: 'openvpn', tunnelHooks: false })
  const { tunnel } = server
  if (tunnel.mode !== 'full') throw new Error('no full tunnel')
  expect(spawnSync('ip', ['netns', 'pids', tunnel.namespace]).status).toBe(0)
  await server.close()
  expect(spawnSync('ip', ['netns', 'pids', tunnel.namespace]).status).not.toBe(0)
})
