import { createServer, type Socket } from 'node:net'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { newStaticKey } from './loopback-server.testing'
import { mayMakePrivateComputer } from '../../privilege/private-computer.testing'
import { portalProfile } from './profile.testing'
import { ServedComputer } from './served-computer.testing'
import { createStartTunnel } from './start-openvpn.testing'
import type { TunnelEnd } from '../tunnel'

// docs/faults.md: servers with invalid messages, before and after they have proven their identity.

const here = await mayMakePrivateComputer([])
if (!here) {
  process.stderr.write('Left out, because no private computer can be made here: what servers push.\n')
}

const authority = createTestAuthority()
const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })

describe.runIf(here)('a server that pushes', () => {
  let served: ServedComputer
  let before: string

  beforeAll(async () => {
    served = await ServedComputer.make(authority)
    before = await state()
  })

  afterEach(async () => {
    await served.stop()
  })

  afterAll(async () => {
    await served.remove()
  })

  const state = () =>
    served.computer.run('ip route; ip -6 route; ip -o link | cut -d: -f2; cat /etc/resolv.conf')

  it.each<[string, string[]]>([
    ['options that do not exist', ['no-such-option 1 2 3', 'frobnicate', 'route']],
    [
      'options that only its own side may set',
      [
        'up /bin/true',
        'script-security 2',
        'plugin /x.so',
        'setenv A b',
        'verb 0',
        'log /etc/passwd',
        'config /etc/shadow',
        'user root',
        'remote 198.51.100.1 1',
      ],
    ],
    [
      'routes that are none',
      [
        'route 999.1.2.3 255.255.255.0',
        'route 10.1.2.3 255.0.255.0',
        'route ::1',
        'route-ipv6 nonsense',
        'route 10.7.0.0 255.255.0.0 not-a-gateway',
      ],
    ],
    [
      'name servers that are none',
      [
        'dhcp-option DNS 1.2.3',
        'dhcp-option DNS ;reboot',
        'dhcp-option DNS',
        'dhcp-option DOMAIN -rf',
        'dhcp-option DOMAIN $(id)',
        'dns server x y',
      ],
    ],
    [
      'more than fits one message',
      Array.from(
        { length: 250 },
        (_, index) => `route 10.${String(100 + Math.floor(index / 250))}.${String(index)}.0 255.255.255.0`,
      ),
    ],
  ])('%s still connects with its valid options, and nothing is left behind', async (_what, pushed) => {
    const { tunnel, outcome, log } = await served.connect({
      address: '192.168.78.1',
      protocol: 'tcp',
      pushed,
    })
    expect(outcome, log.join('\n')).toMatchObject({ addresses: { ipv4: '10.89.0.10' } })
    expect(outcome).toHaveProperty('dns', undefined)
    expect((await served.computer.run('ip route')).match(/^10[.]100[.]\d+[.]0/gm) ?? []).toHaveLength(
      pushed.filter((option) => option.startsWith('route 10.100.')).length,
    )
    await tunnel.stop()
    expect(await state()).toBe(before)
  })
})

/** Needs no rights, because no tunnel is established. */
describe.concurrent('a peer that is not an OpenVPN server', () => {
  const startTunnel = createStartTunnel()

  async function meet(port: number, protocol: 'tcp' | 'udp', tlsCrypt?: string): Promise<TunnelEnd> {
    const profile = portalProfile({
      ca: authority.certificate,
      remotes: [`127.0.0.1 ${String(port)} ${protocol}`],
      tlsCrypt,
    })
    const { text, ...configuration } = buildConfiguration(profile, clientKeyPair, {
      platform: 'linux',
      mode: 'handshake-only',
    })
    const tunnel = await startTunnel({
      // A silent server would take 10 s.
      configuration: {
        ...configuration,
        text: text.replace(/^(server-poll-timeout|hand-window) 10$/gm, '$1 2'),
      },
      mode: 'handshake-only',
      onEvent: () => undefined,
    })
    return tunnel.ended
  }

  const behaviours: Record<string, (socket: Socket) => void> = {
    'closes the connection at once': (socket) => socket.destroy(),
    'resets the connection after the first packet': (socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    'answers with a page': (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n<html>')),
    'answers with noise': (socket) => socket.once('data', () => socket.write(Buffer.alloc(100_000, 0xa5))),
    'answers with its own words': (socket) => socket.on('data', (chunk) => socket.write(chunk)),
  }

  it.for(Object.entries(behaviours))('is unreachable if it %s', async ([, behave], test) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      behave(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    test.onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    expect(await meet(port, 'tcp', newStaticKey())).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/unreachable' },
    })
  })

  it('is unreachable if it answers every packet with noise', async (test) => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    socket.on('message', (_packet, { port }) => {
      socket.send(Buffer.alloc(900, 0x38), port, '127.0.0.1')
    })
    test.onTestFinished(() => void socket.close())
    expect(await meet(socket.address().port, 'udp', newStaticKey())).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/unreachable' },
    })
  })
})
