import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock'
import { createMockServer, type MockServer } from '../../server'
import { TestClient } from '../../test-client'
import { CertificateAuthority, type KeyPair } from '../certificate-authority'
import { profileConfig, staticKey, staticKeyBytes } from '../profile-config'
import { chooseRemotes } from '../remotes'
import { startHandshakeTunnel } from './handshake-tunnel'
import { handshakeOnly, TestOpenVpn } from './openvpn.testing'
import type { Tunnel } from './tunnel-switch'

/** Options for a client that is expected to fail: OpenVPN would retry forever. */
const failFast = ['--connect-retry-max', '1', '--server-poll-timeout', '2', '--hand-window', '2']

async function connects(config: string, keyPair: KeyPair, parameters: string[] = []): Promise<boolean> {
  const openvpn = new TestOpenVpn(config, keyPair, [...handshakeOnly, ...parameters])
  const isConnected = await openvpn.isConnected()
  await openvpn.stop()
  return isConnected
}

function remotesOf(config: string): string[] {
  return config.split('\r\n').filter((line) => line.startsWith('remote '))
}

/** Returns the configuration with only one of its remotes. */
function onlyRemote(config: string, remote: string): string {
  return [...config.split('\r\n').filter((line) => !line.startsWith('remote ')), remote].join('\r\n')
}

/** Windows has no signal for it. */
const canFreeze = process.platform !== 'win32'

