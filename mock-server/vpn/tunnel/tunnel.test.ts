import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../clock'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'
import { CertificateAuthority, type KeyPair } from '../certificate-authority'
import { profileConfig, staticKey, staticKeyBytes } from '../profile-config'
import { chooseRemotes } from '../remotes'
import { startHandshakeTunnel } from './handshake-tunnel'
import { requireProgram } from './programs'
import { handshakeOnly, sendsReasons, TestOpenVpn } from './openvpn.testing'
import { ServerProcess } from './server-process'
import type { Tunnel } from './tunnel-switch'

/** Options for a client that is expected to fail: OpenVPN would retry forever. */
const failFast = ['--connect-retry-max', '1', '--server-poll-timeout', '8', '--hand-window', '6']

/** Returns the configuration with only its first remote of this protocol, because a failing client tries all. */
function only(protocol: 'udp' | 'tcp', config: string): string {
  const lines = config.split('\r\n')
  const remote = lines.find((line) => line.startsWith('remote ') && line.endsWith(` ${protocol}`))
  return lines.filter((line) => !line.startsWith('remote ') || line === remote).join('\r\n')
}

/** Checks the machine itself, so that a fallback fails the test where a full tunnel is possible. */
function mayHaveTunnel(): boolean {
  try {
    closeSync(openSync('/dev/net/tun', 'r+'))
    const name = `causeway-test-${process.pid}`
    execFileSync(requireProgram('ip'), ['netns', 'add', name], { stdio: 'ignore' })
    execFileSync(requireProgram('ip'), ['netns', 'delete', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a mock instance with --tunnel openvpn', () => {
  let server: MockServer
  let client: TestClient
  let accessToken: string

  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, tunnel: 'openvpn' })
    client = new TestClient(server)
    accessToken = (await client.logIn()).accessToken
  })
  afterAll(() => server.close())

  const keyPair = () => client.createKeyPair(accessToken)
  const config = (profile: string) => client.profileConfig(accessToken, `profile_id=${profile}`)

  async function pushedBy(instance: MockServer, profile: string): Promise<string> {
    const other = new TestClient(instance)
    const { accessToken: token } = await other.logIn()
    const served = await other.profileConfig(token, `profile_id=${profile}`)
    const openvpn = new TestOpenVpn(only('udp', served), await other.createKeyPair(token), handshakeOnly)
    await openvpn.isConnected()
    await openvpn.stop()
    return openvpn.log.find((line) => line.includes('PUSH_REPLY')) ?? 'nothing'
  }

  it('starts a full tunnel if this machine permits it, and otherwise reports the reason', async () => {
    const status = (await (await client.control('GET', '/tunnel')).json()) as MockServer['tunnel']
    expect(status).toEqual({ ...server.tunnel, wireguard: { mode: 'none', peers: [] } })
    expect(status.mode).toBe(mayHaveTunnel() ? 'full' : 'handshake')
    if (status.mode === 'handshake') expect(status.reason).not.toBe('')
  })

  it.each([
    ['internet', 'udp'],
    ['internet', 'tcp'],
    ['office', 'udp'],
    ['office', 'tcp'],
  ] as const)(
    'lets a client without a device and without rights shake hands: %s over %s',
    async (profile, protocol) => {
      const openvpn = new TestOpenVpn(only(protocol, await config(profile)), await keyPair(), handshakeOnly)
      const isConnected = await openvpn.isConnected()
      await openvpn.stop()
      expect(isConnected, openvpn.log.join('\n')).toBe(true)
      expect(openvpn.log.join('\n')).toMatch(/PUSH_REPLY,.*route 10\.99\./)
    },
  )

  it('carries packets to the address in its status, or has no address', async () => {
    if (server.tunnel.mode !== 'full') {
      expect(server.tunnel).not.toHaveProperty('pingAddress')
      return
    }
    const openvpn = new TestOpenVpn(only('udp', await config('internet')), await keyPair(), [])
    const isConnected = await openvpn.isConnected()
    const ping = spawnSync('ping', ['-c', '1', '-W', '2', server.tunnel.pingAddress])
    await openvpn.stop()
    expect(isConnected, openvpn.log.join('\n')).toBe(true)
    expect(ping.status, String(ping.stdout)).toBe(0)
  })

  it('can be reached from other machines if the mock listens for them, over both protocols', async () => {
    const open = await createMockServer({ autoApprove: true, tunnel: 'openvpn', host: '0.0.0.0' })
    try {
      const local = new TestClient(open)
      const { accessToken: token } = await local.logIn()
      const served = await new Promise<string>((resolve, reject) => {
        const headers = { host: 'mock.test.example:5006', authorization: `Bearer ${token}` }
        const path = '/api/vpn/profile_config?profile_id=office&remote_strategy=0'
        get({ port: open.port, path, headers }, (response) => {
          text(response).then(resolve, reject)
        }).on('error', reject)
      })
      expect(served.match(/^remote mock\.test\.example \d+ /gm)).toHaveLength(4)
      const config = served.replaceAll('mock.test.example', '127.0.0.1')
      for (const protocol of ['udp', 'tcp'] as const) {
        const openvpn = new TestOpenVpn(
          only(protocol, config),
          await local.createKeyPair(token),
          handshakeOnly,
        )
        const isConnected = await openvpn.isConnected()
        await openvpn.stop()
        expect(isConnected, openvpn.log.join('\n')).toBe(true)
      }
    } finally {
      await open.close()
    }
  })

  it('pushes a default route as real portals do, only with the option and to profiles for all traffic', async () => {
    const asked = await createMockServer({ autoApprove: true, tunnel: 'openvpn', pushDefaultRoute: true })
    try {
      expect(await pushedBy(asked, 'internet')).toMatch(
        /redirect-gateway def1(?: ipv6)?,route 0\.0\.0\.0 0\.0\.0\.0,dhcp-option DNS 10\.99\./,
      )
      for (const pushed of [await pushedBy(asked, 'office'), await pushedBy(server, 'internet')]) {
        expect(pushed).toContain('route 10.99.')
        expect(pushed).not.toContain('redirect-gateway')
      }
    } finally {
      await asked.close()
    }
  })

  /** Returns the log of a client that is refused. */
  async function refusedLog(protocol: 'udp' | 'tcp', pair: KeyPair, limits = failFast): Promise<string> {
    const openvpn = new TestOpenVpn(only(protocol, await config('internet')), pair, [
      ...handshakeOnly,
      ...limits,
    ])
    expect(await openvpn.isConnected()).toBe(false)
    await openvpn.stop()
    return openvpn.log.join('\n')
  }
  const resetInTls = /VERIFY OK: depth=0[^]*Connection reset, restarting/

  it('refuses a deleted certificate after the handshake, as the hooks of portals do', async () => {
    const revoked = await keyPair()
    await client.control('POST', '/certificates/revoke')
    const log = await refusedLog('tcp', revoked)
    // Without a namespace there are no hooks.
    if (server.tunnel.mode === 'full') expect(log).toMatch(/AUTH: Received control message: AUTH_FAILED$/m)
    else expect(log).toMatch(resetInTls)
  })

  it('refuses a certificate in the handshake with refusedIn: handshake', async () => {
    const revoked = await keyPair()
    await client.control('POST', '/certificates/revoke', { refusedIn: 'handshake' })
    expect(await refusedLog('tcp', revoked)).toMatch(resetInTls)
  })

  it.each(['user-disabled', 'certificate-disabled', 'revoked-certificate'])(
    'refuses in client-connect, in the situation %s only',
    async (scenario) => {
      const pair = await keyPair()
      await client.scenario(scenario)
      const log = await refusedLog('tcp', pair)
      if (server.tunnel.mode === 'full') expect(log).toContain('AUTH_FAILED')
      else expect(log).toMatch(resetInTls)
      await client.scenario('all-well')
      const openvpn = new TestOpenVpn(only('tcp', await config('internet')), pair, handshakeOnly)
      expect(await openvpn.isConnected()).toBe(true)
      await openvpn.stop()
    },
  )

  it.each(['udp', 'tcp'] as const)(
    'refuses everybody with a reason and without over %s',
    async (protocol) => {
      const pair = await keyPair()
      const refusals = { kind: 'auth-failed' }
      const { status } = await client.control('POST', '/tunnel/refusals', refusals)
      expect(status).toBe(server.tunnel.mode === 'full' ? 200 : 409)
      if (server.tunnel.mode !== 'full') return
      expect(await refusedLog(protocol, pair)).toMatch(/AUTH: Received control message: AUTH_FAILED$/m)
      await client.control('POST', '/tunnel/refusals', { ...refusals, reason: 'The back end is down' })
      const reason = sendsReasons() ? ',The back end is down' : ''
      expect(await refusedLog(protocol, pair)).toMatch(
        new RegExp(`control message: AUTH_FAILED${reason}$`, 'm'),
      )
      await client.control('DELETE', '/tunnel/refusals')
      const openvpn = new TestOpenVpn(only(protocol, await config('internet')), pair, handshakeOnly)
      expect(await openvpn.isConnected()).toBe(true)
      await openvpn.stop()
    },
  )

  it('refuses the given number of connections across all servers', async ({ skip }) => {
    skip(server.tunnel.mode !== 'full')
    const pair = await keyPair()
    await client.control('POST', '/tunnel/refusals', { kind: 'auth-failed', reason: 'busy', times: 2 })
    const refused = sendsReasons() ? 'AUTH_FAILED,busy' : 'AUTH_FAILED'
    expect(await refusedLog('tcp', pair)).toContain(refused)
    expect(await refusedLog('udp', pair)).toContain(refused)
    const openvpn = new TestOpenVpn(only('tcp', await config('office')), pair, handshakeOnly)
    expect(await openvpn.isConnected()).toBe(true)
    await openvpn.stop()
  })

  it('is silent after the handshake over UDP and TCP with kind: silence', async ({ skip }) => {
    skip(server.tunnel.mode !== 'full')
    const pair = await keyPair()
    await client.control('POST', '/tunnel/refusals', { kind: 'silence' })
    // Also limits how long the client waits for the push.
    const limits = [...failFast, '--hand-window', '3']
    for (const log of await Promise.all([refusedLog('udp', pair, limits), refusedLog('tcp', pair, limits)])) {
      expect(log).toContain('Peer Connection Initiated')
      expect(log).not.toMatch(/AUTH_FAILED|PUSH_REPLY/)
    }
    await client.scenario('all-well')
  })
})

