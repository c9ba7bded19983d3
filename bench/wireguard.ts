import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { createTestAuthority } from '../main/tunnel/openvpn/certificates.testing'
import { runTunnelServer } from '../main/tunnel/openvpn/loopback-server.testing'
import { portalProfile } from '../main/tunnel/openvpn/profile.testing'
import { builtHelper, builtUserspaceWireGuard } from '../scripts/build-helper'
import { sbin } from '../scripts/program'
import type { Figure } from './figure'
import type { Measured, Setting } from './wireguard-process'

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

/** `npm run bench -- wireguard`: measures what carries packets in two network namespaces. */
export async function benchWireGuard(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const isKernel = !(
      await execa('unshare', ['-n', 'ip', 'link', 'add', 'type', 'wireguard'], { env: sbin, reject: false })
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
    return figuresOf(isKernel, await measure(folder, setting))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function ip(words: string): Promise<void> {
  await execa('ip', words.split(' '), { env: sbin })
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
  await execa('ip', ['netns', 'exec', serverSpace, 'nft', '-f', '-'], { env: sbin, input: rules })
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
      env: sbin,
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
  const through = ['ip', 'netns', 'exec', serverSpace] as const
  ends.push(
    await runTunnelServer(through, authority, {
      address: '10.77.1.1',
      network: '10.89.0',
      lines: [
        'push "redirect-gateway def1"',
        ...['keepalive 10 60', 'data-ciphers AES-256-GCM', 'cipher AES-256-GCM'],
      ],
    }),
  )
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
    env: sbin,
    cwd: join(import.meta.dirname, '..'),
    stderr: 'inherit',
  })
  return JSON.parse(stdout) as Measured
}

function figuresOf(isKernel: boolean, { firstPing, streams, wakeUps }: Measured): Figure[] {
  const name = `WireGuard (${isKernel ? "the kernel's" : 'in user space'})`
  const { residentBytes } = streams.wireguard
  const beside = (other: 'openvpn' | 'script', of: Record<typeof other, number[]>) => ({
    what: other === 'openvpn' ? 'OpenVPN through the helper' : 'a script of ip and wg',
    values: of[other],
  })
  const stream = (way: 'up' | 'down'): Figure[] => [
    {
      what: `${name}: one TCP stream, ${way}`,
      unit: 'Mbit/s',
      own: streams.wireguard[way],
      beside: { what: 'OpenVPN through the helper', values: streams.openvpn[way] },
      goal: { atLeast: 3 },
    },
    {
      what: `OpenVPN through the helper: one TCP stream, ${way}`,
      unit: 'Mbit/s',
      own: streams.openvpn[way],
      beside: { what: 'OpenVPN alone', values: streams.bare[way] },
      goal: { atLeast: 0.95 },
    },
  ]
  const ping = { what: `${name}: first ping`, unit: 'ms', own: firstPing.wireguard } as const
  return [
    { ...ping, beside: beside('script', firstPing), goal: { atMost: 1.2 } },
    { ...ping, beside: beside('openvpn', firstPing), goal: { atMost: 1 } },
    ...stream('up'),
    ...stream('down'),
    // The kernel's own has no process.
    ...(isKernel
      ? []
      : ([
          {
            what: `${name}: memory after them`,
            unit: 'MB',
            own: [residentBytes / 1e6],
            goal: { atMost: 130 },
          },
        ] as const)),
    {
      what: `${name}: wake-ups at rest, keepalives among them`,
      unit: 'times a minute',
      own: [(wakeUps.bursts / wakeUps.seconds) * 60],
      goal: { atMost: 15 },
    },
  ]
}
