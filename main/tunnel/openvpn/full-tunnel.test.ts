import type { TunnelDetails } from '../../../contract/connection'
import { access } from 'node:fs/promises'

import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { buildConfiguration } from './configuration'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { linuxRoutes } from '../../platform/routes/linux-routes'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import { TwoComputers } from './two-computers.testing'
import type { Tunnel } from '../tunnel'

async function hasTunDevice(): Promise<boolean> {
  try {
    await access('/dev/net/tun')
    return process.platform === 'linux' && process.geteuid?.() === 0 && (await canConfigureNetwork())
  } catch {
    return false
  }
}

/** Needs root and a tun device. Uses two private network namespaces. */
describe.runIf(await hasTunDevice())('a full tunnel', () => {
  let computers: TwoComputers
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    computers = await TwoComputers.make('causeway-full')
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) {
      await stop()
    }
  })

  afterAll(() => computers.remove())

  async function onClient(...words: string[]): Promise<string> {
    const [program, ...prefix] = computers.onClient
    return (await execa(program, [...prefix, ...words])).stdout
  }

  async function startServer(...extra: string[]): Promise<void> {
    const pushed = ['push "route 10.99.0.0 255.255.255.0"', 'push "verb 0"', 'push "block-outside-dns"']
    running.push(await computers.startServer([...pushed, ...extra]))
  }

  /** @param before the command prefix for OpenVPN inside the namespace */
  async function connect(before = ''): Promise<{ tunnel: Tunnel; connected: Promise<TunnelDetails> }> {
    const { authority, keyPair } = computers
    const binary = await computers.openVpn(before)
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.168.77.1 1194 udp'] })
    const configuration = buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const routes = linuxRoutes([...computers.onClient, 'ip'])
    const tunnel = await createStartTunnel({ binary, routes })({
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
    expect(await onClient('ip', 'route')).toContain('10.99.0.0/24 via 10.88.0.1 dev tun0')
    expect(await computers.pings()).toBe(true)

    const before = performance.now()
    await tunnel.stop()
    // After 5 s it would be killed.
    expect(performance.now() - before).toBeLessThan(4500)
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
    expect(await onClient('ip', 'link')).not.toContain('tun0')
    expect(await onClient('ip', 'route')).toBe(
      '192.168.77.0/24 dev eth0 proto kernel scope link src 192.168.77.2 ',
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
