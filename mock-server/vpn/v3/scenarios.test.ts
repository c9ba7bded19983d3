import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../../test-server'
import { createMockServer, type MockServerOptions } from '../../server'
import { TestClient } from '../../test-client'
import { wireguardTricks } from '../scenarios'
import type { Portal3Version } from '../portal-version'

const publicKey = Buffer.alloc(32, 7).toString('base64')

let accessToken: string
let refreshToken: string
const { client } = await serveMock({ autoApprove: true, api: '2,3' })
beforeEach(async () => {
  await client.control('POST', '/reset')
  const tokens = await client.logIn()
  accessToken = tokens.accessToken
  refreshToken = tokens.refreshToken
})

type Listed = Record<string, unknown>
async function profiles(of = client, token = accessToken): Promise<Listed[]> {
  const answer = (await (await of.call3(token, '/info')).json()) as { info: { profile_list: Listed[] } }
  return answer.info.profile_list
}
const connect = (form: Record<string, string> = {}) =>
  client.connect(accessToken, { profile_id: 'internet', ...form })
const issued = async () =>
  ((await (await client.control('GET', '/configurations')).json()) as { configurations: unknown[] })
    .configurations.length

describe('/connect', () => {
  it.each([
    ['connect-not-acceptable', 406, 'no common VPN protocol'],
    ['connect-forbidden', 403, 'no API configuration downloads allowed'],
    ['connect-no-such-profile', 404, 'no such "profile_id"'],
    ['connect-fails', 500, '/connect failed: unable to find a suitable node to connect to'],
    ['profile-refused', 404, 'no such "profile_id"'],
  ] as const)('%s answers %d after it has withdrawn the configuration', async (name, status, error) => {
    await connect()
    expect(await issued()).toBe(1)
    await client.scenario(name)
    const response = await connect()
    expect([response.status, await response.json()]).toEqual([status, { error }])
    expect(await issued()).toBe(0)
  })

  it('one-device-only: the second device ends the connection of the first', async () => {
    await client.scenario('one-device-only')
    await connect()
    const other = await client.logIn()
    await client.connect(other.accessToken, { profile_id: 'office' })
    expect(await issued()).toBe(1)
  })

  it('disconnect-ends-login: the tokens are void afterwards', async () => {
    await client.scenario('disconnect-ends-login')
    await client.call3(accessToken, '/disconnect', { method: 'POST' })
    expect((await client.call3(accessToken, '/info')).status).toBe(401)
    expect((await client.refresh(refreshToken)).status).toBe(400)
  })

  it.each([
    ['connect-without-expires', /^$/],
    ['connect-malformed-expires', /^in three months$/],
  ] as const)('%s', async (name, expires) => {
    await client.scenario(name)
    expect((await connect()).headers.get('expires') ?? '').toMatch(expires)
  })

  it('connect-already-expired: Expires is in the past', async () => {
    await client.scenario('connect-already-expired')
    const { headers } = await connect()
    expect(Date.parse(headers.get('expires') ?? '')).toBeLessThan(Date.parse(headers.get('date') ?? ''))
  })

  it.each([
    ['connect-wrong-content-type', 'text/plain; charset=utf-8'],
    ['connect-other-protocol', 'application/x-wireguard-profile'],
    ['profile-config-nonsense', 'text/html; charset=utf-8'],
  ])('%s: the type is %s', async (name, contentType) => {
    await client.scenario(name)
    expect((await connect()).headers.get('content-type')).toBe(contentType)
  })

  it('wireguard-hostile: the configuration has commands', async () => {
    await client.scenario('wireguard-hostile')
    const text = await (await connect({ profile_id: 'wireguard-only', public_key: publicKey })).text()
    expect(text).toMatch(/^\[Interface\]\nPreUp = /)
  })

  it('wireguard-hostile: the configuration of each profile breaks a rule of its own', async () => {
    const text = async (profile: string) => {
      const types = 'application/x-wireguard-profile, application/x-wireguard+tcp-profile'
      const form = { profile_id: profile, public_key: publicKey }
      const response = await client.connect(accessToken, form, types)
      return `${response.headers.get('content-type') ?? ''} ${await response.text()}`
    }
    const texts = new Set([await text('wireguard-only')])
    await client.scenario('wireguard-hostile')
    for (const { name } of wireguardTricks) texts.add(await text(name))
    expect(texts.size).toBe(wireguardTricks.length + 1)
  })

  it('wireguard-endpoint-is-loopback: the endpoint is a name', async () => {
    await client.scenario('wireguard-endpoint-is-loopback')
    const text = await (await connect({ profile_id: 'wireguard-only', public_key: publicKey })).text()
    expect(text).toContain('\nEndpoint = localhost:51820\n')
  })

  it.each([
    ['only-tcp-remotes', /^remote \S+ \d+ udp$/m],
    ['no-remotes', /^remote /m],
    ['dead-remotes', /^remote \S+ (?!9 )/m],
  ])('%s holds for version 3 as well', async (name, absent) => {
    expect(await (await connect()).text()).toMatch(absent)
    await client.scenario(name)
    const text = await (await connect()).text()
    expect(text).toContain('</tls-crypt>')
    expect(text).not.toMatch(absent)
  })

  it('profile-config-hostile holds for version 3 as well', async () => {
    await client.scenario('profile-config-hostile')
    const text = await (await connect({ profile_id: 'plugin' })).text()
    expect(text).toContain('plugin /tmp/')
  })
})

