import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'

const now = new Date('2026-11-20T12:00:00Z')
const sessionEnd = 'Thu, 18 Feb 2027 12:00:00 GMT'
const publicKey = Buffer.alloc(32, 7).toString('base64')
const openvpn = 'application/x-openvpn-profile'
const wireguard = 'application/x-wireguard-profile'
const wireguardTcp = 'application/x-wireguard+tcp-profile'

let server: MockServer
let client: TestClient
let accessToken: string
beforeEach(async () => {
  server = await createMockServer({ autoApprove: true, api: '3', clock: { now: () => now } })
  client = new TestClient(server)
  accessToken = (await client.logIn()).accessToken
})
afterEach(() => server.close())

const connect = (form: Record<string, string>, accept?: string) => client.connect(accessToken, form, accept)
const errorOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: string }).error,
]
const remotesIn = (config: string) => [...config.matchAll(/^remote \S+ (\d+) (\S+)$/gm)].map(([line]) => line)
const blockOf = (config: string, name: string) =>
  new RegExp(`<${name}>\n([^]*?)\n</${name}>`).exec(config)?.[1] ?? ''

async function configurations(): Promise<{ id: string; user: string; profile: string; protocol: string }[]> {
  const response = await client.control('GET', '/configurations')
  return ((await response.json()) as { configurations: [] }).configurations
}

describe('/info', () => {
  it('lists the profiles with the fields of version 3', async () => {
    const response = await client.call3(accessToken, '/info')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const openvpnBoth = {
      vpn_proto_list: ['openvpn'],
      vpn_proto_transport_list: ['openvpn+udp', 'openvpn+tcp'],
    }
    expect(await response.json()).toEqual({
      info: {
        profile_list: [
          {
            profile_id: 'internet',
            display_name: 'Internet Access',
            default_gateway: true,
            ...openvpnBoth,
          },
          { profile_id: 'office', display_name: 'Office Network', default_gateway: false, ...openvpnBoth },
          {
            profile_id: 'campus',
            display_name: 'Campus Network',
            default_gateway: false,
            dns_search_domain_list: ['campus.example', 'lab.campus.example'],
            profile_priority: 10,
            ...openvpnBoth,
          },
          {
            profile_id: 'everywhere',
            display_name: 'Internet Access (WireGuard or OpenVPN)',
            default_gateway: true,
            vpn_proto_list: ['wireguard', 'openvpn'],
            vpn_proto_transport_list: ['wireguard+udp', 'wireguard+tcp', 'openvpn+udp', 'openvpn+tcp'],
          },
          {
            profile_id: 'wireguard-only',
            display_name: 'Research Network (WireGuard)',
            default_gateway: false,
            vpn_proto_list: ['wireguard'],
            vpn_proto_transport_list: ['wireguard+udp'],
          },
        ],
      },
    })
  })

  it('answers 401 without a valid access token', async () => {
    const response = await client.call3('unknown', '/info')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await response.json()).toMatchObject({ error: 'invalid_token' })
  })
})