describe('the servers for handshakes only', () => {
  const authority = new CertificateAuthority(systemClock)
  const tlsCryptKey = staticKey(Buffer.alloc(staticKeyBytes, 'any key'))
  let tunnel: Tunnel

  beforeAll(async () => {
    const identity = {
      caCertificate: authority.certificate,
      server: authority.issueServer('mock-instance'),
      tlsCryptKey,
    }
    tunnel = await startHandshakeTunnel(
      { identity, pushDefaultRoute: false, onClient: () => undefined },
      'a test',
    )
  })
  afterAll(() => tunnel.close())

  function connect(protocol: 'udp' | 'tcp', keyPair: KeyPair, parameters: string[] = []): TestOpenVpn {
    const remotes = chooseRemotes(tunnel.remotes(true), '2', () => 0)
    const config = profileConfig({ caCertificate: authority.certificate, tlsCryptKey, remotes })
    return new TestOpenVpn(only(protocol, config.body), keyPair, [...handshakeOnly, ...parameters])
  }
  const newKeyPair = () => authority.issueClient(new Date(Date.now() + 3_600_000))

  it.each(['udp', 'tcp'] as const)(
    'serve one client after the other over %s',
    async (protocol) => {
      const keyPair = newKeyPair()
      for (let round = 1; round <= 5; round += 1) {
        const openvpn = connect(protocol, keyPair)
        const isConnected = await openvpn.isConnected()
        await openvpn.stop()
        expect(isConnected, openvpn.log.join('\n')).toBe(true)
      }
    },
    30_000,
  )

  it('name the client, which the kernel of its system may ask for before it encrypts (DCO)', async () => {
    const client = connect('udp', newKeyPair())
    expect(await client.isConnected(), client.log.join('\n')).toBe(true)
    await client.stop()
    expect(client.log.join('\n')).toMatch(/PUSH_REPLY,.*peer-id 0,/)
  })

  it('serve a client although another program took the port of its server', async () => {
    const start = vi
      .spyOn(ServerProcess, 'start')
      .mockRejectedValueOnce(new Error('TCP/UDP: Socket bind failed'))
    const client = connect('tcp', newKeyPair(), failFast)
    expect(await client.isConnected(), client.log.join('\n')).toBe(true)
    await client.stop()
    expect(start).toHaveBeenCalledTimes(2)
    start.mockRestore()
  })

  it('serve two clients at once', async () => {
    const clients = [connect('udp', newKeyPair()), connect('udp', newKeyPair())]
    expect(await Promise.all(clients.map((client) => client.isConnected()))).toEqual([true, true])
    await Promise.all(clients.map((client) => client.stop()))
  })

  it('refuse a revoked certificate: a reset over TCP, silence over UDP, as a real server does', async () => {
    const keyPair = newKeyPair()
    for (const { serialNumber } of authority.revoke()) tunnel.refuse(serialNumber, 'handshake')
    const overTcp = connect('tcp', keyPair, failFast)
    const overUdp = connect('udp', keyPair, failFast)
    expect(await Promise.all([overTcp.isConnected(), overUdp.isConnected()])).toEqual([false, false])
    await Promise.all([overTcp.stop(), overUdp.stop()])
    expect(overTcp.log.join('\n')).toMatch(/VERIFY OK: depth=0[^]*Connection reset, restarting/)
    expect(overUdp.log.join('\n')).toMatch(/VERIFY OK: depth=0[^]*TLS key negotiation failed/)
  })
})