describe('/info', () => {
  it('display-name-object: names are objects', async () => {
    await client.scenario('display-name-object')
    for (const { display_name } of await profiles()) expect(display_name).toHaveProperty('nl')
  })

  it('info-unknown-fields: there are unknown protocols and fields', async () => {
    await client.scenario('info-unknown-fields')
    for (const profile of await profiles()) {
      expect(profile).toHaveProperty('limits')
      expect(profile.vpn_proto_list).toContain('carrier-pigeon')
    }
  })

  it('info-without-transports: the transports are missing', async () => {
    await client.scenario('info-without-transports')
    for (const profile of await profiles()) expect(profile).not.toHaveProperty('vpn_proto_transport_list')
  })

  it('info-wireguard-only: no profile has OpenVPN', async () => {
    await client.scenario('info-wireguard-only')
    expect((await profiles()).map(({ vpn_proto_list }) => vpn_proto_list)).toEqual([['wireguard']])
  })
})

describe('the versions of the API', () => {
  const statuses = async () => [
    (await client.call(accessToken, '/profile_list')).status,
    (await client.call3(accessToken, '/info')).status,
  ]

  it.each([
    ['api-2-and-3', [200, 200]],
    ['api-3-only', [404, 200]],
    ['api-2-only', [200, 404]],
    ['portal-moved-to-version-3', [404, 401]],
  ])('%s', async (name, expected) => {
    await client.scenario(name)
    expect(await statuses()).toEqual(expected)
    await client.scenario('all-well')
    expect(await statuses()).toEqual([200, 200])
  })

  it('portal-moved-to-version-3: refreshing fails, and a new login works', async () => {
    await client.scenario('portal-moved-to-version-3')
    expect((await client.refresh(refreshToken)).status).toBe(400)
    accessToken = (await client.logIn()).accessToken
    expect((await connect()).status).toBe(200)
  })
})

it('POST /_mock/session changes the lifetime of access tokens', async () => {
  await client.control('POST', '/session', { accessTokenSeconds: 3 })
  const response = await client.postForm('/oauth/token', await client.codeForm())
  expect(await response.json()).toMatchObject({ expires_in: 3 })
  expect((await client.control('POST', '/session', {})).status).toBe(400)
})

describe('older portals', () => {
  const fields = [
    'profile_id',
    'display_name',
    'vpn_proto_list',
    'default_gateway',
    'dns_search_domain_list',
    'vpn_proto_transport_list',
    'profile_priority',
  ]
  it.each([
    ['3.0.0', 4, undefined],
    ['3.4.3', 5, undefined],
    ['3.5.6', 6, ['wireguard+udp', 'openvpn+udp', 'openvpn+tcp']],
    ['3.6.0', 6, ['wireguard+udp', 'wireguard+tcp', 'openvpn+udp', 'openvpn+tcp']],
    ['3.9.10', 7, ['wireguard+udp', 'wireguard+tcp', 'openvpn+udp', 'openvpn+tcp']],
  ] as [Portal3Version, number, string[] | undefined][])(
    '%s lists the first %d fields of profiles',
    async (portalVersion, known, transports) => {
      await play({ portalVersion }, async (old, token) => {
        const listed = await profiles(old, token)
        expect(Object.keys(listed[2] ?? {}).sort()).toEqual(fields.slice(0, known).sort())
        expect(listed[3]?.vpn_proto_transport_list).toEqual(transports)
      })
    },
  )

  it('before 3.6 know no WireGuard over TCP and prefer OpenVPN for TCP', async () => {
    await play({ portalVersion: '3.5.6' }, async (old, token) => {
      const form = { profile_id: 'everywhere', public_key: publicKey }
      const udp = await old.connect(token, form)
      expect(udp.headers.get('content-type')).toBe('application/x-wireguard-profile')
      expect(await udp.text()).not.toContain('PersistentKeepalive')
      const tcp = await old.connect(token, { ...form, prefer_tcp: 'yes' })
      expect(tcp.headers.get('content-type')).toBe('application/x-openvpn-profile')
      expect(await tcp.text()).toMatch(/^# Portal: http:\/\/\S+\/\n# Profile: .+\n# Expires: .+\ndev tun\n/)
    })
  })

  async function play(
    options: MockServerOptions,
    work: (client: TestClient, token: string) => Promise<void>,
  ): Promise<void> {
    const old = await createMockServer({ autoApprove: true, api: '3', ...options })
    try {
      const oldClient = new TestClient(old)
      await work(oldClient, (await oldClient.logIn()).accessToken)
    } finally {
      await old.close()
    }
  }
})