describe('/connect', () => {
  it('issues a complete OpenVPN configuration with an Ed25519 key', async () => {
    const response = await connect({ profile_id: 'internet' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(openvpn)
    expect(response.headers.get('expires')).toBe(sessionEnd)
    const config = await response.text()
    const certificate = new X509Certificate(blockOf(config, 'cert'))
    const key = createPrivateKey(blockOf(config, 'key'))
    expect(blockOf(config, 'key')).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    expect(key.asymmetricKeyType).toBe('ed25519')
    expect(certificate.checkPrivateKey(key)).toBe(true)
    expect(certificate.verify(new X509Certificate(blockOf(config, 'ca')).publicKey)).toBe(true)
    expect(new Date(certificate.validTo)).toEqual(new Date(sessionEnd))
    expect(blockOf(config, 'tls-crypt')).toMatch(/^#\n# .+\n#\n-----BEGIN OpenVPN Static key V1-----/)
    expect(config.replace(/<(\w[\w-]*)>\n[^]*?\n<\/\1>/g, '<$1>').split('\n')).toEqual([
      'dev tun',
      'client',
      'nobind',
      'remote-cert-tls server',
      'verb 3',
      'server-poll-timeout 10',
      'tls-version-min 1.3',
      'data-ciphers AES-256-GCM:CHACHA20-POLY1305',
      'reneg-sec 0',
      '<ca>',
      '<cert>',
      '<key>',
      '<tls-crypt>',
      expect.stringMatching(/^remote 127\.0\.0\.1 119[45] udp$/),
      'remote 127.0.0.1 53 udp',
      expect.stringMatching(/^remote 127\.0\.0\.1 119[45] tcp$/),
      'remote 127.0.0.1 443 tcp',
    ])
  })

  it('puts TCP first where the client prefers it', async () => {
    const config = await (await connect({ profile_id: 'internet', prefer_tcp: 'yes' })).text()
    expect(remotesIn(config).map((line) => line.split(' ').at(-1))).toEqual(['tcp', 'tcp', 'udp', 'udp'])
    const old = await (await connect({ profile_id: 'internet', tcp_only: 'on' })).text()
    expect(remotesIn(old)[0]).toMatch(/tcp$/)
  })

  it('issues a WireGuard configuration without a private key', async () => {
    const response = await connect({ profile_id: 'wireguard-only', public_key: publicKey })
    expect(response.headers.get('content-type')).toBe(wireguard)
    expect(response.headers.get('expires')).toBe(sessionEnd)
    expect((await response.text()).split('\n')).toEqual([
      '[Interface]',
      'MTU = 1392',
      expect.stringMatching(/^Address = 10\.77\.0\.\d+\/24,fd77::[0-9a-f]+\/64$/),
      '',
      '[Peer]',
      expect.stringMatching(/^PublicKey = [A-Za-z0-9+/]{43}=$/),
      'AllowedIPs = 10.99.0.0/24,10.77.0.0/24,fd77::/64',
      'Endpoint = node.vpn.example:51820',
      'PersistentKeepalive = 25',
    ])
  })

  it('names the proxy in a WireGuard configuration over TCP', async () => {
    const form = { profile_id: 'everywhere', public_key: publicKey, prefer_tcp: 'yes' }
    const response = await connect(form, wireguardTcp)
    expect(response.headers.get('content-type')).toBe(wireguardTcp)
    const text = await response.text()
    expect(text).toContain('\nEndpoint = 127.0.0.1:51820\n')
    expect(text).toContain('\nProxyEndpoint = https://vpn.example/proxyguard/node.vpn.example\n')
    expect(text).toContain('\nDNS = 192.0.2.53,2001:db8::53\n')
  })

  const key = { public_key: publicKey }
  it.each([
    ['the preferred protocol', key, undefined, wireguard],
    ['OpenVPN without a public key', {}, undefined, openvpn],
    ['the only accepted protocol', key, openvpn, openvpn],
    ['the preferred one of two accepted', key, `${openvpn}, ${wireguard}`, wireguard],
    ['OpenVPN over TCP where TCP is preferred', { ...key, prefer_tcp: 'yes' }, undefined, openvpn],
    [
      'the first TCP transport that is accepted',
      { ...key, prefer_tcp: 'yes' },
      `${wireguardTcp},${openvpn}`,
      wireguardTcp,
    ],
    ['ignores unknown types', key, 'text/html', wireguard],
    ['ignores types with parameters', key, `${wireguard};q=1`, wireguard],
    ['ignores wildcards', {}, '*/*', openvpn],
  ])('chooses %s', async (_what, form, accept, expected) => {
    const response = await connect({ profile_id: 'everywhere', ...form }, accept)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expected])
  })

  it('ignores the type of WireGuard over TCP before 3.6.0, which does not know it', async () => {
    const form = { profile_id: 'everywhere', ...key }
    for (const [portalVersion, expected] of [
      ['3.5.6', wireguard],
      ['3.6.0', wireguardTcp],
    ]) {
      await client.control('PUT', '/portal', { portalVersion })
      expect((await connect(form, wireguardTcp)).headers.get('content-type'), portalVersion).toBe(expected)
    }
  })

  it('answers 406 where client and profile have no protocol in common', async () => {
    expect(await errorOf(await connect({ profile_id: 'wireguard-only' }))).toEqual([
      406,
      'no common VPN protocol',
    ])
    expect((await connect({ profile_id: 'internet', ...key }, wireguard)).status).toBe(406)
  })

  it.each([
    [400, 'missing post parameter "profile_id"', {}],
    [400, 'invalid value for "profile_id"', { profile_id: 'a/b' }],
    [400, 'invalid value for "public_key"', { profile_id: 'internet', public_key: 'short' }],
    [
      400,
      'invalid value for "public_key"',
      { profile_id: 'internet', public_key: publicKey.replace(/.=$/, 'd=') },
    ],
    [400, 'invalid value for "prefer_tcp"', { profile_id: 'internet', prefer_tcp: 'on' }],
    [404, 'no such "profile_id"', { profile_id: 'unknown' }],
  ] as [number, string, Record<string, string>][])('answers %d, %s', async (status, error, form) => {
    expect(await errorOf(await connect(form))).toEqual([status, error])
  })

  it('takes a form only', async () => {
    const response = await client.call3(accessToken, '/connect', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ profile_id: 'internet' }),
    })
    expect(await errorOf(response)).toEqual([400, 'missing post parameter "profile_id"'])
  })

  it('answers 405 with Allow to another method', async () => {
    const response = await client.call3(accessToken, '/connect')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await client.call3(accessToken, '/unknown')).status).toBe(404)
  })

  it('withdraws the configurations of the login, even where it then refuses the parameters', async () => {
    await connect({ profile_id: 'internet' })
    const [first] = await configurations()
    await connect({ profile_id: 'office' })
    const [second, ...rest] = await configurations()
    expect(second).toMatchObject({ user: 'tester', profile: 'office', protocol: 'openvpn' })
    expect(second?.id).not.toBe(first?.id)
    expect(rest).toEqual([])
    await connect({ profile_id: 'unknown' })
    expect(await configurations()).toEqual([])
  })

  it('cuts the oldest device of the user where there are too many', async () => {
    const devices = await Promise.all(Array.from({ length: 4 }, () => client.logIn()))
    for (const device of devices) await client.connect(device.accessToken, { profile_id: 'internet' })
    const before = await configurations()
    expect(before).toHaveLength(3)
    await client.connect(devices[0]?.accessToken ?? '', { profile_id: 'office' })
    expect((await configurations()).map(({ id }) => id).slice(0, 2)).toEqual(
      before.slice(1).map(({ id }) => id),
    )
    await client.control('PUT', '/portal', { maxConfigurations: 0 })
    expect(await errorOf(await connect({ profile_id: 'internet' }))).toEqual([
      403,
      'no API configuration downloads allowed',
    ])
  })

  it('withdraws configurations of the same user with the same public key', async () => {
    const other = await client.logIn()
    await client.connect(other.accessToken, { profile_id: 'wireguard-only', ...key })
    await connect({ profile_id: 'wireguard-only', ...key })
    expect(await configurations()).toMatchObject([{ id: publicKey, protocol: 'wireguard' }])
  })
})

describe('/disconnect', () => {
  const disconnect = () => client.call3(accessToken, '/disconnect', { method: 'POST' })

  it('answers 204, also where there is nothing to end, and withdraws the configuration', async () => {
    await connect({ profile_id: 'internet' })
    expect((await disconnect()).status).toBe(204)
    expect(await configurations()).toEqual([])
    expect((await disconnect()).status).toBe(204)
    expect((await client.call3(accessToken, '/info')).status).toBe(200)
  })

  it('ends the login where the portal is set up like that', async () => {
    await client.control('PUT', '/portal', { deleteAuthorizationOnDisconnect: true })
    expect((await disconnect()).status).toBe(204)
    expect((await client.call3(accessToken, '/info')).status).toBe(401)
  })
})
