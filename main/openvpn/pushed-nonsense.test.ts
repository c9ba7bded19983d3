import { createServer, type Socket } from 'node:net'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { createTestAuthority, type IssuedKeyPair } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { inline, newStaticKey, runOpenVpnServer } from './loopback-server.testing'
import { mayMakePrivateComputer, PrivateComputer } from './private-computer.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-tunnel'
import type { Tunnel, TunnelDetails, TunnelEnd } from './tunnel'
import { createTunnelRights } from './tunnel-rights'

// docs/faults.md: servers that answer nonsense, before and after they have proven who they are.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const tree = path.resolve(import.meta.dirname, '../..')
const here = await mayMakePrivateComputer([])
if (!here) {
  process.stderr.write('Left out, because no private computer can be made here: what servers push.\n')
}

const network = `
install -D -m 0755 "$1/build/linux/causeway-helper" /usr/libexec/causeway/causeway-helper
install -D -m 0644 "$1/main/openvpn/allowed-directives.json" /usr/libexec/causeway/allowed-directives.json
ip netns add server
ip link add eth0 type veth peer name eth0 netns server
ip address add 192.168.78.2/24 dev eth0
ip link set eth0 up
ip -n server address add 192.168.78.1/24 dev eth0
ip -n server link set eth0 up
ip -n server link set lo up
`

const authority = createTestAuthority()
const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })

describe.runIf(here)('a server that pushes', () => {
  let serverKeyPair: IssuedKeyPair
  let computer: PrivateComputer
  let folder: string
  let before: string
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
    computer = await PrivateComputer.make(tree, network)
    folder = await mkdtemp(path.join(tmpdir(), 'causeway-pushed-'))
    const helper = path.join(folder, 'helper')
    await writeFile(
      helper,
      `#!/bin/sh\nexec ${computer.asRoot.join(' ')} /usr/libexec/causeway/causeway-helper "$@"\n`,
    )
    await chmod(helper, 0o755)
    before = await state()
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })

  afterAll(async () => {
    await computer.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const state = () => computer.run('ip route; ip -6 route; ip -o link | cut -d: -f2; cat /etc/resolv.conf')

  async function connect(
    pushed: readonly string[],
  ): Promise<{ tunnel: Tunnel; outcome: TunnelDetails | TunnelEnd; log: string[] }> {
    const [program, ...words] = computer.asRoot
    const configuration = [
      'mode server',
      'tls-server',
      'local 192.168.78.1',
      'port 1194',
      'proto tcp-server',
      'dev tun',
      'topology subnet',
      'ifconfig 10.89.0.1 255.255.255.0',
      'ifconfig-pool 10.89.0.10 10.89.0.100 255.255.255.0',
      ...['topology subnet', 'route-gateway 10.89.0.1', ...pushed].map((option) => `push "${option}"`),
      'keepalive 3 10',
      'dh none',
      'verb 3',
      inline('ca', authority.certificate),
      inline('cert', serverKeyPair.certificate),
      inline('key', serverKeyPair.privateKey),
    ].join('\n')
    running.push(
      await runOpenVpnServer(program, [...words, 'ip', 'netns', 'exec', 'server', 'openvpn'], configuration),
    )
    const rights = createTunnelRights({
      openVpnPath: () => Promise.resolve(undefined),
      killSwitch: () => Promise.resolve(false),
      onNotice: () => undefined,
      helper: path.join(folder, 'helper'),
    })
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.168.78.1 1194 tcp'] })
    const log: string[] = []
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const tunnel = await rights.startTunnel({
      configuration: buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'log') log.push(event.line)
        if (event.event === 'connected') onConnected(event.details)
      },
    })
    running.push(() => tunnel.stop())
    return { tunnel, outcome: await Promise.race([connected, tunnel.ended]), log }
  }

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
  ])('%s is connected to as far as what it says makes sense, and nothing is left', async (_what, pushed) => {
    const { tunnel, outcome, log } = await connect(pushed)
    expect(outcome, log.join('\n')).toMatchObject({ addresses: { ipv4: '10.89.0.10' } })
    expect(outcome).not.toHaveProperty('dns')
    expect((await computer.run('ip route')).match(/^10[.]100[.]\d+[.]0/gm) ?? []).toHaveLength(
      pushed.filter((option) => option.startsWith('route 10.100.')).length,
    )
    await tunnel.stop()
    expect(await state()).toBe(before)
  })
})

/** Needs no rights: it never comes to a tunnel. */
describe.concurrent('somebody who is no server', () => {
  const startTunnel = createStartTunnel()

  async function meet(port: number, protocol: 'tcp' | 'udp', tlsCrypt?: string): Promise<TunnelEnd> {
    const profile = portalProfile({
      ca: authority.certificate,
      remotes: [`127.0.0.1 ${String(port)} ${protocol}`],
      ...(tlsCrypt === undefined ? {} : { tlsCrypt }),
    })
    const { text, ...configuration } = buildConfiguration(profile, clientKeyPair, {
      platform: 'linux',
      mode: 'handshake-only',
    })
    const tunnel = await startTunnel({
      // A silent server has 10 s otherwise.
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

  it.for(Object.entries(behaviours))('that %s is not reachable', async ([, behave], test) => {
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

  it('that answers noise to every packet is given up like one that is silent', async (test) => {
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
