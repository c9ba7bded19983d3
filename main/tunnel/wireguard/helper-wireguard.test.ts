import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isNightly } from '../../../scripts/nightly-tests'
import { builtUserspaceWireGuard } from '../../../scripts/build-helper'
import {
  type TestHelper,
  asksResolved,
  installTestHelper,
  mayMakeNamespaces,
  replaceResolvConf,
} from '../../privilege/helper.testing'
import { serverProgram } from './server-program.testing'
import { createKey } from './key.testing'
import { rows, slow } from '../../../scripts/slow.testing'

const clientSpace = `causeway-wc-${process.pid}`
const serverSpace = `causeway-ws-${process.pid}`
const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` } }

/** The folder of programs with the race detector (scripts/nightly.ts). */
const race = process.env.CAUSEWAY_TEST_RACE
const userspaceProgram = race === undefined ? builtUserspaceWireGuard : path.join(race, 'causeway-wireguard')

const user = 65_534
/** The first mark and routing table of tunnels. */
const number = 0x3000
const server = '203.0.113.10'
const movedServer = '203.0.113.11'
/** The same server over IPv6. */
const server6 = '2001:db8:10::10'
/** Answer through the tunnel only. */
const inside = ['10.99.0.1', 'fd99::1'] as const
/** Answer in the clear, too, and have other routes there. */
const outside = ['198.51.100.7', '2001:db8:7::7'] as const

/** Runs one from a folder that only root can write, as the user, with a program that records calls of resolvectl. */
const asInstalled = `
mkdir -p $folder/layers
mount -t tmpfs layers $folder/layers
mkdir $folder/layers/upper $folder/layers/work
mount -t overlay overlay -o lowerdir=/usr/bin,upperdir=$folder/layers/upper,workdir=$folder/layers/work /usr/bin
printf '#!/bin/sh\necho "$*" >>%s/resolvectl.log\n' "$folder" >/usr/bin/resolvectl
chmod 755 /usr/bin/resolvectl
${asksResolved('$folder')}export SUDO_UID=\${AS-${user}}
touch $folder/hosts
mount --bind $folder/hosts /etc/hosts
mount -t tmpfs -o mode=755 libexec /mnt
cp $folder/libexec/* /mnt
exec /mnt/causeway-helper "$@"
`

async function ip(...words: string[]): Promise<string> {
  return (await execa('ip', words, sbin)).stdout
}

async function inSpace(space: string, ...words: string[]) {
  return execa('ip', ['netns', 'exec', space, ...words], { ...sbin, reject: false, timeout: 60_000 })
}

const inClient = (...words: string[]) => inSpace(clientSpace, ...words)

async function pings(address: string): Promise<boolean> {
  return !(await inClient('ping', '-n', '-c', '1', '-W', '1', address)).failed
}

/** The helper uses the kernel's WireGuard wherever there is one. */
const hasKernel = !(
  await execa('unshare', ['-n', 'ip', 'link', 'add', 'type', 'wireguard'], { ...sbin, reject: false })
).failed
const kind = hasKernel ? 'kernel' : 'userspace'

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)

