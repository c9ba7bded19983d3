import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { TimeLimit } from '../connection/attempts'
import { world } from '../connection/connection.testing'
import { StateMachine } from '../connection/state-machine'
import { Supervisor } from '../connection/supervisor'
import { linuxRoutes } from '../platform/routes/linux-routes'
import { installTestHelper, mayMakeNamespaces, type TestHelper } from '../privilege/helper.testing'
import { createPrivilege } from '../privilege/privilege'
import { createTunnelBackend } from '../tunnel/open-tunnel'
import { createTestAuthority } from '../tunnel/openvpn/certificates.testing'
import { runTunnelServer } from '../tunnel/openvpn/loopback-server.testing'
import { openVpn } from '../tunnel/openvpn/openvpn'
import { portalProfile } from '../tunnel/openvpn/profile.testing'
import { rows } from '../../scripts/slow.testing'

const here = (await mayMakeNamespaces()) && existsSync('/dev/net/tun')
if (!here) process.stderr.write('Left out, because no tunnel can be made here: tunnels to two servers.\n')

const client = `causeway-other-c-${String(process.pid)}`
const server = `causeway-other-s-${String(process.pid)}`

async function run(command: string): Promise<string> {
  return (await execa(command, { shell: true, env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } }))
    .stdout
}