describe('the servers of a mock instance', () => {
  let server: MockServer
  let client: TestClient
  let accessToken: string
  let keyPair: KeyPair

  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, tunnel: 'openvpn' })
    client = new TestClient(server)
    accessToken = (await client.logIn()).accessToken
    keyPair = await client.createKeyPair(accessToken)
  })
  afterAll(() => server.close())

  const config = (query: string) => client.profileConfig(accessToken, query)
  const act = async (action: string) => {
    const response = await client.control('POST', '/tunnel', { action })
    return [response.status, await response.json()]
  }
  const running = async () =>
    ((await (await client.control('GET', '/tunnel')).json()) as { running: string }).running

  it.each(['internet', 'office'])(
    'answer at every remote that a configuration of %s can name',
    async (id) => {
      const all = await config(`profile_id=${id}&remote_strategy=2`)
      const remotes = remotesOf(all)
      expect(remotes).toHaveLength(6)
      const connected = await Promise.all(
        remotes.map(async (remote) => ((await connects(onlyRemote(all, remote), keyPair)) ? remote : 'none')),
      )
      expect(connected).toEqual(remotes)
    },
  )

  it('listen at the normal and special ports of portals if they have a namespace', () => {
    const { tunnel } = server
    if (tunnel.mode === 'none') throw new Error('There is no tunnel.')
    const ports = (serves: string) =>
      tunnel.servers
        .filter((known) => known.serves === serves)
        .map((known) => `${known.class} ${tunnel.mode === 'full' ? known.port : 'any'} ${known.protocol}`)
    const expected = [
      ['normal', 1194, 'udp'],
      ['normal', 1194, 'tcp'],
      ['special', 53, 'udp'],
      ['special', 443, 'tcp'],
      ['normal', 1195, 'udp'],
      ['normal', 1195, 'tcp'],
    ] as const
    for (const serves of ['default-gateway', 'other']) {
      expect(ports(serves)).toEqual(
        expected.map(([kind, port, protocol]) =>
          [kind, tunnel.mode === 'full' ? port : 'any', protocol].join(' '),
        ),
      )
    }
  })

  it('are listed by strategy: 0 the first of each set, 1 one of each, 2 all', async () => {
    const all = remotesOf(await config('profile_id=office&remote_strategy=2'))
    const [udp, otherUdp, specialUdp, tcp, otherTcp, specialTcp] = all
    const first = [udp, tcp, specialUdp, specialTcp]
    expect(remotesOf(await config('profile_id=office&remote_strategy=0'))).toEqual(first)
    const seen = new Set<string | undefined>()
    for (let round = 0; round < 20; round += 1) {
      const [oneUdp, oneTcp, ...special] = remotesOf(await config('profile_id=office'))
      expect(special).toEqual([specialUdp, specialTcp])
      expect([udp, otherUdp]).toContain(oneUdp)
      expect([tcp, otherTcp]).toContain(oneTcp)
      seen.add(oneUdp).add(oneTcp)
    }
    expect(seen.size).toBe(4)
  })

  it('stop, and start again at the same addresses', async () => {
    const before = (await config('profile_id=office')).replaceAll(/\r\nremote .* udp/g, '')
    expect(await act('stop')).toEqual([200, { running: 'stopped' }])
    expect(await running()).toBe('stopped')
    expect(await connects(before, keyPair, failFast)).toBe(false)
    expect(await act('start')).toEqual([200, { running: 'running' }])
    expect(await connects(before, keyPair)).toBe(true)
    expect(await act('restart')).toEqual([200, { running: 'running' }])
    expect(await connects(before, keyPair)).toBe(true)
  })

  it.runIf(canFreeze)(
    'answer neither connected nor new clients while frozen, and continue when thawed',
    async () => {
      const tcp = (await config('profile_id=office&remote_strategy=0')).replaceAll(/\r\nremote .* udp/g, '')
      const connected = new TestOpenVpn(tcp, keyPair, [
        ...handshakeOnly,
        '--ping-restart',
        '2',
        '--pull-filter',
        'ignore',
        'ping-restart',
        '--remap-usr1',
        'SIGTERM',
      ])
      expect(await connected.isConnected()).toBe(true)
      expect(await act('freeze')).toEqual([200, { running: 'frozen' }])
      expect(await running()).toBe('frozen')
      await connected.ended
      expect(await connects(tcp, keyPair, failFast)).toBe(false)
      expect(await act('thaw')).toEqual([200, { running: 'running' }])
      expect(await connects(tcp, keyPair)).toBe(true)
    },
  )

  it('are started by the next scenario if stopped or frozen', async () => {
    const scenarios = [
      'vpn-servers-gone',
      ...(canFreeze ? ['vpn-servers-frozen'] : []),
      'vpn-servers-restarted',
    ]
    for (const scenario of scenarios) {
      await client.scenario(scenario)
      await client.scenario('all-well')
      await expect.poll(running).toBe('running')
    }
    expect(await connects(await config('profile_id=internet'), keyPair)).toBe(true)
  })

  it('refuse an expired certificate only during that scenario, and accept a new one', async () => {
    const old = await client.createKeyPair(accessToken)
    const tcp = (await config('profile_id=office')).replaceAll(/\r\nremote .* udp/g, '')
    await client.scenario('expired-certificate')
    const renewed = await client.createKeyPair(accessToken)
    expect(await Promise.all([connects(tcp, old, failFast), connects(tcp, renewed)])).toEqual([false, true])
    await client.scenario('all-well')
    expect(await connects(tcp, old)).toBe(true)
  })

  it('move to other ports, and change to another CA, which does not accept earlier certificates', async () => {
    const tcp = async () => (await config('profile_id=office')).replaceAll(/\r\nremote .* udp/g, '')
    const before = await tcp()
    expect(await act('move')).toEqual([200, { running: 'running' }])
    const moved = await tcp()
    expect(remotesOf(moved)).not.toEqual(remotesOf(before))
    expect(await Promise.all([connects(before, keyPair, failFast), connects(moved, keyPair)])).toEqual([
      false,
      true,
    ])

    expect(await act('renew-authority')).toEqual([200, { running: 'running' }])
    const renewed = await tcp()
    const other = await client.createKeyPair(accessToken)
    expect(
      await Promise.all([
        connects(moved, other, failFast),
        connects(renewed, keyPair, failFast),
        connects(renewed, other),
      ]),
    ).toEqual([false, false, true])
    keyPair = other
  })

  it('are not reached at dead remotes, but after a dead first remote', async () => {
    await client.scenario('dead-remotes')
    expect(await connects(await config('profile_id=office'), keyPair, failFast)).toBe(false)
    await client.scenario('dead-remotes-first')
    expect(await connects(await config('profile_id=office'), keyPair)).toBe(true)
    await client.scenario('all-well')
  })
})

