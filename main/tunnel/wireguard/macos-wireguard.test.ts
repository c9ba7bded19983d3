import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtUserspaceWireGuard } from '../../../scripts/build-helper'
import { macosRoutes } from '../../platform/routes/macos-routes'
import { tunnelRouting } from '../../platform/routes/tunnel-routing'
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import {
  inside,
  MacosNetwork,
  movedServer,
  outside,
  programUser,
  server,
  server6,
  user,
} from './macos-network.testing'
import { rows, slow } from '../../../scripts/slow.testing'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)
if (!may) process.stderr.write('Left out, because no network can be made here: WireGuard on macOS.\n')

let network: MacosNetwork
let before: Record<string, string>

beforeAll(async () => {
  if (may) network = await MacosNetwork.create()
})
beforeEach(async () => {
  if (may) before = await network.snapshot()
})
afterEach(() => (may ? network.reset() : undefined))
afterAll(() => (may ? network.remove() : undefined))

const answers = (address: string) =>
  vi.waitFor(async () => {
    expect(await network.pings(address)).toBe(true)
  })

describe.runIf(may)('WireGuard through the helper of macOS', () => {
  it('carries both families, and undoes everything', async () => {
    const tunnel = network.start()
    const device = await tunnel.connected()
    expect(device).toMatch(/^utun\d+$/)
    expect(tunnel.messages).toContain(`started ${device} userspace`)
    for (const address of [...inside, ...outside]) {
      expect(await network.pings(address)).toBe(true)
      expect(await network.deviceTo(address)).toBe(device)
    }
    expect(await network.deviceTo(server)).toBe('en0')
    tunnel.send('test')
    await tunnel.said(/^test full$/)
    tunnel.send('state')
    // The counters of the device: packets and bytes that came, packets that programs handed to it, and lost ones.
    await tunnel.said(/^handshake \d+ \d+ \d+ [1-9]\d* [1-9]\d* [1-9]\d* 0$/)
    tunnel.send('mtu 1300')
    await tunnel.said(/^mtu 1300$/)
    expect(await network.ip(`link show ${device}`)).toContain('mtu 1300')
    tunnel.send('mtu full')
    await tunnel.said(/^mtu 1420$/)
    expect(await tunnel.stop()).toBe(0)
    await network.expectLike(before)
  })

  slow('runs the program as a user of its own', async () => {
    const tunnel = network.start()
    const own = String(programUser(await tunnel.connected()))
    const { program } = await network.processes()
    const status = await readFile(`/proc/${String(program)}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:(\\s+${own}){4}$`, 'm'))
    expect(status).toMatch(new RegExp(`^Gid:(\\s+${own}){4}$`, 'm'))
    expect(status).toMatch(/^Groups:\s*$/m)
  })

  slow('shows the app that everything goes through it, from the routes of the system', async () => {
    const tunnel = network.start()
    const device = await tunnel.connected()
    const programs = await network.programs()
    const reading = await macosRoutes(programs).read()
    const routing = tunnelRouting(reading, device, [server], ['10.88.0.1'])
    expect(routing.carried).toMatchObject({ allTraffic: true })
    await tunnel.stop()
    expect(tunnelRouting(await macosRoutes(programs).read(), device, [server]).carried).toMatchObject({
      allTraffic: false,
    })
  })

  slow('refuses the family that a tunnel for everything does not carry', async () => {
    const tunnel = network.start({ allowed: ['0.0.0.0/0'], addresses: ['10.88.0.2/24'] })
    const device = await tunnel.connected()
    expect(await network.deviceTo(outside[0])).toBe(device)
    expect(await network.deviceTo(outside[1])).toBeUndefined()
    const reading = await macosRoutes(await network.programs()).read()
    expect(tunnelRouting(reading, device, [server]).carried).toMatchObject({ allTraffic: true })
    await tunnel.stop()
    await network.expectLike(before)
  })

  it.each(
    rows(
      [
        ['without the server', ['10.99.0.0/16', 'fd99::/64'], false],
        ['with the server', ['203.0.113.0/24', '10.99.0.0/16', 'fd99::/64'], true],
        ['with the server alone', [`${server}/32`, '10.99.0.0/16', 'fd99::/64'], true],
      ] as const,
      1,
    ),
  )('takes the networks of a split tunnel alone, %s', async (_what, allowed, needsWay) => {
    const tunnel = network.start({ allowed })
    const device = await tunnel.connected()
    for (const address of inside) {
      expect(await network.pings(address)).toBe(true)
      expect(await network.deviceTo(address)).toBe(device)
    }
    for (const address of [...outside, server]) expect(await network.deviceTo(address)).toBe('en0')
    expect((await network.ip('route')).includes(`${server} via`)).toBe(needsWay)
    await tunnel.stop()
    await network.expectLike(before)
  })

  slow("keeps the computer's own routes, and says which", async () => {
    await network.ip(`route add 10.99.0.0/16 via 10.77.1.1 dev en0`)
    await network.ip(`route add ${server} via 10.77.1.1 dev en0`)
    const withRoutes = await network.snapshot()
    const tunnel = network.start({ allowed: ['0.0.0.0/0', '::/0', '10.99.0.0/16'] })
    await tunnel.connected()
    expect(tunnel.messages).toContain('route-kept 10.99.0.0/16')
    await tunnel.stop()
    await network.expectLike(withRoutes)
    await network.ip('route delete 10.99.0.0/16')
    await network.ip(`route delete ${server}`)
  })

  slow('sets DNS servers, and routes them through the tunnel', async () => {
    await network.ip('route add 192.0.2.0/24 via 10.77.1.1 dev en0')
    const withRoute = await network.snapshot()
    const tunnel = network.start()
    const device = await tunnel.connected()
    expect(await network.deviceTo('192.0.2.53')).toBe('en0')
    tunnel.send('dns 192.0.2.53 corp.example')
    await tunnel.said(/^dns applied scutil$/)
    expect(await network.text('names')).toMatch(/ServerAddresses \* 192\.0\.2\.53\n.*corp\.example/)
    expect(await network.deviceTo('192.0.2.53')).toBe(device)
    await tunnel.stop()
    await network.expectLike(withRoute)
    await network.ip('route delete 192.0.2.0/24')
  })

  it('blocks everything else with the kill switch, also after it was killed', async () => {
    const tunnel = network.start({ killSwitch: true })
    const device = await tunnel.connected()
    expect(tunnel.messages.indexOf('kill-switch on')).toBeLessThan(
      tunnel.messages.indexOf(`started ${device} userspace`),
    )
    expect(await network.sends(outside[0], 9)).toBe(true)
    // The server is for the program alone, which contacts nothing else.
    const program = programUser(device)
    expect(await network.sends(server, 51_820)).toBe(false)
    expect(await network.sends(server, 51_820, program)).toBe(true)
    expect(await network.sends(outside[0], 9, program)).toBe(false)
    await network.kill('helper')
    await tunnel.ended
    await network.expectLike(before)
    for (const to of [outside[0], outside[1], server]) expect(await network.sends(to, 9)).toBe(false)
    const again = network.start({ killSwitch: true })
    await again.connected()
    again.send('release')
    await again.said(/^kill-switch released$/)
    await again.stop()
    expect(await network.sends(outside[0], 9)).toBe(true)
  })

  it.each(
    rows(
      [
        ['removes its rules', `anchor-${String(user)}`],
        ['disables pf', 'tokens'],
      ],
      1,
    ),
  )('notices that somebody %s, or removes DNS servers', async (_what, file) => {
    const tunnel = network.start({ killSwitch: true })
    await tunnel.connected()
    tunnel.send('dns 10.88.0.1')
    await tunnel.said(/^dns applied scutil$/)
    for (const each of [file, 'names']) await writeFile(path.join(network.installed.folder, each), '')
    await tunnel.said(/^kill-switch lifted$/)
    await tunnel.said(/^dns lost$/)
    await tunnel.stop()
    await network.expectLike(before)
  })

  it.each(rows([true, false], 1))(
    'lets one socket of the user alone reach the ProxyGuard server (kill switch: %s)',
    async (killSwitch) => {
      await writeFile(
        path.join(network.installed.folder, 'hosts'),
        `${server} proxy.example\n${movedServer} proxy.example\n`,
      )
      const more = ['listen-port 51998', 'proxy proxy.example 443 61234']
      const tunnel = network.start({ killSwitch, endpoint: '127.0.0.1 51999', more })
      const [, device] = (await tunnel.said(/^started /)).split(' ')
      expect(await network.deviceTo(server)).toBe('en0')
      expect(await network.deviceTo(movedServer)).toBe(device)
      // Nobody listens.
      expect(await network.connects(server, 443, 61_234)).toBe('refused')
      if (killSwitch) expect(await network.connects(server, 443, 61_235)).toBe('nothing')
      tunnel.send(`dial ${movedServer} 61240`)
      await tunnel.said(/^dial permitted$/)
      expect(await network.deviceTo(movedServer)).toBe('en0')
      expect(await network.deviceTo(server)).toBe(device)
      expect(await network.connects(movedServer, 443, 61_240)).toBe('refused')
      tunnel.send('dial 198.51.100.8 61240')
      await tunnel.said(/^dial refused$/)
      await tunnel.stop()
      await network.expectLike(before)
    },
  )
})

