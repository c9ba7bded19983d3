import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../../contract/settings'
import type { ProxyFor } from '../platform/http/proxies'
import { startTestProxy } from '../platform/http/test-proxy.testing'
import type { TunnelEvent, TunnelProxy } from '../tunnel/tunnel'
import { createTestAuthority } from '../tunnel/openvpn/certificates.testing'
import { buildConfiguration } from '../tunnel/openvpn/configuration'
import { newStaticKey, startLoopbackServer } from '../tunnel/openvpn/loopback-server.testing'
import { portalProfile } from '../tunnel/openvpn/profile.testing'
import { redactConfiguration } from '../tunnel/openvpn/redact-configuration'
import { createStartTunnel } from '../tunnel/openvpn/start-openvpn.testing'
import { createTunnelProxy, openVpnProxy } from './tunnel-proxy'

const authority = createTestAuthority('VPN authority')
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const tlsCrypt = newStaticKey()
const remotes = ['vpn.example.org 1194 udp', 'vpn.example.org 443 tcp']

function configurationFor(proxy: TunnelProxy, servers: readonly string[] = remotes) {
  const profile = portalProfile({ ca: authority.certificate, tlsCrypt, remotes: servers })
  return buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'handshake-only', proxy })
}

it.each([undefined, { user: 'user', password: 'correct <horse>' }])(
  'reaches a server over TCP through a proxy with the login %j',
  async (credentials) => {
    const server = await startLoopbackServer({
      protocol: 'tcp',
      ca: authority.certificate,
      keyPair: authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' }),
      tlsCrypt,
    })
    const login = credentials && { login: `${credentials.user}:${credentials.password}` }
    const proxy = await startTestProxy({ leadsTo: server.port, ...login })
    const configuration = configurationFor({ host: '127.0.0.1', port: proxy.port, credentials })
    const events: TunnelEvent[] = []
    let connected = (): void => undefined
    const connecting = new Promise<void>((resolve) => {
      connected = resolve
    })
    const tunnel = await createStartTunnel({})({
      configuration,
      mode: 'handshake-only',
      onEvent: (event) => {
        events.push(event)
        if (event.event === 'connected') connected()
      },
    })
    await Promise.race([
      connecting,
      tunnel.ended.then((end) => {
        throw new Error(JSON.stringify({ end, events }))
      }),
    ])
    await tunnel.stop()
    await server.stop()
    // Only the proxy knows the name.
    expect(new Set(proxy.asked)).toEqual(new Set(['vpn.example.org:443']))
    expect(JSON.stringify(events)).not.toContain('horse')
  },
)

it('needs a server over TCP', () => {
  const proxy = { host: 'proxy.example.net', port: 3128 }
  expect(() => configurationFor(proxy, ['vpn.example.org 1194 udp'])).toThrow(
    expect.objectContaining({ code: 'profile-configuration/no-tcp-remote' }) as Error,
  )
})

it.each([
  ['</http-proxy-user-pass>', 'up /x'],
  [' </http-proxy-user-pass>', 'up /x'],
  ['user', 'pass\nup /x'],
  ['user', ''],
  ['user', 'x'.repeat(128)],
  ['üser', 'password'],
])('refuses the login %j, %j, which OpenVPN would read as something else', (user, password) => {
  const proxy = { host: 'proxy.example.net', port: 3128, credentials: { user, password } }
  expect(() => configurationFor(proxy)).toThrow(
    expect.objectContaining({ code: 'http/unreachable' }) as Error,
  )
})

describe('the setting', () => {
  const http = { protocol: 'http:', host: 'proxy.example.net', port: 3128 } as const
  const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
  const withSetting = (tunnelProxy: boolean, proxy: Awaited<ReturnType<ProxyFor>>) =>
    createTunnelProxy({
      settings: { all: () => Promise.resolve({ ...settingsSchema.parse({}), tunnelProxy }) },
      instances: {
        find: () => Promise.resolve({ id: 'vpn.example.org', address: 'https://vpn.example.org/' }),
      },
      profileChoices: { of: () => Promise.resolve(undefined) },
      proxyFor: (url) => Promise.resolve(url.hostname === 'direct.example.org' ? undefined : proxy),
    })
  const server = { host: 'vpn.example.org', port: 443 }

  it('keeps the tunnel of any protocol from a proxy that nobody has asked for', async () => {
    for (const proxy of [http, { problem: 'unsupported', source: 'ALL_PROXY' } as const]) {
      const off = withSetting(false, proxy)
      expect(await off.to(server)).toBeUndefined()
      expect(await off.choiceFor(target)).toBeUndefined()
    }
  })

  it('leads the tunnel of any protocol through it, so over TCP alone', async () => {
    const on = withSetting(true, http)
    expect(await on.to(server)).toBe(http)
    expect(await on.to({ ...server, host: 'direct.example.org' })).toBeUndefined()
    expect(await on.choiceFor(target)).toMatchObject({ protocol: 'auto', tcpOnly: true })
    expect(await withSetting(true, undefined).choiceFor(target)).toBeUndefined()
  })

  it('gives no tunnel past a proxy that cannot be used', async () => {
    const on = withSetting(true, { problem: 'unsupported', source: 'ALL_PROXY' })
    await expect(on.to(server)).rejects.toMatchObject({ code: 'http/unreachable', variant: 'proxy-unusable' })
    expect(() => openVpnProxy(server, { ...http, protocol: 'https:' })).toThrow(
      expect.objectContaining({ variant: 'proxy-unusable' }) as Error,
    )
  })
})

it('shows no user and password', () => {
  const credentials = { user: 'person', password: 'correct <horse>' }
  const { text } = configurationFor({ host: 'proxy.example.net', port: 3128, credentials })
  expect(text).toContain('person\ncorrect <horse>\n')
  const shown = redactConfiguration(text)
  expect(shown).toContain('http-proxy proxy.example.net 3128 auto\n')
  expect(shown).not.toMatch(/person|horse/)
  expect(shown).toContain('</http-proxy-user-pass>\n')
})
