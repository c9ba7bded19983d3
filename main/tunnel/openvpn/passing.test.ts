import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { linuxRoutes } from '../../platform/routes/linux-routes'
import type { TrafficCheckOptions } from '../../platform/traffic/traffic-check'
import { mayMakePrivateComputer } from '../../privilege/private-computer.testing'
import type { TunnelEvent } from '../tunnel'
import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { runTunnelServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'

const here = await mayMakePrivateComputer(['nft'])
if (!here) process.stderr.write('Left out, because no tunnel can be made here: traffic that does not pass.\n')

const client = `causeway-passing-c-${String(process.pid)}`
const server = `causeway-passing-s-${String(process.pid)}`

async function run(command: string): Promise<string> {
  return (await execa(command, { shell: true, env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } }))
    .stdout
}

const counted = z.tuple([
  z.object({
    stats64: z.object({ rx: z.object({ bytes: z.number() }), tx: z.object({ bytes: z.number() }) }),
  }),
])

/** Like the system's, but in the client's network, and four times as fast. */
const check: TrafficCheckOptions & { readonly asked: string[] } = {
  asked: [],
  counters: {
    read: async (device) => {
      const text = await run(`ip -n ${client} -s -json link show ${device}`)
      const [{ stats64 }] = counted.parse(JSON.parse(text))
      return { at: performance.now() * 4, received: stats64.rx.bytes, sent: stats64.tx.bytes }
    },
  },
  ask: async (address) => {
    check.asked.push(address)
    const ping = ['netns', 'exec', client, 'ping', '-c', '1', '-W', '1', address]
    return !(await execa('ip', ping, { reject: false })).failed
  },
  goesOn: true,
  wait: (milliseconds, signal) => delay(milliseconds / 4, undefined, { signal }),
}

describe.runIf(here)('a tunnel that is up', () => {
  const authority = createTestAuthority()
  const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let folder: string
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'causeway-passing-'))
    // Without IPv6: the server's kernel would look for routers at times of its own, and OpenVPN sends that to every client.
    await run(`
      set -e
      ip netns add ${client}; ip netns add ${server}
      ip netns exec ${server} sysctl -qw net.ipv6.conf.default.disable_ipv6=1
      ip -n ${client} link add eth0 type veth peer name eth0 netns ${server}
      ip -n ${client} link set lo up; ip -n ${client} link set eth0 up; ip -n ${server} link set eth0 up
      ip -n ${server} address add 192.168.77.1/24 dev eth0
      ip -n ${client} address add 192.168.77.2/24 dev eth0
      ip -n ${client} route add default via 192.168.77.1
    `)
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
    await run(`ip netns exec ${server} nft flush ruleset`)
  })

  afterAll(async () => {
    await run(`ip netns delete ${client}; ip netns delete ${server}`)
    await rm(folder, { recursive: true })
  })

  async function connect(...more: string[]): Promise<TunnelEvent[]> {
    const lines = [
      'push "route 10.99.0.0 255.255.0.0"',
      // One server inside the tunnel, and one that would be somebody else's.
      'push "dhcp-option DNS 10.99.0.53"',
      'push "dhcp-option DNS 192.0.2.53"',
      'keepalive 3 60',
      ...more,
    ]
    const through = ['ip', 'netns', 'exec', server] as const
    running.push(await runTunnelServer(through, authority, { address: '192.168.77.1', lines }))
    const binary = path.join(folder, 'openvpn')
    await writeFile(binary, `#!/bin/sh\nexec ip netns exec ${client} openvpn "$@"\n`)
    await chmod(binary, 0o755)
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.168.77.1 1194 udp'] })
    const events: TunnelEvent[] = []
    check.asked.splice(0)
    const start = createStartTunnel({
      binary,
      routes: linuxRoutes(['ip', '-n', client]),
      trafficCheck: check,
    })
    const tunnel = await start({
      configuration: buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: (event) => events.push(event),
    })
    running.push(() => tunnel.stop())
    await vi.waitUntil(() => events.some(({ event }) => event === 'connected'))
    return events
  }

  const passing = (events: readonly TunnelEvent[]) =>
    events.flatMap((event) => (event.event === 'passing' ? [event.passing] : []))

  it('is not said to carry nothing if its gateway answers, and asks no third party', async () => {
    const events = await connect()
    await delay(3500)
    expect(passing(events)).toEqual([])
    // Once more, to see if it answers at all.
    expect(check.asked).toEqual(['10.88.0.1', '10.99.0.53', '10.88.0.1', '10.99.0.53'])
  })

  it('is said to carry nothing once its server has gone, and to carry again when it is back', async () => {
    const events = await connect()
    await vi.waitUntil(() => check.asked.length === 4)
    const drop = `add table inet x; add chain inet x i { type filter hook input priority 0; }; add rule inet x i iifname "tun0" drop`
    await run(`ip netns exec ${server} nft '${drop}'`)
    void execa('ip', ['netns', 'exec', client, 'ping', '-i', '0.2', '-c', '25', '10.99.0.1'], {
      reject: false,
    })
    await vi.waitUntil(() => passing(events).length > 0, { timeout: 20_000 })
    await run(`ip netns exec ${server} nft flush ruleset`)
    await vi.waitUntil(() => passing(events).length > 1, { timeout: 20_000 })
    expect(passing(events)).toEqual([false, true])
  })

  it('carries nothing if both sides frame packets differently', async () => {
    const events = await connect('compress stub')
    await vi.waitUntil(() => passing(events).length > 0, { timeout: 20_000 })
    expect(passing(events)).toEqual([false])
  })

  it('carries nothing until something comes back', async () => {
    await run(
      `ip netns exec ${server} nft 'add table inet x; add chain inet x i { type filter hook input priority 0; }; add rule inet x i iifname "tun0" drop'`,
    )
    const events = await connect()
    await vi.waitUntil(() => passing(events).length > 0, { timeout: 20_000 })
    expect(passing(events)).toEqual([false])
    await run(`ip netns exec ${server} nft flush ruleset`)
    await vi.waitUntil(() => passing(events).length > 1, { timeout: 20_000 })
    expect(passing(events)).toEqual([false, true])
  })
})
