import type { TunnelDetails } from '../../../contract/connection'
import { linuxRoutes } from '../../platform/routes/linux-routes'
import type { TrafficCheckOptions } from '../../platform/traffic/traffic-check'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ErrorReport } from '../../../contract/error-codes'
import {
  type TestHelper,
  asksResolved,
  installTestHelper,
  mayMakeNamespaces,
  replaceResolvConf,
} from '../../privilege/helper.testing'
import { type Privilege, type PrivilegeOptions, createPrivilege } from '../../privilege/privilege'
import type { Tunnel, TunnelEvent } from '../tunnel'
import { createTestAuthority } from './certificates.testing'
import { isOpenVpn25 } from '../../privilege/openvpn-version.testing'
import { buildConfiguration } from './configuration'
import { runTunnelServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { type StartTunnel, createStartTunnel } from './start-openvpn.testing'
import { rows, slow } from '../../../scripts/slow.testing'

const clientSpace = `causeway-hc-${process.pid}`
const serverSpace = `causeway-hs-${process.pid}`
const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

/** Replaces resolvectl with a program that records its arguments. */
const resolvectl = `
mkdir $own/bin
cat >$own/bin/resolvectl <<'END'
#!/bin/sh
printf '%s\\n' "$*" >>FOLDER/resolvectl.log
END
sed -i "s#FOLDER#$folder#" $own/bin/resolvectl
chmod 755 $own/bin/resolvectl
mount -t overlay overlay -o lowerdir=$own/bin:/usr/bin /usr/bin
${asksResolved('$folder')}`

/** Sends queries to the test's name server. */
const asksNames = `
echo 'nameserver 192.0.2.1' >$folder/resolv.conf
mount --bind $folder/resolv.conf "$(readlink -f /etc/resolv.conf)"
`

async function ip(...words: string[]): Promise<string> {
  return (await execa('ip', words, sbin)).stdout
}

async function inClient(...words: string[]) {
  return execa('ip', ['netns', 'exec', clientSpace, ...words], { ...sbin, reject: false, timeout: 60_000 })
}

async function hasNft(): Promise<boolean> {
  const { failed } = await execa('unshare', ['-n', 'nft', 'add', 'table', 'inet', 'x'], {
    ...sbin,
    reject: false,
  })
  return !failed
}

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun')
const nft = may && (await hasNft())

/** Needs root, a tun device and, for the kill switch, nft. Uses private namespaces. */
describe.runIf(may)('a tunnel through the helper', () => {
  const authority = createTestAuthority()
  const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let installed: TestHelper
  const others: TestHelper[] = []
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    await ip('netns', 'add', clientSpace)
    await ip('netns', 'add', serverSpace)
    await ip(
      ...['-n', clientSpace, 'link', 'add', 'veth-c', 'type', 'veth', 'peer', 'name', 'veth-s'],
      ...['netns', serverSpace],
    )
    for (const [space, link, address] of [
      [clientSpace, 'veth-c', '192.168.78.2/24'],
      [serverSpace, 'veth-s', '192.168.78.1/24'],
    ] as const) {
      await ip('-n', space, 'address', 'add', address, 'dev', link)
      await ip('-n', space, 'link', 'set', link, 'up')
      await ip('-n', space, 'link', 'set', 'lo', 'up')
    }
    // The server is behind a gateway, as usual: OpenVPN adds a route to it.
    await ip('-n', serverSpace, 'address', 'add', '192.0.2.1/32', 'dev', 'lo')
    // With a metric, as DHCP sets it.
    await ip('-n', clientSpace, 'route', 'add', 'default', 'via', '192.168.78.1', 'metric', '100')
    installed = await installTestHelper(resolvectl, `ip netns exec ${clientSpace}`)
    routesBefore = await ip('-n', clientSpace, 'route')
    stopServer = await startServer()
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
    await inClient('nft', 'flush', 'ruleset')
  })

  afterAll(async () => {
    await stopServer?.()
    await ip('netns', 'delete', clientSpace)
    await ip('netns', 'delete', serverSpace)
    for (const each of [installed, ...others]) await each.remove()
  })

  let stopServer: (() => Promise<void>) | undefined
  let routesBefore: string

  async function startServer(port = 1194, ...pushed: string[]): Promise<() => Promise<void>> {
    return runTunnelServer(['ip', 'netns', 'exec', serverSpace], authority, {
      address: '192.0.2.1',
      port,
      network: '10.89.0',
      lines: [
        // Without def1, OpenVPN deletes the computer's default route, and cannot restore it when it is killed.
        'push "redirect-gateway"',
        // The kernel then takes either of the two, by what it knows of the gateway: names can't be left to the tunnel alone.
        'push "route 0.0.0.0 0.0.0.0 net_gateway"',
        'push "dhcp-option DNS 10.89.0.53"',
        'push "dhcp-option DOMAIN corp.example"',
        'push "dhcp-option DNS 10.89.0.54;reboot"',
        ...pushed.map((option) => `push "${option}"`),
      ],
    })
  }

  /** Answers every query with the server's address, and records it. */
  async function startNameServer() {
    const script = `
      const socket = require('node:dgram').createSocket('udp4')
      socket.on('message', (question, { address, port }) => {
        const labels = []
        let at = 12
        for (; question[at] > 0; at += question[at] + 1) labels.push(question.toString('latin1', at + 1, at + 1 + question[at]))
        const asksIpv4 = question.readUInt16BE(at + 1) === 1
        const head = Buffer.from(question.subarray(0, at + 5))
        head.writeUInt16BE(0x8180, 2)
        head.writeUInt16BE(asksIpv4 ? 1 : 0, 6)
        const answer = asksIpv4 ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 1]) : Buffer.alloc(0)
        head.writeUInt16BE(0, 8)
        head.writeUInt16BE(0, 10)
        console.log(labels.join('.'))
        socket.send(Buffer.concat([head, answer]), port, address)
      })
      socket.bind(53, '192.0.2.1', () => console.log('listening'))`
    const server = execa('ip', ['netns', 'exec', serverSpace, process.execPath, '-e', script], {
      ...sbin,
      reject: false,
      timeout: 180_000,
    })
    running.push(async () => {
      server.kill('SIGKILL')
      await server
    })
    const asked: string[] = []
    const lines = createInterface({ input: server.stdout })
    await once(lines, 'line')
    lines.on('line', (name) => asked.push(name))
    return {
      asked: async (least: number) => {
        await vi.waitUntil(() => asked.length >= least)
        return [...asked]
      },
    }
  }

  interface Connected {
    readonly privilege: Privilege
    readonly tunnel: Tunnel
    readonly details: TunnelDetails
    readonly notices: ErrorReport[]
    /** Without lines of the log. */
    readonly events: readonly TunnelEvent[]
    /** The device of the program that was got ready for it. */
    readonly waited: string | undefined
  }

  async function recordedDevices(): Promise<string[]> {
    const files = await readdir(path.join(installed.folder, 'state/0')).catch(() => [])
    return files.filter((name) => name.startsWith('cw'))
  }

  /** Waits for a helper that has its records. */
  async function recordedDevice(): Promise<string> {
    await vi.waitUntil(async () => (await recordedDevices()).length === 1, { interval: 20 })
    return (await recordedDevices())[0] ?? ''
  }

  async function connect(
    killSwitch = false,
    {
      helper = installed.helper,
      remote = '192.0.2.1',
      port = 1194,
      isWaiting = false,
      trafficCheck = undefined as TrafficCheckOptions | undefined,
    } = {},
  ): Promise<Connected> {
    const notices: ErrorReport[] = []
    const privileges = {
      killSwitch: () => Promise.resolve(killSwitch),
      reporter: { notice: (notice: ErrorReport) => notices.push(notice) },
      helper,
    }
    const { privilege, start } = launching(privileges, trafficCheck)
    const profile = portalProfile({ ca: authority.certificate, remotes: [`${remote} ${port} udp`] })
    const configuration = buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' })
    let onConnected: (details: TunnelDetails) => void = () => undefined
    const connected = new Promise<TunnelDetails>((resolve) => {
      onConnected = resolve
    })
    const log: string[] = []
    const events: TunnelEvent[] = []
    if (isWaiting) running.push(start.getReady('openvpn', 'full'))
    const waited = isWaiting ? await recordedDevice() : undefined
    const tunnel = await start({
      configuration,
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'log') log.push(event.line)
        else events.push(event)
        if (event.event === 'connected') onConnected(event.details)
      },
    })
    running.push(() => tunnel.stop())
    const details = await Promise.race([
      connected,
      tunnel.ended.then((end) => {
        throw new Error(`${JSON.stringify(end)}\n${log.join('\n')}`)
      }),
    ])
    return { privilege, tunnel, details, notices, waited, events }
  }

  /** Returns the process ids of this device's helper, its watcher and OpenVPN. */
  function killFirst([pid]: readonly number[]): void {
    // 0 would kill the tests.
    if (pid === undefined) throw new Error('There is no process.')
    process.kill(pid, 'SIGKILL')
  }

  async function processesOf({ device = '' }: TunnelDetails) {
    const helper = Number(device.replace(/\D/g, ''))
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const commands = await Promise.all(
      all.map(async (pid) => ({
        pid,
        words: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      })),
    )
    const pidOf = (words: string) => commands.find((each) => each.words.includes(words))?.pid ?? 0
    const openVpn = pidOf(`\0--dev\0${device}\0`)
    const watcher = pidOf(`\0watch\0${device}\0`)
    return { helper, openVpn, watcher, all: [helper, openVpn, watcher].filter((pid) => pid > 0) }
  }

  async function dnsCalls(from = installed): Promise<string[]> {
    const text = await readFile(path.join(from.folder, 'resolvectl.log'), 'utf8').catch(() => '')
    // `domain` alone asks for those of other links, at the same time.
    return text.split('\n').filter((call) => call !== '' && call !== 'domain')
  }

  /** @param routeCount the number of routes without a tunnel */
  async function nothingIsLeft(
    details: TunnelDetails,
    pids: readonly number[],
    routeCount = 2,
    from = installed,
  ): Promise<void> {
    await vi.waitUntil(
      async () => {
        const links = await ip('-n', clientSpace, 'link')
        const routes = await ip('-n', clientSpace, 'route')
        const files = (await readdir(path.join(from.folder, 'state/0'))).filter((name) =>
          name.startsWith(details.device ?? '?'),
        )
        const states = await Promise.all(
          pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ')),
        )
        return (
          !links.includes(details.device ?? '?') &&
          routes.split('\n').length === routeCount &&
          routes.includes('default via 192.168.78.1 dev veth-c metric 100') &&
          (await dnsCalls(from)).includes(`revert ${details.device ?? '?'}`) &&
          files.length === 0 &&
          states.every((state) => /^State:\t[ZX]/m.test(state))
        )
      },
      // It takes a few tenths of a second on an idle computer.
      { interval: 50 },
    )
  }

  it('waits for its configuration without a change, and leaves nothing behind', async () => {
    const { start } = launching({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: () => undefined },
      helper: installed.helper,
    })
    const [links, routes] = [await ip('-n', clientSpace, 'link'), await ip('-n', clientSpace, 'route')]
    const standDown = start.getReady('openvpn', 'full')
    running.push(standDown)
    await recordedDevice()
    expect(await ip('-n', clientSpace, 'link')).toBe(links)
    expect(await ip('-n', clientSpace, 'route')).toBe(routes)
    await standDown()
    expect(await recordedDevices()).toEqual([])
  })

  it('goes on with the program that waits for its configuration', async () => {
    const { tunnel, details, waited } = await connect(false, { isWaiting: true })
    expect(details.device).toBe(waited)
    const { all } = await processesOf(details)
    await tunnel.stop()
    await nothingIsLeft(details, all)
  })

  it('lets OpenVPN find its server again if nothing passes any more, with device and routes as they are', async () => {
    let [looks, isBack] = [0, false]
    const { events, details } = await connect(false, {
      trafficCheck: {
        goesOn: true,
        ask: () => Promise.resolve(true),
        // Something is received once, and then no more until it has found its server.
        counters: {
          read: () => {
            looks += 1
            const received = isBack ? looks : Math.min(looks, 2)
            return Promise.resolve({ at: looks * 10_000, received, sent: looks * 100 })
          },
        },
        wait: (_milliseconds, signal) => delay(50, undefined, { signal }),
      },
    })
    const { openVpn } = await processesOf(details)
    await vi.waitUntil(() => events.some(({ event }) => event === 'restarting'))
    isBack = true
    await vi.waitUntil(() => events.at(-1)?.event === 'connected')
    const received = events.filter(({ event }) => event !== 'phase' && event !== 'routes')
    expect(received).toMatchObject([
      { event: 'connected' },
      { event: 'passing', passing: false },
      { event: 'restarting', reason: 'no-answer' },
      { event: 'connected', details: { device: details.device } },
    ])
    expect((await processesOf(details)).openVpn).toBe(openVpn)
  })

  it('leaves no names to the network while the kill switch is up', async () => {
    const { details } = await connect(true)
    expect(details.dns).toMatchObject({ applied: true, allNames: true })
    expect((await dnsCalls()).slice(-2)).toEqual([
      `domain ${details.device ?? ''} ~. ~corp.example`,
      `default-route ${details.device ?? ''} true`,
    ])
  })

  it('resolves all names through a tunnel that carries all traffic', async () => {
    running.push(await startServer(1195, 'redirect-gateway def1'))
    const { details } = await connect(false, { port: 1195 })
    expect(details).toMatchObject({ allTraffic: true, routes: ['0.0.0.0/0'] })
    expect(await ip('-n', clientSpace, 'route', 'get', '198.51.100.1')).toContain(
      `dev ${details.device ?? ''}`,
    )
    expect((await dnsCalls()).slice(-2)).toEqual([
      `domain ${details.device ?? ''} ~. corp.example`,
      `default-route ${details.device ?? ''} true`,
    ])
  })

  it('transports packets, resolves names, and leaves nothing behind', async () => {
    const { tunnel, details, notices } = await connect()
    expect(details).toMatchObject({
      addresses: { ipv4: '10.89.0.10' },
      // The pushed route past the tunnel and the default route through it rank alike: the kernel takes either.
      allTraffic: false,
      ...(isOpenVpn25 ? {} : { routesUnknown: true }),
      dns: { servers: ['10.89.0.53'], domains: ['corp.example'], applied: true },
    })
    const device = details.device ?? ''
    expect(device).toMatch(/^cw\d+t$/)
    expect((await dnsCalls()).slice(-3)).toEqual([
      `dns ${device} 10.89.0.53`,
      `domain ${device} ~corp.example`,
      `default-route ${device} false`,
    ])
    expect((await inClient('ping', '-c', '1', '-W', '2', '10.89.0.1')).exitCode).toBe(0)
    const { openVpn, all } = await processesOf(details)
    expect(await readFile(`/proc/${openVpn}/status`, 'utf8')).toMatch(/^CapEff:\t0000000000001000$/m)

    const before = performance.now()
    await tunnel.stop()
    // After 5 s it would be killed.
    expect(performance.now() - before).toBeLessThan(4500)
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
    await nothingIsLeft(details, all)
    expect(notices).toEqual([])
  })

  it.each(['helper', 'openVpn', 'watcher'] as const)(
    'leaves nothing behind when %s is killed, and keeps routes of others',
    async (which) => {
      const { tunnel, details } = await connect()
      // Another program adds a route meanwhile that looks like OpenVPN's.
      await ip('-n', clientSpace, 'route', 'add', '203.0.113.0/24', 'via', '192.168.78.1')
      running.push(async () => {
        await ip('-n', clientSpace, 'route', 'del', '203.0.113.0/24')
      })
      const { all, ...pids } = await processesOf(details)
      expect(pids[which]).toBeGreaterThan(1)
      process.kill(pids[which], 'SIGKILL')

      await nothingIsLeft(details, all, 3)
      expect(await tunnel.ended).toMatchObject({
        end: 'failed',
        error: { code: 'openvpn/stopped-unexpectedly' },
      })
    },
  )

  it('ends while OpenVPN resolves a name and ignores signals', async () => {
    // This address neither answers nor refuses.
    const silent = await installTestHelper(
      resolvectl + asksNames.replace('192.0.2.1', '192.0.2.99'),
      `ip netns exec ${clientSpace}`,
    )
    others.push(silent)
    const { start } = launching({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: () => undefined },
      helper: silent.helper,
    })
    const profile = portalProfile({ ca: authority.certificate, remotes: ['vpn.example.org 1194 udp'] })
    let onResolving: () => void = () => undefined
    const resolving = new Promise<void>((resolve) => {
      onResolving = resolve
    })
    const tunnel = await start({
      configuration: buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'phase' && event.phase === 'resolving') onResolving()
      },
    })
    await resolving
    const before = performance.now()
    await tunnel.stop()
    // The C library alone waits 5 s for each answer, and more.
    expect(performance.now() - before).toBeLessThan(4000)
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
  })

  slow('cleans up although nobody reads its log any more', async () => {
    running.push(await startServer(1195, ...routesPastTunnel(4000)))
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.0.2.1 1195 udp'] })
    const { text } = buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' })
    const helper = execa(installed.helper, ['run'], { stdin: 'pipe', buffer: false, reject: false })
    running.push(async () => {
      helper.kill('SIGKILL')
      await helper
    })
    helper.stdin.write(`kill-switch off\ndns off\n${text}#END\n`)
    const count = async () => (await ip('-n', clientSpace, 'route')).split('\n').length
    await vi.waitUntil(async () => (await count()) > 4000, { timeout: 20_000, interval: 50 })
    const { stdout } = await execa('ip', ['netns', 'pids', clientSpace], sbin)
    for (const pid of stdout.split('\n')) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      if (name === 'openvpn\n') process.kill(Number(pid), 'SIGKILL')
    }
    // One program for each route took 17 s.
    await vi.waitUntil(async () => (await count()) === 2, { interval: 50 })
    helper.stdout.resume()
    expect((await helper).exitCode).toBe(70)
  })

  it('leaves no route behind when it cannot write its journal', async () => {
    // A part of the routes fits.
    const full = 'mount -t tmpfs -o size=16k,mode=0700 full /run/causeway\n'
    const cramped = await installTestHelper(full + resolvectl, `ip netns exec ${clientSpace}`)
    others.push(cramped)
    running.push(await startServer(1195, ...routesPastTunnel(900)))
    const { start } = launching({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: () => undefined },
      helper: cramped.helper,
    })
    const profile = portalProfile({ ca: authority.certificate, remotes: ['192.0.2.1 1195 udp'] })
    const tunnel = await start({
      configuration: buildConfiguration(profile, clientKeyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: () => undefined,
    })
    running.push(() => tunnel.stop())
    expect(await tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/stopped-unexpectedly' },
    })
    expect(await ip('-n', clientSpace, 'route')).toBe(routesBefore)
  })

  it('restores the routes of a network without a gateway', async () => {
    const defaultRoute = ['-n', clientSpace, 'route', 'replace', 'default']
    await ip('-n', clientSpace, 'route', 'del', 'default')
    await ip(...defaultRoute, 'dev', 'veth-c', 'metric', '100')
    running.push(async () => {
      await ip('-n', clientSpace, 'route', 'flush', 'exact', 'default')
      await ip(...defaultRoute, 'via', '192.168.78.1', 'metric', '100')
    })
    const before = await ip('-n', clientSpace, 'route')
    const { tunnel, details } = await connect()
    expect(await ip('-n', clientSpace, 'route')).toContain('192.0.2.1 dev veth-c')
    const { openVpn } = await processesOf(details)
    process.kill(openVpn, 'SIGKILL')
    await tunnel.ended
    expect(await ip('-n', clientSpace, 'route')).toBe(before)
  })

  it('ends on a signal', async () => {
    const helper = execa(installed.helper, ['run'], { stdin: 'pipe', reject: false })
    helper.stdin.write('kill-switch off\n')
    const journals = async () => (await ip('netns', 'pids', clientSpace)) !== ''
    await vi.waitUntil(journals, { interval: 5 })
    helper.kill('SIGTERM')
    await helper
    await vi.waitUntil(async () => !(await journals()), { interval: 50 })
  })

  describe.each([
    {
      killSwitch: false,
      steps: rows(['begun', 'dns-set', 'routes', 'journal', 'watcher', 'route', 'table', 'rule', 'dns'], 3),
    },
    { killSwitch: false, steps: rows(['undo-routes', 'ended', 'undo-program', 'undo-journal'], 1) },
    { killSwitch: true, steps: rows(nft ? ['kill-switch-up', 'kill-switch-noted', 'routes'] : [], 1) },
  ])('killed between two steps, with the kill switch: $killSwitch', ({ killSwitch, steps }) => {
    let killed: TestHelper

    beforeAll(async () => {
      killed = await installTestHelper(resolvectl, `ip netns exec ${clientSpace}`, 'killpoints')
      others.push(killed)
    })

    it.each(steps)('leaves nothing behind: at %s', async (step) => {
      const mark = path.join(killed.folder, 'state/kill-at')
      await writeFile(mark, step)
      const attempt = await connect(killSwitch, { helper: killed.helper }).catch(() => undefined)
      await attempt?.tunnel.stop()
      expect(existsSync(mark)).toBe(false)

      // The next run of the helper cleans up.
      const { failed } = await execa(killed.helper, ['release'], { reject: false })
      expect(failed).toBe(false)
      await vi.waitUntil(
        async () => {
          const calls = await dnsCalls(killed)
          const set = calls.flatMap((call) => /^dns (\S+)/.exec(call)?.[1] ?? [])
          return (
            !(await ip('-n', clientSpace, 'link')).includes('cw') &&
            (await ip('-n', clientSpace, 'route')) === routesBefore &&
            (await ip('netns', 'pids', clientSpace)) === '' &&
            set.every(
              (device) => calls.lastIndexOf(`revert ${device}`) > calls.indexOf(`dns ${device} 10.89.0.53`),
            )
          )
        },
        { interval: 50 },
      )
      expect(
        (await readdir(path.join(killed.folder, 'state/0'))).filter((name) => name !== 'kill-at'),
      ).toEqual([])
      expect((await inClient('nft', 'list', 'tables')).stdout).not.toContain('causeway')
    })
  })

  describe('where nobody but /etc/resolv.conf names DNS servers', () => {
    const network = '# by DHCP\nsearch home.example\nnameserver 192.0.2.1\n'
    const next = 'nameserver 192.0.2.2\n'
    let plain: TestHelper
    /** The shell becomes the helper, so its process id is the helper's. */
    const leftByAnother = `
[ ! -d $folder/state/4242 ] || echo 'dns resolv.conf' | tee $folder/state/4242/cw$$t >$folder/state/4242/cw$(($$ + 1))t
`

    beforeAll(async () => {
      plain = await installTestHelper(leftByAnother, `ip netns exec ${clientSpace}`, 'killpoints')
      others.push(plain)
    })

    beforeEach(async () => {
      await replaceResolvConf(plain.folder, network)
    })

    const text = () => readFile(path.join(plain.folder, 'etc/resolv.conf'), 'utf8')
    const withoutComment = (of: string) => of.replace(/^# Written by Causeway.*\n/, '')

    async function expectText(expected: string): Promise<void> {
      await vi.waitFor(
        async () => {
          expect(withoutComment(await text())).toBe(expected)
        },
        { interval: 20 },
      )
    }

    /** There is nothing else, also for other programs. */
    async function expectUndone(expected = network): Promise<void> {
      await vi.waitFor(
        async () => {
          expect(await text()).toBe(expected)
          expect(await ip('-n', clientSpace, 'route')).toBe(routesBefore)
          const files = await readdir(path.join(plain.folder, 'etc'))
          expect(files.filter((each) => each.startsWith('resolv.conf'))).toEqual(['resolv.conf'])
          expect(await readdir(path.join(plain.folder, 'state'))).toEqual(['0'])
          expect(await readdir(path.join(plain.folder, 'state/0'))).toEqual([])
        },
        { interval: 50 },
      )
    }

    it('replaces it while the tunnel is up, also again after DHCP, and puts back what DHCP wrote', async () => {
      const { tunnel, details, notices } = await connect(false, { helper: plain.helper })
      expect(details.dns).toEqual({
        servers: ['10.89.0.53'],
        domains: ['corp.example'],
        applied: true,
        way: 'resolv.conf',
        allNames: true,
      })
      await expectText('search corp.example home.example\nnameserver 10.89.0.53\nnameserver 192.0.2.1\n')
      await replaceResolvConf(plain.folder, next)
      await expectText('search corp.example\nnameserver 10.89.0.53\nnameserver 192.0.2.2\n')
      await tunnel.stop()
      await expectUndone(next)
      expect(notices).toEqual([])
    })

    it.runIf(nft)('names no server of the network with the kill switch', async () => {
      const { tunnel, privilege } = await connect(true, { helper: plain.helper })
      await expectText('search corp.example\nnameserver 10.89.0.53\n')
      await tunnel.stop()
      await privilege.afterwards(true)
      await expectUndone()
    })

    it.each([
      ...['resolv-conf-claimed', 'resolv-conf-kept', 'resolv-conf-draft', 'dns-set', 'ended'],
      ...['resolv-conf-withdrawn', 'resolv-conf-put-back', 'undo-journal'],
    ])('puts it back when the helper is killed at %s', async (step) => {
      const mark = path.join(plain.folder, 'state/kill-at')
      await writeFile(mark, step)
      const attempt = await connect(false, { helper: plain.helper }).catch(() => undefined)
      await attempt?.tunnel.stop()
      expect(existsSync(mark)).toBe(false)
      await expectUndone()
    })

    it.each(['all processes were killed', 'a loss of power'])(
      'puts it back at the next call after %s',
      async (why) => {
        const { privilege, tunnel, details, notices } = await connect(false, { helper: plain.helper })
        const { helper, watcher, openVpn } = await processesOf(details)
        for (const pid of [watcher, helper, openVpn]) process.kill(pid, 'SIGKILL')
        await tunnel.ended
        await expectText('search corp.example home.example\nnameserver 10.89.0.53\nnameserver 192.0.2.1\n')
        if (why === 'a loss of power') {
          // Neither /run nor a route outlives it.
          const records = path.join(plain.folder, 'state')
          for (const each of await readdir(records)) await rm(path.join(records, each), { recursive: true })
          await ip('-n', clientSpace, 'route', 'flush', 'proto', 'boot')
          await ip('-n', clientSpace, 'route', 'flush', 'proto', 'static')
          await ip('-n', clientSpace, 'route', 'add', 'default', 'via', '192.168.78.1', 'metric', '100')
        }
        await privilege.repair()
        await expectUndone()
        expect(notices).toMatchObject([{ code: 'helper/repaired' }])
      },
    )

    it('undoes first what another user left, also with its process id', async () => {
      const records = path.join(plain.folder, 'state', '4242')
      await mkdir(records, { mode: 0o700 })
      const left = (pid: number) => path.join(records, `cw${String(pid)}t`)
      const { tunnel, details } = await connect(false, { helper: plain.helper })
      const { helper } = await processesOf(details)
      for (const each of [left(helper), left(helper + 1)]) expect(existsSync(each)).toBe(false)
      await rm(records, { recursive: true })
      await tunnel.stop()
      await expectUndone()
    })

    it.runIf(nft)('lifts the kill switch although another user keeps DNS from being put back', async () => {
      const { tunnel } = await connect(true, { helper: plain.helper })
      await tunnel.stop()
      const records = path.join(plain.folder, 'state')
      await mkdir(path.join(records, 'resolv.conf'), { mode: 0o700 })
      // A helper that is stopped while it holds the lock of all claims.
      const other = execa('flock', [records, 'sh', '-c', 'echo held; exec cat'], { reject: false })
      await once(createInterface({ input: other.stdout }), 'line')
      const { stderr } = await execa(plain.helper, ['release'], { reject: false })
      other.stdin.end()
      await other
      expect(stderr.replaceAll('causeway-helper: ', '').split('\n')).toEqual([
        'kill-switch released',
        'failed undo resolv.conf EAGAIN',
      ])
      await rm(path.join(records, 'resolv.conf'), { recursive: true, force: true })
      await expectUndone()
    })

    describe.runIf(nft)('before a removal of the package, by the helper of another user', () => {
      const user = 65_534
      let owned: TestHelper

      beforeAll(async () => {
        owned = await installTestHelper(
          `export SUDO_UID=\${AS-${user}}\nmount -t tmpfs devices /dev/net\nmknod -m 666 /dev/net/tun c 10 200\n`,
          `ip netns exec ${clientSpace}`,
          'killpoints',
        )
        others.push(owned)
      })

      const tree = path.resolve(import.meta.dirname, '../../..')
      const hangsAt = (step: string) => writeFile(path.join(owned.folder, 'state/hang-at'), step)
      const signal = (name: NodeJS.Signals, ...pids: readonly number[]) => {
        for (const pid of pids) process.kill(pid, name)
      }

      type Row = [string, (of: Awaited<ReturnType<typeof processesOf>>) => Promise<void> | void]
      it.each(
        rows<Row>(
          [
            [
              'that is stopped, with its OpenVPN',
              ({ helper, openVpn }) => {
                signal('SIGSTOP', helper, openVpn)
              },
            ],
            ['that hangs with the lock of all claims', () => hangsAt('resolv-conf-withdrawn')],
            [
              'that hangs at its end, and whose watcher is stopped',
              async ({ watcher }) => {
                signal('SIGSTOP', watcher)
                await hangsAt('ended')
              },
            ],
            [
              'that was killed, and whose watcher hangs',
              async ({ helper }) => {
                await hangsAt('undo-program')
                signal('SIGKILL', helper)
                await vi.waitUntil(() => !existsSync(path.join(owned.folder, 'state/hang-at')))
              },
            ],
          ],
          2,
        ),
      )('is undone with everything else: %s', async (_name, disturb) => {
        await replaceResolvConf(owned.folder, network)
        const { details } = await connect(true, { helper: owned.helper })
        const resolvConf = () => readFile(path.join(owned.folder, 'etc/resolv.conf'), 'utf8')
        expect(await resolvConf()).toContain('nameserver 10.89.0.53\n')
        const processes = await processesOf(details)
        running.push(async () => {
          for (const pid of processes.all) await execa('kill', ['-KILL', String(pid)], { reject: false })
        })
        await disturb(processes)

        const script = await readFile(path.join(tree, 'build/linux/before-remove'), 'utf8')
        const own = script.replace('/usr/libexec/causeway/causeway-helper', owned.helper)
        const { stderr } = await execa('/bin/sh', ['-c', own, 'prerm', 'remove'])
        expect(stderr).toBe('')
        expect(await resolvConf()).toBe(network)
        expect(
          (await readdir(path.join(owned.folder, 'etc'))).filter((each) => /^resolv\.conf./.test(each)),
        ).toEqual([])
        expect((await readdir(path.join(owned.folder, 'state'))).sort()).toEqual([String(user), 'stopped'])
        expect(await readdir(path.join(owned.folder, 'state', String(user)))).toEqual([])
        expect(await ip('-n', clientSpace, 'route')).toBe(routesBefore)
        expect(await ip('-n', clientSpace, 'link')).not.toContain(details.device)
        expect((await inClient('nft', 'list', 'tables')).stdout).not.toContain('causeway')
        await vi.waitUntil(async () => (await ip('netns', 'pids', clientSpace)) === '')
        await rm(path.join(owned.folder, 'state/stopped'))
      })
    })

    it('says so if it cannot be changed', async () => {
      const fixed = await installTestHelper('mount -o remount,bind,ro /etc\n', `ip netns exec ${clientSpace}`)
      others.push(fixed)
      const { tunnel, details, notices } = await connect(false, { helper: fixed.helper })
      expect(details.dns).toMatchObject({ applied: false })
      expect(notices).toMatchObject([{ code: 'helper/dns-not-set' }])
      await tunnel.stop()
    })

    it('names one that is immutable', async () => {
      const file = path.join(plain.folder, 'etc/resolv.conf')
      await replaceResolvConf(plain.folder, network)
      await execa('chattr', ['+i', file])
      const { tunnel, details, notices } = await connect(false, { helper: plain.helper })
      await execa('chattr', ['-i', file])
      expect(details.dns).toMatchObject({ applied: false, problem: 'immutable' })
      expect(notices).toMatchObject([{ code: 'helper/dns-not-set', variant: 'immutable' }])
      await tunnel.stop()
      await expectUndone(network)
    })

    it('says so if another program keeps replacing it, and takes it back later', async () => {
      const { tunnel, notices } = await connect(false, { helper: plain.helper })
      let round = 1
      for (; notices.length === 0; round += 1) {
        await replaceResolvConf(plain.folder, `nameserver 198.51.100.${String(round)}\n`)
        await vi.waitUntil(
          async () => notices.length > 0 || (await text()).startsWith('# Written by Causeway'),
          { interval: 10 },
        )
      }
      expect(notices).toMatchObject([{ code: 'helper/dns-not-set' }])
      const theirs = `nameserver 198.51.100.${String(round - 1)}\n`
      await vi.waitUntil(async () => (await text()).startsWith('# Written by Causeway'), { interval: 10 })
      await tunnel.stop()
      await expectUndone(theirs)
    })
  })

  it('repairs at the next start what a kill of all processes left, and reports it', async () => {
    const { tunnel, details } = await connect()
    const { all } = await processesOf(details)
    for (const pid of all) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended with the previous one.
      }
    }
    await tunnel.ended
    const others = execa('sleep', ['60'], { argv0: `openvpn --dev ${details.device ?? ''} x`, reject: false })
    running.push(async () => {
      others.kill()
      await others
    })
    const next = await connect()
    expect(next.notices).toMatchObject([{ code: 'helper/repaired' }])
    expect(await readFile(`/proc/${String(others.pid)}/status`, 'utf8')).toMatch(/^State:\tS/m)
    await next.tunnel.stop()
    await nothingIsLeft(details, all)
  })

  describe.runIf(nft)('with the kill switch', () => {
    it('limits traffic to the tunnel, also when all processes are killed, until the user lifts it', async () => {
      const { privilege, tunnel, details, notices } = await connect(true)
      const reaches = async (address: string) =>
        (await inClient('ping', '-c', '1', '-W', '1', address)).exitCode === 0
      expect(await reaches('10.89.0.1')).toBe(true)
      expect(await reaches('192.168.78.1')).toBe(false)

      const { all } = await processesOf(details)
      killFirst(all)
      await tunnel.ended
      await nothingIsLeft(details, all)
      expect(await reaches('192.168.78.1')).toBe(false)
      await privilege.afterwards(false)
      expect(notices).toMatchObject([{ code: 'helper/traffic-blocked' }])

      // The kill switch itself does not prevent the next tunnel.
      const again = await connect(true)
      expect(await reaches('10.89.0.1')).toBe(true)
      expect(await reaches('192.168.78.1')).toBe(false)
      await again.tunnel.stop()
      expect(await reaches('192.168.78.1')).toBe(false)
      await again.privilege.afterwards(true)
      expect(await reaches('192.168.78.1')).toBe(true)
      expect(await again.privilege.release()).toBe('none')
    })

    it('applies to one user only, and can be lifted by an administrator', async () => {
      const user = 65_534
      const owned = await installTestHelper(
        `export SUDO_UID=\${AS-${user}} PKEXEC_UID=$POLKIT\nmount -t tmpfs devices /dev/net\nmknod -m 666 /dev/net/tun c 10 200\n${resolvectl}`,
        `ip netns exec ${clientSpace}`,
      )
      others.push(owned)
      const reaches = async (uid: number) => {
        const rights = ['setpriv', `--reuid=${uid}`, '--clear-groups', '--']
        return (await inClient(...rights, 'ping', '-c', '1', '-W', '1', '192.168.78.1')).exitCode === 0
      }
      const release = async (words: readonly string[], env: Record<string, string>) =>
        (await execa(owned.helper, ['release', ...words], { env, reject: false })).stderr
      const { tunnel, details } = await connect(true, { helper: owned.helper })
      expect([await reaches(user), await reaches(0), await reaches(20_123)]).toEqual([false, true, true])
      const { all, openVpn } = await processesOf(details)
      expect(await readFile(`/proc/${openVpn}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m)
      killFirst(all)
      await tunnel.ended
      expect([await reaches(user), await reaches(0)]).toEqual([false, true])

      expect(await release([], { AS: '0' })).toBe('causeway-helper: kill-switch none')
      expect(await release(['--all'], { AS: '', POLKIT: '1000' })).toBe(
        'causeway-helper: failed not-administrator',
      )
      expect(await reaches(user)).toBe(false)
      expect(await release(['--all'], { AS: '1000' })).toContain('causeway-helper: kill-switch released')
      expect(await reaches(user)).toBe(true)
    })

    it('resolves servers before it blocks traffic, and reuses their addresses later without a query', async () => {
      const names = await startNameServer()
      const named = await installTestHelper(resolvectl + asksNames, `ip netns exec ${clientSpace}`)
      others.push(named)
      const options = { helper: named.helper, remote: 'vpn.example.org' }
      const first = await connect(true, options)
      expect(first.details.remote.address).toBe('192.0.2.1')
      const asked = await names.asked(1)
      expect(asked.filter((name) => name !== 'vpn.example.org')).toEqual([])
      await first.tunnel.stop()

      const again = await connect(true, options)
      expect(again.details.remote.address).toBe('192.0.2.1')
      await again.tunnel.stop()
      expect(await names.asked(0)).toEqual(asked)
      await again.privilege.afterwards(true)
    })
  })
})

it('reports that the kill switch needs the helper, or is not offered, before starting anything', async () => {
  const { start } = launching({
    killSwitch: () => Promise.resolve(true),
    reporter: { notice: () => undefined },
    helper: '/no/such/helper',
  })
  await expect(
    start({
      configuration: { text: '', remotes: [] },
      mode: 'full',
      onEvent: () => undefined,
    }),
  ).rejects.toMatchObject({
    code: process.platform === 'win32' ? 'helper/kill-switch-not-offered' : 'helper/needed-for-kill-switch',
  })
})

function routesPastTunnel(length: number): string[] {
  return Array.from(
    { length },
    (_, index) => `route 10.${100 + Math.floor(index / 250)}.${index % 250}.0 255.255.255.0 net_gateway`,
  )
}

/** Starts OpenVPN like the app, through the helper of these options. */
function launching(
  options: PrivilegeOptions,
  trafficCheck?: TrafficCheckOptions,
): {
  readonly privilege: Privilege
  readonly start: StartTunnel
} {
  const privilege = createPrivilege(options)
  const routes = linuxRoutes(['ip', '-n', clientSpace])
  const { notice: onNotice } = options.reporter
  return { privilege, start: createStartTunnel({ privilege, routes, trafficCheck, onNotice }) }
}
