import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { createTestAuthority } from '../main/tunnel/openvpn/certificates.testing'
import { inline, runOpenVpnServer } from '../main/tunnel/openvpn/loopback-server.testing'
import { portalProfile } from '../main/tunnel/openvpn/profile.testing'
import { buildOwnHelper, builtHelper, builtUserspaceWireGuard } from '../scripts/build-helper'
import { median } from './median'
import { type Measured, type Setting, connectors } from './wireguard-process'

const sbin = { env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } }
const [clientSpace, serverSpace] = [`causeway-bc-${process.pid}`, `causeway-bs-${process.pid}`]
const inside = '10.99.0.1'

/** Receives one stream, or sends one until it is closed, on a port that it prints. */
const streamServer = `
const block = Buffer.alloc(1 << 16)
require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
  let received = -1
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    if (received < 0 && chunk[0] === 100) {
      const send = () => { while (socket.writable && socket.write(block)); }
      socket.on('drain', send)
      send()
    }
    received += chunk.length
  })
  socket.on('end', () => socket.end(String(received)))
}).listen(0, '${inside}', function () { console.log(this.address().port) })
process.stdin.on('end', () => process.exit()).resume()`

/** `npm run bench -- wireguard`: measures in two network namespaces, and prints the tables beside the goals. */
export async function benchWireGuard(): Promise<void> {
  if (!(await buildOwnHelper())) throw new Error('The benchmarks need Go, which builds the helper.')
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const isKernel = !(
      await execa('unshare', ['-n', 'ip', 'link', 'add', 'type', 'wireguard'], { ...sbin, reject: false })
    ).failed
    const program = join(folder, 'wireguard-go')
    // The same library as in the helper's program.
    const build = ['build', '-mod=readonly', '-o', program, 'golang.zx2c4.com/wireguard']
    if (!isKernel)
      await execa('go', build, {
        cwd: join(import.meta.dirname, '..', 'helper', 'userspace-wireguard'),
        env: { CGO_ENABLED: '0', GOTOOLCHAIN: 'local' },
      })
    await makeNetwork(ends)
    const setting = await startServers(folder, isKernel ? undefined : program, ends)
    print(isKernel, await measure(folder, setting))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function ip(words: string): Promise<void> {
  await execa('ip', words.split(' '), sbin)
}

async function makeNetwork(ends: (() => Promise<unknown>)[]): Promise<void> {
  for (const space of [clientSpace, serverSpace]) {
    await ip(`netns add ${space}`)
    ends.push(() => ip(`netns delete ${space}`))
    await ip(`-n ${space} link set lo up`)
  }
  await ip(`-n ${clientSpace} link add wan type veth peer name net0 netns ${serverSpace}`)
  await ip(`-n ${clientSpace} address add 10.77.1.2/24 dev wan`)
  await ip(`-n ${serverSpace} address add 10.77.1.1/24 dev net0`)
  await ip(`-n ${clientSpace} link set wan up`)
  await ip(`-n ${serverSpace} link set net0 up`)
  await ip(`-n ${clientSpace} route add default via 10.77.1.1`)
  await ip(`-n ${serverSpace} address add ${inside} dev lo`)
  // Answers through a tunnel alone.
  const rules = `add table inet world
add chain inet world in { type filter hook input priority 0; }
add rule inet world in iifname net0 ip daddr ${inside} drop`
  await execa('ip', ['netns', 'exec', serverSpace, 'nft', '-f', '-'], { ...sbin, input: rules })
}

async function startServers(
  folder: string,
  program: string | undefined,
  ends: (() => Promise<unknown>)[],
): Promise<Setting> {
  const key = async () => (await execa('wg', ['genkey'])).stdout
  const shared = async (secret: string) => (await execa('wg', ['pubkey'], { input: secret })).stdout
  const [serverKey, clientKey] = [await key(), await key()]
  const serverFile = join(folder, 'server.conf')
  await writeFile(
    serverFile,
    `[Interface]\nPrivateKey = ${serverKey}\nListenPort = 51820\n[Peer]\nPublicKey = ${await shared(clientKey)}\nAllowedIPs = 10.88.0.2/32\n`,
    { mode: 0o600 },
  )
  const scriptFile = join(folder, 'script.conf')
  const peer = await shared(serverKey)
  await writeFile(
    scriptFile,
    `[Interface]\nPrivateKey = ${clientKey}\nFwMark = 51820\n[Peer]\nPublicKey = ${peer}\nEndpoint = 10.77.1.1:51820\nAllowedIPs = 0.0.0.0/0\nPersistentKeepalive = 25\n`,
    { mode: 0o600 },
  )
  const start = async (space: string, words: readonly string[]) => {
    const server = execa('ip', ['netns', 'exec', space, ...words], {
      ...sbin,
      stderr: 'inherit',
      reject: false,
    })
    ends.push(async () => {
      server.stdin.end()
      await server
    })
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as string[]
    return line ?? ''
  }
  const serve = `set -e; mount -t tmpfs run /run
${program === undefined ? 'ip link add wgs type wireguard' : `${program} wgs >/dev/null 2>&1`}
wg setconf wgs ${serverFile}; ip address add 10.88.0.1/24 dev wgs; ip link set wgs mtu 1420 up; echo up; cat; ip link delete wgs`
  await start(serverSpace, ['unshare', '-m', 'sh', '-c', serve])
  const port = Number(await start(serverSpace, [process.execPath, '-e', streamServer]))

  const authority = createTestAuthority()
  const own = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
  const stopOpenVpn = await runOpenVpnServer(
    'ip',
    ['netns', 'exec', serverSpace, 'openvpn'],
    [
      ...[
        'mode server',
        'tls-server',
        'local 10.77.1.1',
        'port 1194',
        'proto udp',
        'dev tun',
        'topology subnet',
      ],
      ...['ifconfig 10.89.0.1 255.255.255.0', 'ifconfig-pool 10.89.0.10 10.89.0.100 255.255.255.0'],
      ...['push "topology subnet"', 'push "route-gateway 10.89.0.1"', 'push "redirect-gateway def1"'],
      ...['keepalive 10 60', 'dh none', 'verb 3', 'data-ciphers AES-256-GCM', 'cipher AES-256-GCM'],
      ...[
        inline('ca', authority.certificate),
        inline('cert', own.certificate),
        inline('key', own.privateKey),
      ],
    ].join('\n'),
  )
  ends.push(stopOpenVpn)
  return {
    inside,
    port,
    program: program ?? null,
    scriptFile,
    wireGuard: {
      privateKey: clientKey,
      text: `[Interface]\nAddress = 10.88.0.2/24\nMTU = 1420\n[Peer]\nPublicKey = ${peer}\nAllowedIPs = 0.0.0.0/0\nEndpoint = 10.77.1.1:51820\n`,
    },
    openVpn: {
      profile: portalProfile({ ca: authority.certificate, remotes: ['10.77.1.1 1194 udp'] }),
      ...authority.issue({ commonName: 'client', usage: 'clientAuth' }),
    },
  }
}

/** Runs bench/wireguard-process.ts as the client, with a helper in a folder that is root's alone. */
async function measure(folder: string, setting: Setting): Promise<Measured> {
  const settingFile = join(folder, 'setting.json')
  await writeFile(settingFile, JSON.stringify(setting), { mode: 0o600 })
  for (const each of [builtHelper, builtUserspaceWireGuard])
    await copyFile(each, join(folder, each.replace(/^.*\//, ''))).catch(() => undefined)
  const run = `set -e; mount -t tmpfs run /run; mount -t tmpfs -o mode=755 libexec /mnt; cp ${folder}/causeway-* /mnt
exec ${process.execPath} --import tsx ${join(import.meta.dirname, 'wireguard-process.ts')} ${settingFile}`
  const { stdout } = await execa('ip', ['netns', 'exec', clientSpace, 'unshare', '-m', 'sh', '-c', run], {
    ...sbin,
    cwd: join(import.meta.dirname, '..'),
    stderr: 'inherit',
  })
  return JSON.parse(stdout) as Measured
}

function print(isKernel: boolean, { firstPing, streams, wakeUps }: Measured): void {
  const range = (values: readonly number[], digits = 0) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`
  console.log(`\nWireGuard (${isKernel ? "the kernel's" : 'in user space'}), medians and ranges`)
  console.table(
    Object.fromEntries(
      connectors.map((name) => [
        name,
        {
          'first ping, ms': range(firstPing[name]),
          'up, Mbit/s': range(streams[name].up),
          'down, Mbit/s': range(streams[name].down),
          'resident, MB': (streams[name].residentBytes / 1e6).toFixed(0),
          'its peak, MB': (streams[name].peakBytes / 1e6).toFixed(0),
        },
      ]),
    ),
  )
  const ratios = firstPing.wireguard.map((own, index) => own / (firstPing.script[index] ?? Number.NaN))
  const times = (way: 'up' | 'down') => median(streams.wireguard[way]) / median(streams.openvpn[way])
  console.table([
    { goal: 'first ping beside the script', is: median(ratios).toFixed(2), 'at most': '1.20' },
    {
      goal: 'first ping beside OpenVPN',
      is: (median(firstPing.wireguard) / median(firstPing.openvpn)).toFixed(2),
      'at most': '1.00',
    },
    { goal: 'TCP up beside OpenVPN', is: times('up').toFixed(2), 'at least': '3.00' },
    { goal: 'TCP down beside OpenVPN', is: times('down').toFixed(2), 'at least': '3.00' },
    {
      goal: 'memory after it, MB',
      is: (streams.wireguard.residentBytes / 1e6).toFixed(0),
      'at most': '130',
    },
    {
      goal: `wake-ups in ${String(wakeUps.seconds)} s at rest, keepalives among them`,
      is: String(wakeUps.bursts),
      'at most': String(Math.ceil(wakeUps.seconds / 5) + Math.ceil(wakeUps.seconds / 25)),
    },
  ])
}
