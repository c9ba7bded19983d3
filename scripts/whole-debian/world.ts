import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { MockClient } from '../../mock-server/client'
import { sbin } from '../program'
import { type Card, cards } from './machine'

const tree = join(import.meta.dirname, '..', '..')

/** A host of the internet, which answers with the address that it sees. */
export const internet = { ipv4: '203.0.113.1', ipv6: '2001:db8:ff::1', port: 8000 } as const
/** Hosts like it: listed apps ask one of them, other apps the other one, and nobody else asks either. */
export const askedBy = {
  listed: {
    ipv4: '203.0.113.2',
    ipv6: '2001:db8:ff::2',
    bytes: { ipv4: 'cb007102', ipv6: '20010db800ff00000000000000000002' },
  },
  other: {
    ipv4: '203.0.113.3',
    ipv6: '2001:db8:ff::3',
    bytes: { ipv4: 'cb007103', ipv6: '20010db800ff00000000000000000003' },
  },
} as const
/** The bytes of its addresses, as a capture has them. */
export const internetBytes = ['cb007101', '20010db800ff00000000000000000001'] as const
/** The portal, and the server of OpenVPN. */
export const portal = { address: '203.0.113.5', name: 'vpn.example.org' } as const

/** The network at the other end of each cable: the router's address, which is also that of its DNS server. */
export const networks = {
  cable0: { router: '192.168.50.1', router6: '2001:db8:50::1', net: '192.168.50.', net6: '2001:db8:50:' },
  cable1: { router: '192.168.60.1', router6: '2001:db8:60::1', net: '192.168.60.', net6: '2001:db8:60:' },
} as const satisfies Record<Card, object>

/** What is around the machine: two networks with a router, DHCP and DNS, the internet behind them, and the mock server in it. */
export interface World {
  readonly inside: readonly [string, ...string[]]
  /** Returns how many packets to the host of these apps have come out of a tunnel. */
  insideTo(apps: keyof typeof askedBy, family: 'ipv4' | 'ipv6'): Promise<number>
  /** Drops what is sent to the portal and the VPN's servers, or lets it arrive again. */
  cutOff(isCutOff: boolean): Promise<void>
  close(): Promise<void>
}

