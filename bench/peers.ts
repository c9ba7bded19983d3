import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { execa } from 'execa'
import { builtHelper, builtUserspaceWireGuard } from '../scripts/build-helper'
import { sbin } from '../scripts/program'
import type { Figure } from './figure'
import type { PeerFigures, PeersMeasured, PeersSetting } from './peers-process'
import { buildWireGuard, clientSpace, ip, makeNetwork, serverSpace, startServers } from './tunnel-servers'

export interface PeersResults extends PeersMeasured {
  readonly date: string
  readonly rounds: number
  /** The load average before and after. */
  readonly load: readonly [before: number, after: number]
  readonly hasSystemd: boolean
  readonly isKernel: boolean
  readonly versions: Readonly<Record<string, string>>
}

const rounds = 7

/** `npm run bench -- peers`: measures Causeway beside what people would use instead. */
export async function benchPeers(): Promise<PeersResults> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const before = loadavg()[0] ?? 0
  try {
    const program = await buildWireGuard(folder)
    await makeNetwork(ends)
    // Another network, to change to.
    await ip(`-n ${clientSpace} link add wan2 type veth peer name net1 netns ${serverSpace}`)
    await ip(`-n ${clientSpace} address add 10.77.2.2/24 dev wan2`)
    await ip(`-n ${serverSpace} address add 10.77.2.1/24 dev net1`)
    await ip(`-n ${serverSpace} link set net1 up`)
    const servers = await startServers(folder, program, ends)
    const bundle = join(folder, 'peers-causeway.mjs')
    await build({
      entryPoints: [join(import.meta.dirname, 'peers-causeway.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
      },
    })
    const { stdout: pids } = await execa('ip', ['netns', 'pids', serverSpace], { env: sbin })
    const setting: PeersSetting = { ...servers, bundle, serverPid: Number(pids.split('\n')[0]), rounds }
    const measured = await run(folder, setting)
    return {
      ...measured,
      rounds,
      date: new Date().toISOString().slice(0, 10),
      load: [before, loadavg()[0] ?? 0],
      hasSystemd: !(await execa('test', ['-d', '/run/systemd/system'], { reject: false })).failed,
      isKernel: program === undefined,
      versions: await versions(),
    }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Runs bench/peers-process.ts as the client, with folders of its own for what peers keep. */
async function run(folder: string, setting: PeersSetting): Promise<PeersMeasured> {
  const settingFile = join(folder, 'setting.json')
  await writeFile(settingFile, JSON.stringify(setting), { mode: 0o600 })
  for (const each of [builtHelper, builtUserspaceWireGuard])
    await copyFile(each, join(folder, each.replace(/^.*\//, ''))).catch(() => undefined)
  // In a network namespace, /sys shows no groups. Without a writable one, NetworkManager doesn't wait for udev.
  const script = `set -e; mount -t tmpfs run /run; mount -t tmpfs -o mode=755 libexec /mnt; cp ${folder}/causeway-* /mnt
if [ -d /var/lib/NetworkManager ]; then mount -t tmpfs state /var/lib/NetworkManager; fi
mkdir /mnt/groups; mount -t cgroup2 groups /mnt/groups; mount -o remount,ro /sys
exec ${process.execPath} --import tsx ${join(import.meta.dirname, 'peers-process.ts')} ${settingFile}`
  const { stdout } = await execa('ip', ['netns', 'exec', clientSpace, 'unshare', '-m', 'sh', '-c', script], {
    env: sbin,
    cwd: join(import.meta.dirname, '..'),
    stderr: 'inherit',
  })
  return JSON.parse(stdout) as PeersMeasured
}

async function versions(): Promise<Record<string, string>> {
  const names = ['wireguard-tools', 'openvpn', 'network-manager', 'network-manager-openvpn']
  const words = ['-W', '-f', '${Package} ${Version}\\n', ...names]
  const { stdout } = await execa('dpkg-query', words, { reject: false })
  return Object.fromEntries(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  )
}

/** Returns Causeway's figures beside those of each peer with the same protocol. */
export function peersFigures({ peers }: PeersMeasured): Figure[] {
  const kinds = [
    ['from "connect" to the first answer', 'ms', 'firstAnswerMs'],
    ['processor time of connecting', 'ms', 'processorMs'],
    ['memory while connected', 'MB', 'memoryMb'],
  ] as const
  const own = (protocol: PeerFigures['protocol']) =>
    peers.find((each) => each.name === 'Causeway' && each.protocol === protocol)
  return peers
    .filter(({ name }) => name !== 'Causeway')
    .flatMap((peer) =>
      kinds.map(([what, unit, key]) => ({
        what: `${peer.protocol === 'openvpn' ? 'OpenVPN' : 'WireGuard'}: ${what}`,
        unit,
        own: own(peer.protocol)?.[key] ?? [],
        beside: { what: peer.name, values: peer[key] },
        goal: { atMost: 1 },
      })),
    )
}
