import type { TunnelDetails } from '../../../contract/connection'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createTestAuthority, type IssuedKeyPair } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { inline, runOpenVpnServer } from './loopback-server.testing'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { linuxRoutes } from '../../platform/routes/linux-routes'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import type { Tunnel } from '../tunnel'

const clientSpace = `causeway-c-${process.pid}`
const serverSpace = `causeway-s-${process.pid}`
const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

async function ip(...words: string[]): Promise<string> {
  return (await execa('ip', words, sbin)).stdout
}

async function hasTunDevice(): Promise<boolean> {
  try {
    await access('/dev/net/tun')
    return process.platform === 'linux' && process.geteuid?.() === 0 && (await canConfigureNetwork())
  } catch {
    return false
  }
}

/** Needs root and a tun device. Uses two private network namespaces. */
describe.runIf(await hasTunDevice())('a full tunnel', { timeout: 20_000 }, () => {
  const authority = createTestAuthority()
  const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let serverKeyPair: IssuedKeyPair
  let folder: string
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
    folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
    await ip('netns', 'add', clientSpace)
    await ip('netns', 'add', serverSpace)
    await ip(
      '-n',
      clientSpace,
      'link',
      'add',
      'veth-c',
      'type',
      'veth',
      'peer',
      'name',
      'veth-s',
      'netns',
      serverSpace,
    )
    for (const [space, link, address] of [
      [clientSpace, 'veth-c', '192.168.77.2/24'],
      [serverSpace, 'veth-s', '192.168.77.1/24'],
    ] as const) {
      await ip('-n', space, 'address', 'add', address, 'dev', link)
      await ip('-n', space, 'link', 'set', link, 'up')
    }
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) {
      await stop()
    }
  })

  afterAll(async () => {
    await ip('netns', 'delete', clientSpace)
    await ip('netns', 'delete', serverSpace)
    await rm(folder, { recursive: true })
  })

  async function startServer(...extra: string[]): Promise<void> {
    const configuration = [
      'mode server',
      'tls-server',
      'local 192.168.77.1',
      'port 1194',
      'dev tun',
      'topology subnet',
      'ifconfig 10.88.0.1 255.255.255.0',
      'ifconfig-pool 10.88.0.10 10.88.0.100 255.255.255.0',
      'push "topology subnet"',
      'push "route-gateway 10.88.0.1"',
      'push "route 10.99.0.0 255.255.255.0"',
      'push "verb 0"',
      'push "block-outside-dns"',
      'keepalive 3 10',
      'dh none',
      'verb 3',
      ...extra,
      inline('ca', authority.certificate),
      inline('cert', serverKeyPair.certificate),
      inline('key', serverKeyPair.privateKey),
    ].join('\n')
    running.push(await runOpenVpnServer('ip', ['netns', 'exec', serverSpace, 'openvpn'], configuration))
  }

  /** @param before the command prefix for OpenVPN inside the namespace */
  async function connect(before = ''): Promise<{ tunnel: Tunnel; connected: Promise<TunnelDetails> }> {
    const binary = path.join(folder, 'openvpn')
    await writeFile(binary, `#!/bin/sh\nexec ip netns exec ${clientSpace} ${before} openvpn "$@"\n`)
    await chmod(binary, 0o755)
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.168.77.1 1194 udp'] })
    const configuration = buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' })
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const tunnel = await createStartTunnel({ binary, routes: linuxRoutes(['ip', '-n', clientSpace]) })({
      configuration,
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'connected') {
          onConnected(event.details)
        }
      },
    })
    running.push(() => tunnel.stop())
    return { tunnel, connected }
  }

  it('transports packets, and leaves nothing behind', async () => {
    await startServer()
    const { tunnel, connected } = await connect()

    expect(await connected).toEqual({
      addresses: { ipv4: '10.88.0.10' },
      remote: { address: '192.168.77.1', port: 1194, protocol: 'udp' },
      cipher: 'AES-256-GCM',
      allTraffic: false,
      routes: ['10.99.0.0/24'],
      device: 'tun0',
    })
    expect(await ip('-n', clientSpace, 'route')).toContain('10.99.0.0/24 via 10.88.0.1 dev tun0')
    await ip('netns', 'exec', clientSpace, 'ping', '-c', '1', '-W', '2', '10.88.0.1')

    const before = performance.now()
    await tunnel.stop()
    // After 5 s it would be killed.
    expect(performance.now() - before).toBeLessThan(4500)
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
    expect(await ip('-n', clientSpace, 'link')).not.toContain('tun0')
    expect(await ip('-n', clientSpace, 'route')).toBe(
      '192.168.77.0/24 dev veth-c proto kernel scope link src 192.168.77.2 ',
    )
  })

  it('reports a client that the server refuses', async () => {
    await startServer('script-security 2', 'client-connect /bin/false')
    const { tunnel } = await connect()
    expect(await tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/authentication-failed' },
    })
  })

  it('reports missing permission', async () => {
    await startServer()
    const { tunnel } = await connect('setpriv --bounding-set -net_admin')
    expect(await tunnel.ended).toMatchObject({ end: 'failed', error: { code: 'openvpn/not-permitted' } })
  })
})