/** Needs root, a tun device and nft. Uses private namespaces, with a strict reverse path filter. */
describe.runIf(may)('WireGuard through the helper', () => {
  const [serverKey, clientKey] = [createKey(), createKey()]
  let installed: TestHelper
  let killable: TestHelper
  let before: Record<string, string>
  let serverProcess: { stop: () => Promise<void>; set: (...lines: string[]) => Promise<void> }
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    for (const space of [clientSpace, serverSpace]) {
      await ip('netns', 'add', space)
      await ip('-n', space, 'link', 'set', 'lo', 'up')
    }
    await ip(...`-n ${clientSpace} link add wan type veth peer name net0 netns ${serverSpace}`.split(' '))
    for (const [space, link, number] of [
      [clientSpace, 'wan', 2],
      [serverSpace, 'net0', 1],
    ] as const) {
      await ip(...`-n ${space} address add 10.77.1.${number}/24 dev ${link}`.split(' '))
      await ip(...`-n ${space} address add fd77:1::${number}/64 dev ${link} nodad`.split(' '))
      // No address of its own, which would come up at any time.
      await ip(...`-n ${space} link set ${link} addrgenmode none up`.split(' '))
    }
    // Packets that wait for the address of a link leave later, past a firewall that is up by then.
    for (const [space, link, other, otherLink, number] of [
      [clientSpace, 'wan', serverSpace, 'net0', 1],
      [serverSpace, 'net0', clientSpace, 'wan', 2],
    ] as const) {
      const { stdout } = await inSpace(other, 'cat', `/sys/class/net/${otherLink}/address`)
      for (const neighbor of [`10.77.1.${number}`, `fd77:1::${number}`]) {
        const words = `neighbor add ${neighbor} lladdr ${stdout} dev ${link} nud permanent`
        await ip('-n', space, ...words.split(' '))
      }
    }
    for (const address of [server, server6, movedServer, ...inside, ...outside])
      await ip('-n', serverSpace, 'address', 'add', address, 'dev', 'lo')
    await ip(...`-n ${clientSpace} route add default via 10.77.1.1 metric 100`.split(' '))
    await ip(...`-n ${clientSpace} -6 route add default via fd77:1::1 metric 100`.split(' '))
    await inClient(
      'sh',
      '-c',
      'for c in all default wan; do echo 1 >/proc/sys/net/ipv4/conf/$c/rp_filter; done',
    )
    await nft(
      'table inet world',
      'chain inet world in { type filter hook input priority 0; }',
      `rule inet world in iifname net0 ip daddr ${inside[0]} drop`,
      `rule inet world in iifname net0 ip6 daddr ${inside[1]} drop`,
      'counter inet world clear',
      'rule inet world in iifname net0 udp dport 9 counter name clear',
      'chain inet world large { type filter hook input priority 1; }',
      'chain inet world broken { type filter hook input priority 2; }',
    )
    serverProcess = await startServer()
    installed = await install('linux')
    killable = await install('killpoints')
  })

  beforeEach(async () => {
    before = await snapshot()
  })

  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
    await inClient('nft', 'flush', 'ruleset')
  })

  afterAll(async () => {
    await serverProcess.stop()
    await ip('netns', 'delete', clientSpace)
    await ip('netns', 'delete', serverSpace)
    for (const each of [installed, killable]) await each.remove()
  })

  async function install(build: 'linux' | 'killpoints', prepare = asInstalled): Promise<TestHelper> {
    const helper = await installTestHelper(prepare, `ip netns exec ${clientSpace}`, build)
    await copyFile(userspaceProgram, path.join(helper.folder, 'libexec/causeway-wireguard'))
    if (race !== undefined && build === 'linux')
      await copyFile(path.join(race, 'causeway-helper'), path.join(helper.folder, 'libexec/causeway-helper'))
    return helper
  }

  /** Adds to the firewall of the server. */
  async function nft(...words: string[]): Promise<void> {
    for (const each of words) {
      const { stderr } = await inSpace(serverSpace, 'nft', `add ${each}`)
      expect(stderr).toBe('')
    }
  }

  async function startServer() {
    const child = execa(
      'ip',
      ['netns', 'exec', serverSpace, 'perl', '-e', serverProgram, builtUserspaceWireGuard, 'wgs'],
      { ...sbin, reject: false },
    )
    const answers = createInterface({ input: child.stdout })
    const set = async (...lines: string[]) => {
      child.stdin.write(`${['set=1', ...lines].join('\n')}\n\n`)
      expect(await once(answers, 'line')).toEqual(['errno=0'])
    }
    await set(
      `private_key=${serverKey.secret.toString('hex')}`,
      'listen_port=51820',
      `public_key=${clientKey.shared.toString('hex')}`,
      ...['10.88.0.2/32', 'fd88::2/128'].map((prefix) => `allowed_ip=${prefix}`),
    )
    await ip(...`-n ${serverSpace} address add 10.88.0.1/24 dev wgs`.split(' '))
    await ip(...`-n ${serverSpace} address add fd88::1/64 dev wgs nodad`.split(' '))
    await ip(...`-n ${serverSpace} link set wgs up`.split(' '))
    const stop = async () => {
      child.stdin.end()
      await child
    }
    return { stop, set }
  }

  /** Returns everything that a tunnel may leave behind. */
  async function snapshot(): Promise<Record<string, string>> {
    const lines = async (...words: string[]) => (await inClient(...words)).stdout
    const records = [installed, killable].map(async ({ folder }) => {
      const files = await readdir(path.join(folder, 'state'), { recursive: true })
      return files.filter((file) => !/^\d+(\/kill-switch)?$/.test(file)).join(' ')
    })
    return {
      devices: await lines('ip', '-o', 'link'),
      rules: `${await lines('ip', 'rule')}\n${await lines('ip', '-6', 'rule')}`,
      routes: `${await lines('ip', 'route', 'show', 'table', 'all')}\n${await lines('ip', '-6', 'route', 'show', 'table', 'all')}`,
      firewall: (await lines('nft', 'list', 'tables')).replaceAll(`table inet causeway_${user}`, '').trim(),
      setting: await lines('cat', '/proc/sys/net/ipv4/conf/all/src_valid_mark'),
      records: (await Promise.all(records)).join(''),
    }
  }

  async function expectNothingLeft(): Promise<void> {
    await vi.waitFor(
      async () => {
        expect(await snapshot()).toEqual(before)
      },
      { timeout: 20_000, interval: 50 },
    )
  }

  interface Options {
    readonly killSwitch?: boolean
    readonly allowed?: readonly string[]
    readonly endpoint?: string
    readonly more?: readonly string[]
    readonly helper?: TestHelper
  }

  /** Starts the helper, and gives access to its messages. */
  function start({
    killSwitch = false,
    allowed = ['0.0.0.0/0', '::/0'],
    endpoint = `${server} 51820`,
    more = [],
    helper = installed,
  }: Options = {}) {
    const child = execa(helper.helper, ['wireguard'], { ...sbin, reject: false })
    const messages: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      messages.push(line.replace('causeway-helper: ', ''))
    })
    child.stdin.on('error', () => undefined)
    child.stdin.write(
      [
        `kill-switch ${killSwitch ? 'on' : 'off'}`,
        'dns on',
        `private-key ${clientKey.secret.toString('base64')}`,
        `peer ${serverKey.shared.toString('base64')}`,
        'address 10.88.0.2/24',
        'address fd88::2/64',
        `endpoint ${endpoint}`,
        ...allowed.map((prefix) => `allowed ${prefix}`),
        ...more,
        '#END\n',
      ].join('\n'),
    )
    const stop = async () => {
      child.stdin.end()
      return (await child).exitCode
    }
    running.push(async () => {
      await stop()
      // The output is that of the program in user space.
      const { stdout, stderr } = await child
      expect(`${stdout}\n${stderr}`).not.toContain('DATA RACE')
    })
    const message = async (pattern: RegExp) => {
      const find = () => messages.find((each) => pattern.test(each))
      return vi.waitFor(
        () => find() ?? Promise.reject(new Error(`No ${String(pattern)}: ${messages.join('; ')}`)),
        { timeout: 20_000, interval: 10 },
      )
    }
    return {
      child,
      messages,
      said: message,
      stop,
      send: (line: string) => child.stdin.write(`${line}\n`),
      connected: async () => {
        await message(/^handshake \d+ /)
        const [, device = ''] = (await message(/^started /)).split(' ')
        return device
      },
    }
  }

  const deviceTo = async (address: string) =>
    / dev (\S+)/.exec((await inClient('ip', 'route', 'get', address)).stdout)?.[1]

  /** Returns the program in user space of a tunnel. */
  async function programOf(helper: TestHelper, device: string): Promise<number> {
    const text = await readFile(path.join(helper.folder, 'state', String(user), device), 'utf8')
    return Number(/^program (\d+) /m.exec(text)?.[1])
  }

  it('carries both families, and undoes everything', async () => {
    const tunnel = start()
    const device = await tunnel.connected()
    expect(tunnel.messages).toContain(`started ${device} ${kind}`)
    expect(tunnel.messages).toContain(`remote ${server} 51820`)
    for (const address of [...inside, ...outside]) expect(await pings(address)).toBe(true)
    expect(await ip('-n', clientSpace, 'route', 'get', outside[0])).toContain(device)
    // With a link-local address, the kernel would look for routers through the tunnel.
    expect(await ip('-n', clientSpace, '-6', 'address', 'show', device)).not.toContain('fe80:')
    tunnel.send('state')
    tunnel.send('test')
    await tunnel.said(/^test full$/)
    tunnel.send('mtu 1279')
    await tunnel.said(/^mtu failed$/)
    tunnel.send('mtu 1300')
    await tunnel.said(/^mtu 1300$/)
    expect(await ip('-n', clientSpace, 'link', 'show', device)).toContain('mtu 1300')
    // What fits the way to the server, not that through the tunnel itself.
    tunnel.send('mtu full')
    await tunnel.said(/^mtu 1420$/)
    expect(await tunnel.stop()).toBe(0)
    await expectNothingLeft()
  })

  it('proves itself with a shared key, too', async () => {
    const client = `public_key=${clientKey.shared.toString('hex')}`
    const sharedKey = Buffer.alloc(32, 9)
    await serverProcess.set(client, `preshared_key=${sharedKey.toString('hex')}`)
    try {
      const tunnel = start({ more: [`shared-key ${sharedKey.toString('base64')}`] })
      await tunnel.connected()
      expect(await pings(inside[0])).toBe(true)
      expect(await tunnel.stop()).toBe(0)
    } finally {
      await serverProcess.set(client, `preshared_key=${'00'.repeat(32)}`)
    }
  })

  it.skipIf(hasKernel)('runs the program in user space as the user, with one right', async () => {
    const tunnel = start()
    const device = await tunnel.connected()
    const status = await readFile(`/proc/${await programOf(installed, device)}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\s+${user}\\s+${user}\\s+${user}\\s`, 'm'))
    expect(status).toMatch(/^CapPrm:\s+0000000000001000$/m)
    expect(status).toMatch(/^CapBnd:\s+0000000000001000$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  })

  it.skipIf(hasKernel).each([
    ['no tun device', 'mount -t tmpfs none /dev/net', 'no-tun open-tun ENOENT'],
    ['no nft, also with the kill switch off', 'mount --bind /dev/null /usr/sbin/nft', 'nft-missing'],
  ])('says that there is %s', async (_what, without, reason) => {
    const bare = await install('linux', asInstalled.replace('\nexec /mnt', `\n${without}\nexec /mnt`))
    running.push(() => bare.remove())
    const tunnel = start({ helper: bare })
    await tunnel.said(new RegExp(`^failed ${reason}$`))
    expect(await tunnel.stop()).toBe(65)
    await expectNothingLeft()
  })

  it('sets name servers, with domains that complete short names', async () => {
    const tunnel = start()
    const device = await tunnel.connected()
    tunnel.send('dns 10.88.0.1 corp.example')
    await tunnel.said(/^dns applied resolvectl$/)
    tunnel.send('dns 10.88.0.1 .,corp.example')
    await tunnel.stop()
    const calls = await readFile(path.join(installed.folder, 'resolvectl.log'), 'utf8')
    const unencrypted = [`dnsovertls ${device} no`, `dnssec ${device} no`]
    expect(calls.split('\n').filter((call) => call.includes(device))).toEqual([
      ...unencrypted,
      `dns ${device} 10.88.0.1`,
      `domain ${device} corp.example`,
      `default-route ${device} false`,
      ...unencrypted,
      `dns ${device} 10.88.0.1`,
      `domain ${device} ~. corp.example`,
      `default-route ${device} true`,
      `revert ${device}`,
      `revert ${device}`,
    ])
    await expectNothingLeft()
  })

  it.each(
    rows(
      hasKernel
        ? ([undefined, 'helper', 'all'] as const)
        : ([undefined, 'helper', 'program', 'all'] as const),
      2,
    ),
  )(
    'names the servers in resolv.conf where nothing else does, and puts it back after a kill of: %s',
    async (victim) => {
      // A resolvectl that nobody asks.
      const plain = await install('linux', asInstalled.replace(asksResolved('$folder'), ''))
      running.push(() => plain.remove())
      const network = 'nameserver 192.0.2.1\n'
      await replaceResolvConf(plain.folder, network)
      const text = () => readFile(path.join(plain.folder, 'etc/resolv.conf'), 'utf8')
      const tunnel = start({ helper: plain })
      const device = await tunnel.connected()
      tunnel.send('dns 10.88.0.1 .,corp.example')
      await tunnel.said(/^dns applied resolv\.conf$/)
      expect(await text()).toMatch(/^#.*\nsearch corp\.example\nnameserver 10\.88\.0\.1\n$/)
      tunnel.send('dns 10.88.0.1 corp.example')
      await tunnel.said(/^dns applied resolv\.conf all$/)
      if (victim === undefined) await tunnel.stop()
      else await kill(tunnel, device, victim, plain)
      if (victim === 'all') {
        const { stderr } = await execa(plain.helper, ['release'], sbin)
        expect(stderr).toContain(`repaired ${device}`)
      }
      await vi.waitFor(
        async () => {
          expect(await text()).toBe(network)
        },
        { timeout: 20_000, interval: 50 },
      )
      await expectNothingLeft()
    },
  )

  describe('of everything, in a network that lies', () => {
    const inWan = (command: 'add' | 'del', ...addresses: string[]) =>
      Promise.all(
        addresses.map((address) => ip('-n', clientSpace, 'address', command, address, 'dev', 'wan', 'nodad')),
      )
    /** Expects these addresses to be reached through the device, also soon if the networks have just changed. */
    const expectWays = async (device: string, addresses: readonly string[]) =>
      vi.waitFor(async () => {
        for (const address of addresses) expect([address, await deviceTo(address)]).toEqual([address, device])
      })

    it('keeps all but small private networks inside, whatever leases and routes come', async () => {
      const large = ['198.51.0.2/16', '10.0.0.2/8', '203.0.114.2/24', '2001:db8:7::2/64']
      await inWan('add', ...large)
      const tunnel = start()
      const device = await tunnel.connected()
      const elsewhere = [...outside, '10.200.0.1', '203.0.114.9', '8.8.8.8', '2001:db8:9::9']
      await expectWays(device, elsewhere)
      await expectWays('wan', ['10.77.1.1', '10.77.1.7', 'fd77:1::7'])
      const routes = ['0.0.0.0/1', '128.0.0.0/1', '198.51.100.7/32', '2000::/3', '2001:db8:7::7/128']
      const gateway = (route: string) => (route.includes(':') ? 'fd77:1::1' : '10.77.1.1')
      for (const route of routes)
        await ip('-n', clientSpace, 'route', 'add', route, 'via', gateway(route), 'dev', 'wan')
      await expectWays(device, elsewhere)
      for (const address of [...inside, ...outside]) expect(await pings(address)).toBe(true)
      for (const route of routes) await ip('-n', clientSpace, 'route', 'delete', route)
      await inWan('del', ...large)
      await tunnel.stop()
      await expectNothingLeft()
    })

    it('has the hosts inside that the profile names, also if a lease has their addresses', async () => {
      const tunnel = start({ allowed: ['0.0.0.0/0', '::/0', '10.99.0.0/24', 'fd99::/64'] })
      const device = await tunnel.connected()
      await inWan('add', '10.99.0.2/25', '10.99.0.3/16', '10.88.0.9/24', 'fd99::2/64')
      tunnel.send('dns 10.77.1.53')
      await tunnel.said(/^dns /)
      await expectWays('wan', ['10.99.1.1', '10.77.1.7'])
      await expectWays(device, [...inside, '10.88.0.1', '10.77.1.53'])
      await inWan('del', '10.99.0.2/25', '10.99.0.3/16', '10.88.0.9/24', 'fd99::2/64')
      await tunnel.stop()
      await expectNothingLeft()
    })

    it('follows the networks that the computer moves to', async () => {
      const tunnel = start()
      const device = await tunnel.connected()
      await inWan('add', '192.168.5.2/24', 'fd77:5::2/64')
      await expectWays('wan', ['192.168.5.7', 'fd77:5::7'])
      await inWan('del', '192.168.5.2/24', 'fd77:5::2/64')
      await expectWays(device, ['192.168.5.7', 'fd77:5::7'])
      await ip('-n', clientSpace, 'link', 'add', 'bridge', 'type', 'bridge')
      await ip('-n', clientSpace, 'address', 'add', '172.17.0.1/16', 'dev', 'bridge')
      await ip('-n', clientSpace, 'link', 'set', 'bridge', 'up')
      await expectWays('bridge', ['172.17.0.2'])
      await ip('-n', clientSpace, 'link', 'delete', 'bridge')
      await expectWays(device, ['172.17.0.2'])
      await tunnel.stop()
      await expectNothingLeft()
    })

    it('takes the local networks, too, if they are to be blocked', async () => {
      const tunnel = start({ more: ['local-network block'] })
      const device = await tunnel.connected()
      await inWan('add', '192.168.5.2/24')
      await expectWays(device, ['10.77.1.7', 'fd77:1::7', '192.168.5.7', ...inside])
      // With a strict reverse path filter, the computer answers its gateway only if it would send there.
      await inSpace(serverSpace, 'ip', 'neighbor', 'flush', 'dev', 'net0')
      for (const address of inside) expect(await pings(address)).toBe(true)
      // A DHCP client asks its server for the same lease again.
      const asks = 'ip route get 10.77.1.1 ipproto udp sport 68 dport 67'.split(' ')
      expect((await inClient(...asks)).stdout).toContain('dev wan')
      await inWan('del', '192.168.5.2/24')
      await tunnel.stop()
      await expectNothingLeft()
    })
  })

  it('guards its address again after a firewall has loaded its rules anew', async () => {
    const tunnel = start()
    const rules = `nft list table inet causeway_${await tunnel.connected()}`.split(' ')
    const before = (await inClient(...rules)).stdout
    expect(before).toContain('ip daddr 10.88.0.2 fib saddr type != local drop')
    await inClient('nft', 'flush', 'ruleset')
    await vi.waitFor(
      async () => {
        expect((await inClient(...rules)).stdout).toBe(before)
      },
      { timeout: 10_000 },
    )
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('tells a gateway its link address, also one that came after its network', async () => {
    const neighbor = '10.77.1.2 dev net0'
    const inServer = (words: string) => inSpace(serverSpace, ...words.split(' '))
    const linkOf = async (space: string, device: string) =>
      (await inSpace(space, 'cat', `/sys/class/net/${device}/address`)).stdout
    const [own, gateway] = [await linkOf(clientSpace, 'wan'), await linkOf(serverSpace, 'net0')]
    const tunnel = start({ more: ['local-network block'] })
    await tunnel.connected()
    await inServer('ip address add 10.77.1.8/24 dev net0')
    // Or the gateway would learn it from the computer's own question.
    await inClient(...`ip neighbor add 10.77.1.8 lladdr ${gateway} dev wan nud permanent`.split(' '))
    await inClient(...'ip route add default via 10.77.1.8 dev wan metric 50'.split(' '))
    await vi.waitFor(
      async () => {
        await inServer(`ip neighbor delete ${neighbor}`)
        await inServer('ping -n -c 1 -W 1 -I 10.77.1.8 10.77.1.2')
        expect((await inServer(`ip neighbor show ${neighbor}`)).stdout).toContain(own)
      },
      { timeout: 10_000 },
    )
    await inClient(...'ip route delete default via 10.77.1.8 dev wan metric 50'.split(' '))
    await inClient(...'ip neighbor delete 10.77.1.8 dev wan'.split(' '))
    await inServer('ip address delete 10.77.1.8/24 dev net0')
    await inServer(`ip neighbor replace ${neighbor} lladdr ${own} nud permanent`)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('routes only the networks of a split tunnel, and keeps existing routes', async () => {
    await ip(...`-n ${clientSpace} route add 198.51.100.0/24 via 10.77.1.1`.split(' '))
    before = await snapshot()
    const tunnel = start({ allowed: ['10.99.0.0/16', 'fd99::/64', '198.51.100.0/24'] })
    const device = await tunnel.connected()
    await tunnel.said(/^route-kept 198\.51\.100\.0\/24$/)
    for (const address of inside) expect(await pings(address)).toBe(true)
    const routes = await ip('-n', clientSpace, 'route')
    expect(routes).toContain(`10.99.0.0/16 dev ${device}`)
    expect(routes).toContain('198.51.100.0/24 via 10.77.1.1')
    expect(await ip('-n', clientSpace, 'rule')).not.toContain(String(number))
    await tunnel.stop()
    await expectNothingLeft()
    await ip(...`-n ${clientSpace} route delete 198.51.100.0/24`.split(' '))
  })

  it('takes no route of its own device for one that the computer keeps', async () => {
    await ip(...`-n ${clientSpace} route add 198.51.100.0/24 via 10.77.1.1`.split(' '))
    before = await snapshot()
    const tunnel = start({ allowed: ['198.51.100.0/24', '10.88.0.0/24', 'fd88::/64', '10.99.0.0/16'] })
    const device = await tunnel.connected()
    expect(await deviceTo('10.88.0.1')).toBe(device)
    expect(tunnel.messages.filter((each) => each.startsWith('route-kept'))).toEqual([
      'route-kept 198.51.100.0/24',
    ])
    expect(await tunnel.stop()).toBe(0)
    await expectNothingLeft()
    await ip(...`-n ${clientSpace} route delete 198.51.100.0/24`.split(' '))

    // A home network that is the VPN's.
    await ip(...`-n ${clientSpace} address add 10.88.0.9/24 dev wan`.split(' '))
    before = await snapshot()
    const atHome = start({ allowed: ['10.88.0.0/24', '10.99.0.0/16'] })
    await atHome.connected()
    expect(await deviceTo('10.88.0.1')).toBe('wan')
    expect(atHome.messages).toContain('route-kept 10.88.0.0/24')
    expect(await atHome.stop()).toBe(0)
    await expectNothingLeft()
    await ip(...`-n ${clientSpace} address delete 10.88.0.9/24 dev wan`.split(' '))
  })

  it('keeps its own packets out of a routed network that holds the server', async () => {
    const tunnel = start({ allowed: ['203.0.113.0/24', '10.99.0.0/16'] })
    await tunnel.connected()
    expect(await pings(inside[0])).toBe(true)
    expect(await pings(movedServer)).toBe(true)
    await tunnel.stop()
    await expectNothingLeft()
  })

  slow('carries 2,000 networks', async () => {
    const allowed = Array.from({ length: 2000 }, (_, index) => `10.${100 + (index >> 8)}.${index & 255}.0/24`)
    const tunnel = start({ allowed: [...allowed, '10.99.0.0/16'] })
    const device = await tunnel.connected()
    const routes = await ip('-n', clientSpace, 'route', 'show', 'dev', device)
    expect(routes.split('\n')).toHaveLength(2002)
    expect(await pings(inside[0])).toBe(true)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('works while IPv6 is off, and lets no other traffic out in the clear', async () => {
    const set = (value: 0 | 1) =>
      inClient('sh', '-c', `echo ${value} >/proc/sys/net/ipv6/conf/default/disable_ipv6`)
    await set(1)
    const tunnel = start()
    await tunnel.connected()
    expect(tunnel.messages).toContain('ipv6 off')
    expect(await pings(inside[0])).toBe(true)
    expect(await pings(outside[1])).toBe(false)
    await tunnel.stop()
    await set(0)
    await expectNothingLeft()
  })

  it.each(rows(hasKernel ? (['helper'] as const) : (['helper', 'program', 'both'] as const), 1))(
    'leaves nothing when somebody kills %s',
    async (victim) => {
      const tunnel = start()
      const device = await tunnel.connected()
      const helper = Number(device.replace(/\D/g, ''))
      const program = hasKernel ? 0 : await programOf(installed, device)
      const victims = { helper: [helper], program: [program], both: [helper, program] }[victim]
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      await tunnel.child
      if (victim === 'program') {
        expect(tunnel.messages).toContain('killed 9')
        expect(tunnel.child.exitCode).toBe(70)
      }
      await expectNothingLeft()
    },
  )

  /** Sends to the outside in both families as the user, as fast as a shell can; the packets in the clear are counted. */
  function sendOutside() {
    const loop = `while :; do ${outside.map((to) => `echo x >/dev/udp/${to}/9`).join('; ')}; done`
    const words = ['netns', 'exec', clientSpace, 'setpriv', `--reuid=${user}`, '--clear-groups']
    const sender = execa('ip', [...words, 'bash', '-c', loop], { ...sbin, reject: false, stderr: 'ignore' })
    running.push(async () => {
      sender.kill()
      await sender
    })
  }

  async function sentInTheClear(): Promise<number> {
    const { stdout } = await inSpace(serverSpace, 'nft', 'list', 'counter', 'inet', 'world', 'clear')
    return Number(/packets (\d+)/.exec(stdout)?.[1])
  }

  const victims = hasKernel
    ? (['app', 'helper', 'watcher', 'all'] as const)
    : (['app', 'helper', 'watcher', 'program', 'both', 'all'] as const)

  /** Kills processes of a tunnel: `all` are the helper, its watcher, and the program in user space. */
  async function kill(
    tunnel: ReturnType<typeof start>,
    device: string,
    victim: (typeof victims)[number],
    by = installed,
  ) {
    const helper = Number(device.replace(/\D/g, ''))
    const program = hasKernel ? [] : [await programOf(by, device)]
    const { stdout: watcher } = await execa('pgrep', ['-f', `^causeway-helper watch ${device}$`])
    const all = [Number(watcher), helper, ...program]
    const ids = {
      app: [],
      helper: [helper],
      watcher: [Number(watcher)],
      program,
      both: [helper, ...program],
      all,
    }[victim]
    // The end of the helper ends its program, which may have gone by then.
    if (ids.length > 0) await execa('kill', ['-KILL', ...ids.map(String)], { reject: false })
    // The end of the app is the end of the helper's input.
    if (victim === 'app') tunnel.child.stdin.end()
    await tunnel.child
  }

  it.each(rows(victims, 2))(
    'lets nothing out in the clear with the kill switch when somebody kills %s',
    async (victim) => {
      const tunnel = start({ killSwitch: true })
      await tunnel.said(/^kill-switch on$/)
      await inSpace(serverSpace, 'nft', 'reset', 'counter', 'inet', 'world', 'clear')
      sendOutside()
      await kill(tunnel, await tunnel.connected(), victim)
      if (victim !== 'all') await expectNothingLeft()
      expect(await sentInTheClear()).toBe(0)
      await execa(installed.helper, ['release'], sbin)
      await vi.waitFor(async () => {
        expect(await sentInTheClear()).toBeGreaterThan(10)
      })
      await expectNothingLeft()
    },
  )

  it('repairs at the next start what a kill of all processes left', async () => {
    const tunnel = start()
    const device = await tunnel.connected()
    const watcher = (await execa('pgrep', ['-f', `^causeway-helper watch ${device}$`])).stdout
    const program = hasKernel ? [] : [await programOf(installed, device)]
    for (const pid of [Number(watcher), Number(device.replace(/\D/g, '')), ...program]) {
      expect(pid).toBeGreaterThan(1)
      process.kill(pid, 'SIGKILL')
    }
    await tunnel.child
    // The kernel's device is still up. Without one, the tunnel's table keeps its traffic from leaving in the clear.
    expect(await pings(outside[0])).toBe(hasKernel)
    const { stderr } = await execa(installed.helper, ['release'], sbin)
    expect(stderr).toContain(`repaired ${device}`)
    await expectNothingLeft()
  })

  const deletions = [
    ['device', ['link', 'delete', 'DEVICE']],
    ['device', ['link', 'set', 'DEVICE', 'down']],
    ['rule', ['rule', 'delete', 'table', String(number)]],
    ['rule', ['rule', 'flush']],
    ['route', ['route', 'flush', 'table', String(number)]],
    ['address', ['address', 'delete', '10.88.0.2/24', 'dev', 'DEVICE']],
  ] as const

  const deletePart = (device: string, words: readonly string[]) =>
    ip('-n', clientSpace, ...words.map((word) => (word === 'DEVICE' ? device : word))).catch(
      (error: unknown) => {
        // Once the first of several routes is gone, the helper deletes the others, which `ip` then doesn't find.
        if (words[1] !== 'flush' || !String(error).includes('No such process')) throw error
      },
    )

  const withAndWithout = deletions.flatMap(([part, words]) =>
    [false, true].map((killSwitch) => [part, words, killSwitch] as const),
  )
  it.each(rows(withAndWithout, 2))(
    'ends when somebody deletes its %s (ip %s; kill switch: %s)',
    async (part, words, killSwitch) => {
      const tunnel = start({ killSwitch })
      const device = await tunnel.connected()
      await inSpace(serverSpace, 'nft', 'reset', 'counter', 'inet', 'world', 'clear')
      sendOutside()
      await deletePart(device, words)
      await tunnel.said(new RegExp(`^gone ${part}$`))
      await tunnel.child
      expect(tunnel.child.exitCode).toBe(71)
      // `ip rule flush` also deletes the kernel's own, without which nothing is routed.
      if (words[1] === 'flush' && part === 'rule')
        for (const [table, priority] of Object.entries({ main: 32_766, default: 32_767 }))
          await ip(...`-n ${clientSpace} rule add table ${table} priority ${priority}`.split(' '))
      await expectNothingLeft()
      if (killSwitch) expect(await sentInTheClear()).toBe(0)
      await execa(installed.helper, ['release'], sbin)
      await vi.waitFor(async () => {
        expect(await sentInTheClear()).toBeGreaterThan(10)
      })
    },
  )

  type Die = (tunnel: ReturnType<typeof start>, device: string) => Promise<unknown>
  const deaths: [string, Die][] = [
    ...victims.map((victim): [string, Die] => [
      `kills ${victim}`,
      (tunnel, device) => kill(tunnel, device, victim),
    ]),
    ...deletions
      .filter(([part]) => part === 'device' || part === 'address')
      .map(([, words]): [string, Die] => [words.join(' '), (_, device) => deletePart(device, words)]),
  ]
  it.each(rows(deaths, 1))(
    'lets nothing out in the clear without one either, until its rules are gone, when somebody %s',
    async (name, die) => {
      const tunnel = start()
      const device = await tunnel.connected()
      await inSpace(serverSpace, 'nft', 'reset', 'counter', 'inet', 'world', 'clear')
      sendOutside()
      const died = die(tunnel, device)
      let [isRuled, checks] = [true, 0]
      // After all were killed, nobody takes the rules away.
      while (isRuled && !(name === 'kills all' && checks === 10)) {
        const sent = await sentInTheClear()
        const rules = await Promise.all(['-4', '-6'].map((family) => ip('-n', clientSpace, family, 'rule')))
        isRuled = rules.every((each) => each.includes(`lookup ${number}`))
        if (isRuled) expect(sent).toBe(0)
        checks += 1
      }
      await died
      await tunnel.child
      expect(isRuled).toBe(name === 'kills all')
      await execa(installed.helper, ['release'], sbin)
      await expectNothingLeft()
    },
  )

  it('blocks everything else with the kill switch, also after it was killed', async () => {
    const asUser = async (...words: string[]) =>
      !(await inClient('setpriv', `--reuid=${user}`, '--clear-groups', 'bash', '-c', ...words)).failed
    const sends = (address: string, port: number) => asUser(`echo x >/dev/udp/${address}/${port}`)
    const tunnel = start({ killSwitch: true })
    const device = await tunnel.connected()
    expect(tunnel.messages.indexOf('kill-switch on')).toBeLessThan(
      tunnel.messages.indexOf(`started ${device} ${kind}`),
    )
    expect(await pings(inside[0])).toBe(true)
    expect(await sends(outside[0], 9)).toBe(true)
    process.kill(Number(device.replace(/\D/g, '')), 'SIGKILL')
    await tunnel.child
    await expectNothingLeft()
    expect(await sends(outside[0], 9)).toBe(false)
    // The hole is only for packets with the tunnel's mark, which the user can't set.
    expect(await sends(server, 51820)).toBe(false)
    const again = start({ killSwitch: true })
    await again.connected()
    again.send('release')
    await again.said(/^kill-switch released$/)
    await again.stop()
    expect(await sends(outside[0], 9)).toBe(true)
    await expectNothingLeft()
  })

  it('follows the name of the server', async () => {
    const hosts = path.join(installed.folder, 'hosts')
    await writeFile(hosts, `127.0.0.1 vpn.example.org\n${server} vpn.example.org\n`)
    const tunnel = start({ killSwitch: true, endpoint: 'vpn.example.org 51820' })
    await tunnel.connected()
    tunnel.send('resolve')
    await tunnel.said(/^resolve same$/)
    await writeFile(hosts, `${movedServer} vpn.example.org\n`)
    tunnel.send('resolve')
    await tunnel.said(/^resolve changed$/)
    expect(tunnel.messages).toContain(`remote ${movedServer} 51820`)
    const { stdout } = await inClient('nft', 'list', 'table', 'inet', `causeway_${user}`)
    expect(stdout).toContain(`${movedServer} udp dport 51820`)
    expect(stdout).not.toContain(`${server} udp`)
    expect(await pings(inside[0])).toBe(true)
    tunnel.send('release')
    await tunnel.said(/^kill-switch released$/)
    await tunnel.stop()
    await writeFile(hosts, '127.0.0.1 vpn.example.org\n')
    const refused = start({ endpoint: 'vpn.example.org 51820' })
    expect(await refused.said(/^failed /)).toBe('failed endpoint')
    expect(await refused.stop()).toBe(65)
    await expectNothingLeft()
  })

  it('ends while it looks the server up again on a network with silent DNS', async () => {
    // It answers once.
    const resolver = `cat >/usr/bin/getent <<END
#!/bin/sh
mkdir $folder/asked/first 2>/dev/null && exec echo ${server} STREAM
mkdir $folder/asked/again
exec sleep 600
END
mkdir -m 777 $folder/asked`
    const silent = await install('linux', asInstalled.replace('\nexec /mnt', `\n${resolver}\nexec /mnt`))
    running.push(() => silent.remove())
    const tunnel = start({ killSwitch: true, endpoint: 'vpn.example.org 51820', helper: silent })
    await tunnel.connected()
    // As Causeway does to recover.
    tunnel.send('resolve')
    tunnel.send('test')
    await vi.waitUntil(() => existsSync(path.join(silent.folder, 'asked/again')))
    expect(await tunnel.stop()).toBe(0)
    // Else it would wait for 10 s, and take the last address.
    expect(tunnel.messages).toContain('resolve failed')
    await execa(silent.helper, ['release'], sbin)
    await expectNothingLeft()
  })

  it('tries the next address while one does not answer, and moves on when it is told to', async () => {
    const hosts = path.join(installed.folder, 'hosts')
    const name = 'dual.example.org'
    await writeFile(hosts, [server6, server].map((address) => `${address} ${name}\n`).join(''))
    await nft(`rule inet world broken ip6 daddr ${server6} drop`)
    // The resolver itself puts IPv4 first here, because this computer has no public IPv6 address.
    const tunnel = start({ killSwitch: true, endpoint: `${name} 51820`, more: [`prefer ${server6}`] })
    await tunnel.connected()
    const remotes = () => tunnel.messages.filter((each) => each.startsWith('remote '))
    expect(remotes()).toEqual([`remote ${server6} 51820`, `remote ${server} 51820`])
    expect(await pings(inside[0])).toBe(true)
    tunnel.send('resolve')
    await tunnel.said(/^resolve same$/)
    await inSpace(serverSpace, 'nft', 'flush chain inet world broken')
    tunnel.send('next')
    await tunnel.said(/^next changed$/)
    expect(remotes().at(-1)).toBe(`remote ${server6} 51820`)
    await vi.waitFor(async () => {
      expect(await pings(inside[0])).toBe(true)
    })
    tunnel.send('release')
    await tunnel.said(/^kill-switch released$/)
    await tunnel.stop()
    await writeFile(hosts, '127.0.0.1 vpn.example.org\n')
  })

  it.each([
    ['unreachable', ['-4', '-6']],
    ['no-ipv4', ['-4']],
  ])('says at once that the network has no way to the server: %s', async (reason, families) => {
    const change = async (word: string) => {
      for (const family of families) {
        const gateway = family === '-4' ? '10.77.1.1' : 'fd77:1::1'
        await ip('-n', clientSpace, family, ...`route ${word} default via ${gateway} metric 100`.split(' '))
      }
    }
    await change('delete')
    const tunnel = start()
    expect(await tunnel.stop()).toBe(65)
    expect(tunnel.messages).toContain(`failed ${reason}`)
    await change('add')
    await expectNothingLeft()
  })

  it.each(rows([false, true], 1))(
    'lets one socket of the user alone reach the ProxyGuard server past the tunnel (kill switch: %s)',
    async (killSwitch) => {
      const name = 'proxy.example.org'
      const hosts = path.join(installed.folder, 'hosts')
      // A hostile network has added an address of its choice.
      await writeFile(hosts, `${server} ${name}\n${outside[0]} ${name}\n`)
      const tunnel = start({
        killSwitch,
        endpoint: '127.0.0.1 51999',
        more: ['listen-port 51998', `proxy ${name} 443 61234`, `prefer ${server}`],
      })
      const device = (await tunnel.said(/^started /)).split(' ')[1] ?? ''
      expect(tunnel.messages).toContain(`remote ${outside[0]} 443`)
      const leavesBy = async (to: string, ...words: string[]) => {
        const route = await ip('-n', clientSpace, 'route', 'get', to, ...words)
        return / dev (\S+)/.exec(route)?.[1]
      }
      const from = (port: number, uid = user) =>
        ['ipproto', 'tcp', 'dport', '443', 'sport', String(port), 'uid', String(uid)] as const
      const connects = async (to: string, port: number) => {
        const dial = `exit(IO::Socket::INET->new(PeerAddr => '${to}', PeerPort => 443, LocalPort => ${port}, Timeout => 1)
          ? 0 : 0 + $!)`
        const { exitCode } = await inClient(
          ...['setpriv', `--reuid=${user}`, '--clear-groups', 'perl', '-MIO::Socket::INET', '-e', dial],
        )
        return exitCode
      }
      // Nobody listens, and the refusal has passed the reverse path filter.
      const refused = 111
      expect(await leavesBy(server, ...from(61_234))).toBe('wan')
      expect(await connects(server, 61_234)).toBe(refused)
      for (const [to, ...words] of [
        [server, ...from(61_235)],
        [server, ...from(61_234, 1001)],
        [server, 'ipproto', 'udp', 'dport', '443', 'sport', '61234', 'uid', String(user)],
        [outside[0], ...from(61_234)],
      ] as const)
        expect(await leavesBy(to, ...words)).toBe(device)
      expect(await connects(server, 61_235)).not.toBe(refused)

      // Now the other one, from another port, and the first one no longer.
      tunnel.send(`dial ${outside[0]} 61240`)
      await tunnel.said(/^dial permitted$/)
      expect(await connects(outside[0], 61_240)).toBe(refused)
      expect(await leavesBy(server, ...from(61_234))).toBe(device)
      expect(await connects(server, 61_234)).not.toBe(refused)
      for (const dial of ['198.51.100.8 61240', `${server} any`, `${server} 0`, server, '']) {
        const before = tunnel.messages.length
        tunnel.send(`dial ${dial}`)
        await vi.waitFor(() => {
          expect(tunnel.messages.slice(before)).toEqual(['dial refused'])
        })
      }
      tunnel.send('release')
      await tunnel.said(/^kill-switch (released|none)$/)
      await tunnel.stop()
      await writeFile(hosts, '127.0.0.1 vpn.example.org\n')
      await expectNothingLeft()
    },
  )

  it('lets a proxy of this computer reach the one address that is dialled', async () => {
    const tunnel = start({
      endpoint: '127.0.0.1 51999',
      more: ['listen-port 51998', `proxy ${server} 443 any`],
    })
    const device = (await tunnel.said(/^started /)).split(' ')[1] ?? ''
    const get = (...words: string[]) => ip('-n', clientSpace, 'route', 'get', ...words)
    expect(await get(server, 'ipproto', 'tcp', 'dport', '443')).toContain('dev wan')
    expect(await get(movedServer, 'ipproto', 'tcp', 'dport', '443')).toContain(`dev ${device}`)
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('counts what programs hand to it, also if the system refuses each packet', async () => {
    const tunnel = start()
    await tunnel.connected()
    const counters = async () => {
      tunnel.messages.length = 0
      tunnel.send('state')
      const [, , , sent, , , handed, lost, way] = (await tunnel.said(/^handshake /)).split(' ')
      // The kernel's device counts those that it could not send.
      return { sent: Number(sent), handed: Number(handed === '-' ? 0 : handed) + Number(lost), way }
    }
    // The keepalive that ends the handshake has been sent, too, once there is an answer.
    expect(await pings(inside[0])).toBe(true)
    const before = await counters()
    expect(before.way).toBeUndefined()
    const refuse =
      'table inet others { chain out { type filter hook output priority 0; udp dport 51820 drop; }; }'
    await inClient('nft', refuse)
    expect(await pings(inside[0])).toBe(false)
    const refused = await counters()
    expect(refused.handed).toBeGreaterThan(before.handed)
    if (!hasKernel) expect(refused.sent).toBe(before.sent)
    await inClient('nft', 'delete table inet others')
    expect(await pings(inside[0])).toBe(true)
    await ip('-n', clientSpace, 'route', 'add', 'unreachable', server)
    const cutOff = await counters()
    await ip('-n', clientSpace, 'route', 'delete', 'unreachable', server)
    expect(cutOff.way).toBe('no-way')
    expect((await counters()).way).toBeUndefined()
    await tunnel.stop()
  })

  slow('says that only small packets pass', async () => {
    const tunnel = start()
    await tunnel.connected()
    await nft('rule inet world large iifname net0 meta length > 1300 drop')
    tunnel.send('test')
    await tunnel.said(/^test small$/)
    tunnel.send('mtu 1280')
    tunnel.send('test')
    await inSpace(serverSpace, 'nft', 'flush chain inet world large')
    await tunnel.said(/^test full$/)
    await tunnel.stop()
  })

  const steps = [
    ...[
      'number',
      'number-reserved',
      'setting',
      'firewall',
      'firewall-up',
      ...(hasKernel ? ['device', 'device-made'] : ['program']),
      'configured',
      'address',
    ],
    ...['up', 'table', 'routed', 'rule', 'ruled', 'kill-switch-noted', 'kill-switch-up', 'ended'],
    ...['undo-device', 'undo-program', 'undo-routes', 'undo-rules', 'undo-table', 'undo-firewall'],
    'undo-journal',
  ]
  it.each(isNightly ? steps : ['rule', 'undo-rules'])(
    'leaves nothing when it is killed at the step %s',
    async (stepName) => {
      const state = path.join(killable.folder, 'state')
      await writeFile(path.join(state, 'kill-at'), stepName)
      const tunnel = start({ helper: killable, killSwitch: stepName.startsWith('kill-switch') })
      if (/^(ended|undo-)/.test(stepName)) await tunnel.connected()
      await tunnel.stop()
      await expectNothingLeft()
      expect(existsSync(path.join(state, 'kill-at'))).toBe(false)
    },
  )
})
