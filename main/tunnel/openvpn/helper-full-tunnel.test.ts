import { createInterface } from 'node:readline'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readMainTable } from '../../platform/routes/linux-main-table'
import { linuxRoutes } from '../../platform/routes/linux-routes'
import { ObservedRouting } from '../../platform/routes/observed-routing'
import { tunnelRouting } from '../../platform/routes/tunnel-routing'
import { type TestHelper, installTestHelper, mayMakeNamespaces } from '../../privilege/helper.testing'
import { ip, joinSpaces, sbin } from '../joined-spaces.testing'
import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { runTunnelServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { rows } from '../../../scripts/slow.testing'

const clientSpace = `causeway-fc-${process.pid}`
const serverSpace = `causeway-fs-${process.pid}`
const server = '192.0.2.1'

const inClient = (...words: string[]) =>
  execa('ip', ['netns', 'exec', clientSpace, ...words], { ...sbin, reject: false, timeout: 60_000 })

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun')

/** Needs root, a tun device and nft. Uses private namespaces. */
describe.runIf(may)('an OpenVPN tunnel for everything through the helper, in a network that lies', () => {
  const authority = createTestAuthority()
  const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let installed: TestHelper
  let killable: TestHelper
  const running: (() => Promise<unknown>)[] = []
  let before: string

  beforeAll(async () => {
    await joinSpaces(clientSpace, serverSpace, { ipv4: '192.168.79.', ipv6: 'fd79::' })
    await ip(`-n ${serverSpace} address add ${server}/32 dev lo`)
    await inClient('sh', '-c', 'for c in all wan; do echo 1 >/proc/sys/net/ipv4/conf/$c/rp_filter; done')
    installed = await installTestHelper('', `ip netns exec ${clientSpace}`)
    killable = await installTestHelper('', `ip netns exec ${clientSpace}`, 'killpoints')
    before = await snapshot()
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })

  afterAll(async () => {
    await ip(`netns delete ${clientSpace}`)
    await ip(`netns delete ${serverSpace}`)
    for (const each of [installed, killable]) await each.remove()
  })

  async function snapshot(): Promise<string> {
    const all = ['rule', '-6 rule', 'route show table all', '-6 route show table all', '-o link']
    const shown = await Promise.all(all.map((words) => ip(`-n ${clientSpace} ${words}`)))
    return [...shown, (await inClient('nft', 'list', 'tables')).stdout].join('\n')
  }

  async function expectNothingLeft(): Promise<void> {
    await vi.waitFor(async () => {
      expect(await snapshot()).toBe(before)
    })
  }

  /** Starts a server that pushes these options, and the helper. */
  async function start(
    pushed: readonly string[],
    { more = '', helper = installed }: { readonly more?: string; readonly helper?: TestHelper } = {},
  ) {
    const stopServer = await runTunnelServer(['ip', 'netns', 'exec', serverSpace], authority, {
      address: server,
      lines: [
        'ifconfig-ipv6 fd88::1/64 fd88::2',
        'ifconfig-ipv6-pool fd88::1000/64',
        ...pushed.map((option) => `push "${option}"`),
      ],
    })
    running.push(stopServer)
    const profile = portalProfile({ ca: authority.certificate, remotes: [`${server} 1194 udp`] })
    const { text } = buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
    const child = execa(helper.helper, ['run'], { ...sbin, reject: false })
    const log: string[] = []
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => log.push(line))
    child.stdin.on('error', () => undefined)
    child.stdin.write(`kill-switch off\ndns on\n${more}${text}#END\n`)
    const message = async (pattern: RegExp): Promise<string> =>
      vi.waitFor(
        () => log.find((line) => pattern.test(line)) ?? Promise.reject(new Error(log.slice(-9).join('\n'))),
        { timeout: 20_000, interval: 10 },
      )
    const stop = async () => {
      child.stdin.end()
      await child
    }
    running.push(stop)
    return {
      child,
      said: message,
      stop,
      connected: async () => {
        await message(/Initialization Sequence Completed/)
        return /started (\S+)/.exec(await message(/started cw/))?.[1] ?? ''
      },
      send: (line: string) => child.stdin.write(`${line}\n`),
    }
  }

  const deviceTo = async (address: string) =>
    / dev (\S+)/.exec((await inClient('ip', 'route', 'get', address)).stdout)?.[1]
  const expectWays = async (device: string, addresses: readonly string[]) =>
    vi.waitFor(async () => {
      for (const address of addresses) expect([address, await deviceTo(address)]).toEqual([address, device])
    })
  const inWan = async (command: 'add' | 'del', ...addresses: string[]) => {
    for (const address of addresses) await ip(`-n ${clientSpace} address ${command} ${address} dev wan`)
  }
  const pings = async (address: string) =>
    !(await inClient('ping', '-n', '-c', '1', '-W', '2', address)).failed

  const everything = ['redirect-gateway def1 ipv6', 'route 10.99.0.0 255.255.255.0']

  it.each([
    ['two halves', everything],
    ['a default route beside them', [...everything, 'route 0.0.0.0 0.0.0.0']],
  ])('keeps all but small private networks inside: with %s', async (_, pushed) => {
    const large = ['198.51.0.2/16', '10.0.0.2/8', '2001:db8:7::2/64']
    await inWan('add', ...large)
    // OpenVPN can't add its own.
    await ip(`-n ${clientSpace} route add 0.0.0.0/1 via 192.168.79.1`)
    const tunnel = await start(pushed)
    const device = await tunnel.connected()
    const elsewhere = ['198.51.100.7', '10.200.0.1', '8.8.8.8', '2001:db8:7::7', '2001:db8:9::9']
    await expectWays(device, elsewhere)
    await expectWays('wan', ['192.168.79.1', '192.168.79.7', 'fd79::7', server])
    const routes = ['128.0.0.0/2', '198.51.100.7/32', '2001:db8:7::7/128']
    for (const route of routes) await ip(`-n ${clientSpace} route add ${route} dev wan`)
    await expectWays(device, elsewhere)
    expect(await pings('10.88.0.1')).toBe(true)
    for (const route of routes) await ip(`-n ${clientSpace} route del ${route} dev wan`)
    // Version 2.5 has put its own in that place.
    await ip(`-n ${clientSpace} route flush exact 0.0.0.0/1`)
    await inWan('del', ...large)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('shows what it carries, also at once', async () => {
    const tunnel = await start(everything)
    const device = await tunnel.connected()
    const [pid = ''] = (await ip(`netns pids ${clientSpace}`)).split('\n')
    const atOnce = readMainTable(`/proc/${pid}/net`)
    expect(atOnce?.isLeast).toBe(true)
    for (const reading of [atOnce, await linuxRoutes(['ip', '-n', clientSpace]).read()])
      expect(tunnelRouting(reading, device, [server]).carried).toMatchObject({ allTraffic: true })
    await ip(`-n ${clientSpace} address add 198.51.0.2/16 dev wan`)
    // The table has it inside, which the main one doesn't show.
    expect(tunnelRouting(readMainTable(`/proc/${pid}/net`), device, [server]).carried).toMatchObject({
      allTraffic: false,
      outside: ['198.51.0.0/16'],
    })
    const reading = await linuxRoutes(['ip', '-n', clientSpace]).read()
    expect(tunnelRouting(reading, device, [server]).carried).toMatchObject({ allTraffic: true })
    await ip(`-n ${clientSpace} address del 198.51.0.2/16 dev wan`)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('is said to carry everything from the start, beside a public network of IPv6', async () => {
    await inWan('add', '2001:db8:7::2/64')
    const tunnel = await start(everything)
    const device = await tunnel.connected()
    const [pid = ''] = (await ip(`netns pids ${clientSpace}`)).split('\n')
    const readAtOnce = () => readMainTable(`/proc/${pid}/net`)
    const reader = linuxRoutes(['ip', '-n', clientSpace], readAtOnce)
    const observed = new ObservedRouting(reader, [server])
    expect(await observed.connected(device)).toMatchObject({
      carried: { allTraffic: true },
      mustBeChecked: false,
    })
    await inWan('del', '2001:db8:7::2/64')
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('is read where the system has no names of protocols', async () => {
    const tunnel = await start(everything)
    const device = await tunnel.connected()
    const nameless = 'mount --bind /dev/null /etc/protocols && exec ip "$@"'
    const command = ['unshare', '--mount', 'sh', '-c', nameless, 'ip', '-n', clientSpace] as const
    const reading = await linuxRoutes([...command]).read()
    expect(tunnelRouting(reading, device, [server]).carried).toMatchObject({ allTraffic: true })
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('has the hosts inside that the server pushes, also if a lease has their addresses', async () => {
    const tunnel = await start([...everything, 'route 203.0.113.0 255.255.255.0 net_gateway'])
    const device = await tunnel.connected()
    await inWan('add', '10.99.0.2/25', '10.88.0.9/24', '10.98.0.2/24')
    tunnel.send('dns 192.168.79.53')
    await tunnel.said(/dns (applied|cannot)/)
    await expectWays(device, ['10.99.0.1', '10.88.0.1', '192.168.79.53'])
    // What the server sends past the tunnel.
    await expectWays('wan', ['203.0.113.7', '10.98.0.7'])
    await inWan('del', '10.99.0.2/25', '10.88.0.9/24', '10.98.0.2/24')
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('takes the local networks, too, if they are to be blocked', async () => {
    const tunnel = await start(everything, { more: 'local-network block\n' })
    const device = await tunnel.connected()
    await expectWays(device, ['192.168.79.7', 'fd79::7', '192.168.79.1'])
    await ip(`-n ${serverSpace} neighbor flush dev net0`)
    expect(await pings('10.88.0.1')).toBe(true)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('adds no table for a tunnel to some networks, and guards its address', async () => {
    const tunnel = await start(['route 10.99.0.0 255.255.255.0'])
    await tunnel.connected()
    expect(await ip(`-n ${clientSpace} rule`)).not.toContain('12288')
    // CVE-2019-14899: whoever is on the network sends to the tunnel's address.
    await vi.waitFor(async () => {
      expect((await inClient('nft', 'list', 'ruleset')).stdout).toContain('ip daddr 10.88.0.10')
    })
    await ip(`-n ${serverSpace} route add 10.88.0.10 via 192.168.79.2 dev net0`)
    const fromTheNetwork = ['ping', '-n', '-c', '1', '-W', '1', '-I', '192.168.79.1', '10.88.0.10']
    expect(
      (await execa('ip', ['netns', 'exec', serverSpace, ...fromTheNetwork], { ...sbin, reject: false }))
        .failed,
    ).toBe(true)
    await ip(`-n ${serverSpace} route del 10.88.0.10 via 192.168.79.2`)
    expect(await pings('10.88.0.1')).toBe(true)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it.each(
    rows(
      ['rule', 'undo-firewall', 'number', 'number-reserved', 'table', 'ruled', 'firewall', 'undo-rules'],
      2,
    ),
  )('leaves nothing when it is killed at the step %s', async (step) => {
    const mark = path.join(killable.folder, 'state/kill-at')
    await writeFile(mark, step)
    const tunnel = await start(everything, { helper: killable })
    if (step.startsWith('undo-')) {
      await tunnel.connected()
      await tunnel.stop()
    } else await tunnel.child
    expect(existsSync(mark)).toBe(false)
    await expectNothingLeft()
    await vi.waitFor(async () => {
      expect(await readdir(path.join(killable.folder, 'state/0'))).toEqual([])
    })
  })
})
