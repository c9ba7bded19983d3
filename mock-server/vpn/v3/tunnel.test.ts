import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'
import { CertificateAuthority } from '../certificate-authority'
import { profileConfig, staticKey, staticKeyBytes } from '../profile-config'
import { startTunnel } from '../tunnel/full-tunnel'
import { startHandshakeTunnel } from '../tunnel/handshake-tunnel'
import { handshakeOnly, TestOpenVpn } from '../tunnel/openvpn.testing'

/** OpenVPN would retry forever. */
const failFast = ['--connect-retry-max', '1']

describe('the OpenVPN servers of a portal with version 3', () => {
  let server: MockServer
  let client: TestClient
  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, api: '3', tunnel: 'openvpn' })
    client = new TestClient(server)
  })
  afterAll(() => server.close())

  /** Connects with the first remote of the configuration of `/connect` only. */
  async function connected(accessToken: string, form: Record<string, string>): Promise<TestOpenVpn> {
    const config = await (await client.connect(accessToken, { profile_id: 'internet', ...form })).text()
    const [first] = /^remote .+$/m.exec(config) ?? []
    const lines = config.split('\n').filter((line) => !line.startsWith('remote ') || line === first)
    const openvpn = new TestOpenVpn(lines.join('\n'), undefined, [...handshakeOnly, ...failFast])
    expect(await openvpn.isConnected(), openvpn.log.join('\n')).toBe(true)
    return openvpn
  }

  it.each([
    ['UDP', {}],
    ['TCP', { prefer_tcp: 'yes' }],
  ] as [string, Record<string, string>][])(
    'accept the configuration of /connect as it is: %s',
    async (_what, form) => {
      const { accessToken } = await client.logIn()
      const openvpn = await connected(accessToken, form)
      await openvpn.stop()
      expect(openvpn.log.join('\n')).toMatch(/TLSv1\.3[^]*PUSH_REPLY,.*route 10\.99\./)
    },
  )

  it.each([
    '/disconnect',
    '/connect',
    'POST /_mock/configurations/withdraw',
    'configuration-withdrawn',
    'the end of the session',
  ])('disconnect the client after %s, and refuse its certificate', async (action) => {
    const { accessToken } = await client.logIn()
    const openvpn = await connected(accessToken, { prefer_tcp: 'yes' })
    if (action === '/disconnect') await client.call3(accessToken, action, { method: 'POST' })
    else if (action === '/connect') await client.connect(accessToken, { profile_id: 'unknown' })
    else if (action === 'configuration-withdrawn') await client.scenario(action)
    else if (action === 'the end of the session') {
      await client.control('POST', '/session', { endsInSeconds: 0 })
    } else await client.control('POST', '/configurations/withdraw')
    const refused = server.tunnel.mode === 'full' ? 'AUTH_FAILED' : 'Connection reset, restarting'
    expect(await openvpn.logs(refused), openvpn.log.join('\n')).toBe(true)
    await openvpn.stop()
    await client.scenario('all-well')
  })
})

it.each([
  ['for handshakes only', startHandshakeTunnel],
  ['with a network, if there may be one,', startTunnel],
])(
  'servers %s disconnect a client by its common name, also if told so many times at once',
  async (_what, start) => {
    const authority = new CertificateAuthority(systemClock)
    const tlsCryptKey = staticKey(Buffer.alloc(staticKeyBytes, 'any key'))
    const identity = {
      caCertificate: authority.certificate,
      server: authority.issueServer('mock-instance'),
      tlsCryptKey,
    }
    const tunnel = await start({ identity, pushDefaultRoute: false, onClient: () => undefined }, 'a test')
    try {
      const inAnHour = new Date(Date.now() + 3_600_000)
      const clients = [inAnHour, inAnHour].map((notAfter) => {
        const keyPair = authority.issueClient(notAfter, undefined, 'Ed25519')
        const { body } = profileConfig({
          caCertificate: authority.certificate,
          tlsCryptKey,
          remotes: tunnel.remotes(true).normal.tcp.slice(0, 1),
        })
        const { subject } = new X509Certificate(keyPair.certificate)
        expect(subject).toBe(`CN=${keyPair.commonName}`)
        return { ...keyPair, openvpn: new TestOpenVpn(body, keyPair, [...handshakeOnly, ...failFast]) }
      })
      const [one, other] = clients
      if (one === undefined || other === undefined) throw new Error('There are two clients.')
      for (const { openvpn } of clients) {
        expect(await openvpn.isConnected(), openvpn.log.join('\n')).toBe(true)
      }
      await Promise.all(Array.from({ length: 20 }, () => tunnel.disconnect(one.commonName)))
      expect(await one.openvpn.logs('Connection reset, restarting')).toBe(true)
      expect(other.openvpn.log.join('\n')).not.toContain('Connection reset')
      await Promise.all(clients.map(({ openvpn }) => openvpn.stop()))
    } finally {
      await tunnel.close()
    }
  },
)