/** Two servers behind one router, and a profile with both that routes all traffic through its tunnel. */
describe.runIf(here)('a full tunnel, and another one to the other server', () => {
  const authority = createTestAuthority()
  const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let folder: string
  let installed: TestHelper
  const running: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'causeway-two-servers-'))
    await run(`
      set -e
      ip netns add ${client}; ip netns add ${server}
      ip -n ${client} link add eth0 type veth peer name eth0 netns ${server}
      ip -n ${client} link set lo up; ip -n ${client} link set eth0 up
      ip -n ${server} link set lo up; ip -n ${server} link set eth0 up
      ip -n ${server} address add 192.168.77.1/24 dev eth0
      ip -n ${client} address add 192.168.77.2/24 dev eth0
      ip -n ${client} route add default via 192.168.77.1
    `)
    installed = await installTestHelper('', `ip netns exec ${client}`)
    await writeFile(path.join(folder, 'openvpn'), `#!/bin/sh\nexec ip netns exec ${client} openvpn "$@"\n`)
    await chmod(path.join(folder, 'openvpn'), 0o755)
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })

  afterAll(async () => {
    await run(`ip netns delete ${client}; ip netns delete ${server}`)
    await installed.remove()
    await rm(folder, { recursive: true })
  })

  async function serve(address: string, network: string): Promise<void> {
    await run(`ip -n ${server} address add ${address}/32 dev lo`)
    running.push(() => run(`ip -n ${server} address delete ${address}/32 dev lo || true`))
    const through = ['ip', 'netns', 'exec', server] as const
    const lines = ['push "redirect-gateway def1"', 'keepalive 1 4']
    running.push(await runTunnelServer(through, authority, { address, network, lines }))
  }

  function computer(withHelper: boolean, killSwitch: boolean) {
    const onNotice = () => undefined
    const privilege = createPrivilege({
      killSwitch: () => Promise.resolve(killSwitch),
      reporter: { notice: onNotice },
      helper: installed.helper,
    })
    const backend = createTunnelBackend({
      openVpnPath: () => Promise.resolve(path.join(folder, 'openvpn')),
      privilege: withHelper ? privilege : { ...privilege, findHelper: () => Promise.resolve(undefined) },
      routes: linuxRoutes(['ip', '-n', client]),
      onNotice,
      protocols: {
        openvpn: () => Promise.resolve(openVpn()),
        wireguard: () => Promise.reject(new Error('not used')),
      },
    })
    return { privilege, backend }
  }

  it.each(
    rows(
      [
        ['directly', false, false],
        ['through the helper', true, false],
        ['through the helper with the kill switch', true, true],
      ],
      1,
    ),
  )('is restored at another server, %s', async (_what, withHelper, killSwitch) => {
    await serve('192.0.2.1', '10.89.0')
    await serve('192.0.2.2', '10.90.0')
    const { privilege, backend } = computer(withHelper, killSwitch)
    const states: ConnectionState[] = []
    const machine = new StateMachine((defect) => {
      throw defect
    })
    machine.send({ event: 'connect', target: { instanceId: 'vpn', profileId: 'all' } })
    machine.send({ event: 'prepare' })
    machine.onChange((state) => states.push(state))
    const stop = new AbortController()
    const limit = new TimeLimit(60_000, stop.signal)
    const supervisor = new Supervisor(
      {
        backend,
        onDefect: (error) => {
          throw error
        },
        network: { watch: () => () => undefined },
        delay: () => Promise.resolve(),
        random: () => 0.5,
        now: () => new Date(),
      },
      {
        mode: 'full',
        preferTcp: false,
        target: { instanceId: 'vpn', profileId: 'internet' },
        reconnect: true,
        limit,
        grant: {
          tunnel: {
            protocol: 'openvpn',
            profile: portalProfile({
              ca: authority.certificate,
              remotes: ['192.0.2.1 1194 udp', '192.0.2.2 1194 udp'],
            }),
            ...keyPair,
          },
          isExpired: () => false,
          isReplacement: false,
          isRefreshDue: () => true,
          connected: () => undefined,
          renew: () => Promise.resolve(true),
          check: () => Promise.resolve('accepted'),
          // The portal is behind the tunnel too, and does not answer: recovery must not depend on it.
          moveToTcp: () => Promise.resolve(false),
          refresh: () => new Promise(() => undefined),
        },
        machine,
        isBehindCaptivePortal: () => Promise.resolve(false),
        isElsewhere: () => Promise.resolve(false),
        onMovedToTcp: () => undefined,
        onConnected: () => {
          limit.pause()
        },
        onLog: () => undefined,
      },
    )
    const ended = supervisor.run()
    running.push(async () => {
      stop.abort()
      await ended
      await privilege.afterwards(true)
    })
    const at = (address: string) =>
      vi.waitUntil(
        () => {
          const state = states.at(-1)
          return state?.state === 'connected' && state.remote.address === address
        },
        { timeout: 30_000, interval: 50 },
      )
    await at('192.0.2.1')
    // Silently, as a server without power does.
    await run(`ip -n ${server} address delete 192.0.2.1/32 dev lo`)
    await at('192.0.2.2')
    await run(`ip netns exec ${client} ping -c 1 -W 2 10.90.0.1`)
    if (killSwitch) expect(await run(`ip netns exec ${client} nft list tables`)).toContain('causeway')
    const reconnecting = states.flatMap((state) => (state.state === 'reconnecting' ? [state.routes] : []))
    expect(reconnecting[0]).toBe('kept')
    expect(reconnecting.at(-1)).toBe('gone')
  })

  it('replaces it under the kill switch, without a packet outside in between', async () => {
    await serve('192.0.2.1', '10.89.0')
    await serve('192.0.2.2', '10.90.0')
    const { privilege, backend } = computer(true, true)
    const { connection } = world({
      isVersion2: true,
      killSwitch: () => Promise.resolve(true),
      claim: () =>
        Promise.resolve({
          unblock: () => privilege.afterwards(true),
          release: () => Promise.resolve(),
        }),
      getBackend: () => Promise.resolve(backend),
      grants: (profileId) => ({
        protocol: 'openvpn',
        profile: portalProfile({ ca: authority.certificate, remotes: [`${profileId} 1194 udp`] }),
        ...keyPair,
      }),
    })
    running.push(() => connection.disconnect())
    const to = (profileId: string) => connection.connect({ instanceId: 'vpn', profileId })
    await to('192.0.2.1')
    await run(`
      ip netns exec ${server} nft 'table inet outside { chain in { type filter hook prerouting priority 0; iifname "eth0" ip daddr 203.0.113.1 counter; }; }'
    `)
    running.push(() => run(`ip netns exec ${server} nft delete table inet outside`))
    const outside = async () => {
      const table = await run(`ip netns exec ${server} nft list table inet outside`)
      return Number(/counter packets (\d+)/.exec(table)?.[1])
    }
    const packets = `const s=require('dgram').createSocket('udp4').on('error',()=>{});setInterval(()=>s.send('x',9,'203.0.113.1',()=>{}),2)`
    const sender = execa('ip', ['netns', 'exec', client, process.execPath, '-e', packets], { reject: false })
    running.push(async () => {
      sender.kill('SIGKILL')
      await sender
    })
    for (const profileId of ['192.0.2.2', '192.0.2.1', '192.0.2.2']) await to(profileId)
    expect(await outside()).toBe(0)
    // What counts does, and so does what sends.
    await connection.disconnect()
    await expect.poll(outside).toBeGreaterThan(0)
  })
})