describe.runIf(may)('WireGuard of macOS on a network that changes', () => {
  it('follows the network, and waits for one', async () => {
    const tunnel = network.start()
    await tunnel.connected()
    await network.useDefault('en1')
    await vi.waitFor(async () => {
      expect(await network.deviceTo(server)).toBe('en1')
    })
    await answers(inside[0])
    await network.useDefault(undefined)
    await vi.waitFor(async () => {
      // Nothing goes round through the tunnel.
      expect(await network.ip('route')).toContain(`blackhole ${server}`)
    })
    tunnel.send('state')
    await tunnel.said(/^handshake .* no-way$/)
    await network.useDefault('en0')
    await vi.waitFor(async () => {
      expect(await network.deviceTo(server)).toBe('en0')
    })
    await answers(inside[0])
    expect(await tunnel.stop()).toBe(0)
    await network.expectLike(before)
  })

  it.each(rows(['past', 'passed', 'inside', 'routed'], 1))(
    'notices a change while it starts, at the step %s',
    async (step) => {
      await writeFile(path.join(network.killable.folder, 'state/stop-at'), step)
      const tunnel = network.start({ helper: network.killable })
      const { helper } = await network.stopped()
      await network.useDefault('en1')
      process.kill(helper, 'SIGCONT')
      await tunnel.connected()
      await vi.waitFor(async () => {
        expect(await network.deviceTo(server)).toBe('en1')
      })
      await answers(inside[0])
      await tunnel.stop()
      await network.useDefault('en0')
      await network.expectLike(before)
    },
  )

  slow('tries the addresses in turn, and follows the name', async () => {
    const hosts = path.join(network.installed.folder, 'hosts')
    await writeFile(hosts, `203.0.113.99 vpn.example\n${server} vpn.example\n`)
    const tunnel = network.start({ killSwitch: true, endpoint: 'vpn.example 51820' })
    await tunnel.connected()
    expect(tunnel.messages.filter((each) => each.startsWith('remote '))).toEqual([
      'remote 203.0.113.99 51820',
      `remote ${server} 51820`,
    ])
    expect(await network.ip('route')).not.toContain('203.0.113.99')
    await writeFile(hosts, `${server6} vpn.example\n`)
    tunnel.send('resolve')
    await tunnel.said(/^resolve changed$/)
    expect(await network.deviceTo(server6)).toBe('en0')
    expect(await network.ip('route')).not.toContain(server)
    await answers(inside[0])
    await tunnel.stop()
    await network.expectLike(before)
  })

  it.each(
    rows(
      [
        ['unreachable', undefined],
        ['endpoint', '127.0.0.1 vpn.example\n'],
        ['unresolved look-up no-address', '192.0.2.1 other.example\n'],
      ],
      1,
    ),
  )('says why it finds no server: %s', async (reason, hosts) => {
    if (hosts === undefined) await network.useDefault(undefined)
    await writeFile(path.join(network.installed.folder, 'hosts'), hosts ?? `${server} vpn.example\n`)
    const tunnel = network.start({ endpoint: 'vpn.example 51820' })
    expect(await tunnel.said(/^failed /)).toContain(`failed ${reason}`)
    expect(await tunnel.stop()).toBe(65)
  })
})