describe('the servers for handshakes only', () => {
  const authority = new CertificateAuthority(systemClock)
  const tlsCryptKey = staticKey(Buffer.alloc(staticKeyBytes, 'any key'))
  const keyPair = authority.issueClient(new Date(Date.now() + 3_600_000))
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

  const config = (protocol: 'udp' | 'tcp') =>
    profileConfig({
      caCertificate: authority.certificate,
      tlsCryptKey,
      remotes: chooseRemotes(tunnel.remotes(true), '0', () => 0).filter(
        (remote) => remote.protocol === protocol,
      ),
    }).body

  it('answer at every remote', async () => {
    const remotes = chooseRemotes(tunnel.remotes(false), '2', () => 0)
    const all = profileConfig({ caCertificate: authority.certificate, tlsCryptKey, remotes }).body
    expect(remotes).toHaveLength(6)
    const connected = await Promise.all(
      remotesOf(all).map((remote) => connects(onlyRemote(all, remote), keyPair)),
    )
    expect(connected).toEqual(Array(6).fill(true))
  })

  const overBoth = (parameters?: string[]) =>
    Promise.all((['udp', 'tcp'] as const).map((each) => connects(config(each), keyPair, parameters)))

  it('stop, and start again at the same ports', async () => {
    const before = config('udp')
    await tunnel.act('stop')
    expect(tunnel.status).toMatchObject({ running: 'stopped' })
    expect(await overBoth(failFast)).toEqual([false, false])
    await tunnel.act('start')
    expect(config('udp')).toBe(before)
    expect(await overBoth()).toEqual([true, true])
  })

  it.runIf(canFreeze)('do not answer while frozen, and continue when thawed', async () => {
    await tunnel.act('freeze')
    expect(tunnel.status).toMatchObject({ running: 'frozen' })
    expect(await overBoth(failFast)).toEqual([false, false])
    await tunnel.act('thaw')
    expect(await overBoth()).toEqual([true, true])
  })

  it('report why they could not start again, and start later', async () => {
    const remote = tunnel.remotes(true).normal.tcp[0]
    await tunnel.act('stop')
    const squatter = createServer().listen(remote?.port, '127.0.0.1')
    await once(squatter, 'listening')
    await tunnel.act('start')
    expect(tunnel.status).toMatchObject({
      running: 'stopped',
      failure: expect.stringContaining('EADDRINUSE') as string,
    })
    squatter.close()
    await once(squatter, 'close')
    await tunnel.act('start')
    expect(tunnel.status).toMatchObject({ running: 'running', failure: undefined })
    expect(await connects(config('tcp'), keyPair)).toBe(true)
  })
})

it('refuses tunnel calls without OpenVPN', async () => {
  const server = await createMockServer()
  try {
    const client = new TestClient(server)
    const response = await client.control('POST', '/tunnel', { action: 'stop' })
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({ error: expect.stringContaining('--tunnel openvpn') as string })
    expect((await client.control('POST', '/scenarios/vpn-servers-gone')).status).toBe(409)
    for (const action of ['move', 'renew-authority']) {
      expect((await client.control('POST', '/tunnel', { action })).status).toBe(409)
    }
    expect((await client.control('POST', '/tunnel/refusals', { kind: 'auth-failed' })).status).toBe(409)
    for (const body of [{}, { kind: 'silence', reason: 'none' }, { kind: 'auth-failed', reason: 'a\nb' }]) {
      expect((await client.control('POST', '/tunnel/refusals', body)).status).toBe(400)
    }
    for (const body of [{}, { action: 'explode' }, { action: 'stop', extra: 1 }, null]) {
      expect((await client.control('POST', '/tunnel', body)).status).toBe(400)
    }
  } finally {
    await server.close()
  }
})