/** Makes the world in a network namespace of its own; `authority` is that of the portal's certificate. Needs root. */
export async function openWorld(
  folder: string,
  authority: { readonly certificate: string; readonly key: string },
): Promise<World> {
  const name = `causeway-debian-${process.pid}`
  // Unlike `ip netns exec`, it leaves the mounts as they are: the mock server makes namespaces of its own.
  const inside = ['nsenter', `--net=/run/netns/${name}`] as const
  const running: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const stop of running.toReversed()) await stop()
  }
  const sh = (script: string) => execa(inside[0], [...inside.slice(1), 'sh', '-ec', script], { env: sbin })
  await execa('ip', ['netns', 'add', name], { env: sbin })
  running.push(() => execa('ip', ['netns', 'delete', name], { env: sbin }))
  try {
    await sh(roads())
    for (const words of [dnsmasq(folder), [process.execPath, '-e', echo]])
      running.push(await started([...inside, ...words]))
    const mock = await startMock(inside, authority)
    running.push(mock.stop)
    await leadOut(mock)
    return {
      inside,
      insideTo: async (apps, family) => {
        const { stdout } = await sh(`nft --json list counter inet arrivals ${apps}-${family}`)
        return Number(/"packets": ?(\d+)/.exec(stdout)?.[1])
      },
      cutOff: async (isCutOff) => {
        await sh(
          isCutOff
            ? `nft 'table inet cut { chain in { type filter hook prerouting priority -300; iifname "cable*" ip daddr { ${portal.address}, 192.168.77.0/24 } drop; }; }'`
            : 'nft delete table inet cut',
        )
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns what sets up the devices. */
function roads(): string {
  const cables = cards.map((card) => {
    const { router, router6 } = networks[card]
    return `ip tuntap add ${card} mode tap
ip address add ${router}/24 dev ${card}
ip address add ${router6}/64 dev ${card} nodad
ip link set ${card} up`
  })
  return `ip link set lo up
for address in ${[internet, ...Object.values(askedBy)].map(({ ipv4 }) => ipv4).join(' ')} ${portal.address}; do ip address add $address/32 dev lo; done
for address in ${[internet, ...Object.values(askedBy)].map(({ ipv6 }) => ipv6).join(' ')}; do ip address add $address/128 dev lo nodad; done
nft '${arrivals()}'
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
${cables.join('\n')}
# The mock server's own devices, to whose network it is the way.
nft 'table inet nat { chain out { type nat hook postrouting priority 100; oifname "cw-mock*" masquerade; }; }'`
}

/** Returns what counts the packets of apps that come out of a tunnel. */
function arrivals(): string {
  const counted = Object.entries(askedBy).flatMap(([apps, { ipv4, ipv6 }]) => [
    { name: `${apps}-ipv4`, to: `ip daddr ${ipv4}` },
    { name: `${apps}-ipv6`, to: `ip6 daddr ${ipv6}` },
  ])
  return `table inet arrivals {
${counted.map(({ name }) => `counter ${name} { };`).join('\n')}
chain in { type filter hook input priority 0;
${counted.map(({ name, to }) => `iifname "cw-mock*" ${to} counter name ${name};`).join('\n')}
}; }`
}

/** Returns the words that start DHCP and DNS for both networks; each name but the portal's is that host of the internet. */
function dnsmasq(folder: string): string[] {
  const ranges = cards.flatMap((card) => {
    const { net } = networks[card]
    return [`--dhcp-range=set:${card},${net}100,${net}200,1h`, `--dhcp-range=::,constructor:${card},ra-only`]
  })
  return [
    ...['dnsmasq', '--no-daemon', '--conf-file=/dev/null', '--no-resolv', '--no-hosts', '--user=root'],
    ...['--enable-ra', `--dhcp-leasefile=${join(folder, 'leases')}`, '--pid-file=', '--log-facility=-'],
    ...cards.map((card) => `--interface=${card}`),
    ...[`--address=/#/${internet.ipv4}`, `--address=/${portal.name}/${portal.address}`],
    ...ranges,
  ]
}

const echo = `require('net').createServer((socket) => socket.on('error', () => {}).end(socket.remoteAddress.replace('::ffff:', '') + '\\n'))
.listen(${internet.port}, '::', () => console.log('up'))`

/** Starts a program that runs until the end, and waits for its first line. */
async function started(words: readonly string[]): Promise<() => Promise<unknown>> {
  const [program = '', ...rest] = words
  const child = execa(program, rest, { env: sbin, stdin: 'ignore', all: true, reject: false })
  const ended = child.then(({ all }) => {
    throw new Error(`${words.join(' ')} has ended: ${all}`)
  })
  ended.catch(() => undefined)
  await Promise.race([once(child.all, 'data'), ended])
  return async () => {
    child.kill()
    await child
  }
}

/** Starts the mock server for full tunnels of both protocols, and makes the way out of them lead to the internet. */
async function startMock(
  [program, ...inside]: readonly [string, ...string[]],
  { certificate, key }: { readonly certificate: string; readonly key: string },
) {
  const words = [
    ...[process.execPath, '--import', 'tsx', 'mock-server/cli.ts', '--json', '--auto-approve', '--api', '3'],
    ...['--host', portal.address, '--port', '443', '--origin', `https://${portal.name}`],
    ...['--tls', '--tls-ca', certificate, '--tls-ca-key', key, '--tunnel', 'both', '--push-default-route'],
  ]
  const child = execa(program, [...inside, ...words], { cwd: tree, env: sbin, reject: false, all: true })
  const lines: string[] = []
  const reader = createInterface({ input: child.all })
  reader.on('line', (line) => lines.push(line))
  const ended = child.then(() => {
    throw new Error(`The mock server has ended: ${lines.join('\n')}`)
  })
  ended.catch(() => undefined)
  await Promise.race([once(reader, 'line'), ended])
  const stop = async () => {
    child.kill()
    await child
  }
  const run = async (...more: string[]) => (await execa(program, [...inside, ...more], { env: sbin })).stdout
  const client = new MockClient(`https://${portal.name}`, async ({ method, path, headers, body }) => {
    const text = await run(
      ...['curl', '--silent', '--show-error', '--cacert', certificate, '--request', method],
      ...['--resolve', `${portal.name}:443:${portal.address}`, '--write-out', '\n%{http_code}'],
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      ...(body === undefined ? [] : ['--data-binary', body]),
      `https://${portal.name}${path}`,
    )
    const end = text.lastIndexOf('\n')
    return { status: Number(text.slice(end + 1)), text: text.slice(0, end) }
  })
  return { stop, client, run }
}

/** Makes the networks behind the tunnels lead to the internet, and know where the portal is. */
async function leadOut({ client, run }: Awaited<ReturnType<typeof startMock>>): Promise<void> {
  await client.call('PUT /network', { body: { records: { [portal.name]: [portal.address] } } })
  const devices = (await run('ip', '-br', 'link')).match(/^cw-mock\d+/gm) ?? []
  const namespaces = await run('ip', 'netns', 'list')
  for (const device of devices) {
    const number = device.replace('cw-mock', '')
    const namespace = new RegExp(`^causeway-mock-${number}-\\S+`, 'm').exec(namespaces)?.[0] ?? ''
    const near =
      /192\.168\.77\.\d+/.exec(await run('ip', '-4', '-br', 'address', 'show', 'dev', device))?.[0] ?? ''
    await run('ip', '-6', 'address', 'add', `fd77:${number}::2/64`, 'dev', device, 'nodad')
    await execa(
      'ip',
      [
        'netns',
        'exec',
        namespace,
        'sh',
        '-ec',
        `
ip -6 address add fd77:${number}::1/64 dev outside nodad
ip route add default via ${near}
ip -6 route add default via fd77:${number}::2
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
nft 'table inet nat { chain out { type nat hook postrouting priority 100; oifname "outside" masquerade; }; }'`,
      ],
      { env: sbin },
    )
  }
}
