import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { builtHelper, builtUserspaceWireGuard } from '../scripts/build-helper'
import { sbin } from '../scripts/program'
import type { Figure } from './figure'
import { buildWireGuard, clientSpace, makeNetwork, startServers } from './tunnel-servers'
import type { Measured, Setting } from './wireguard-process'

/** `npm run bench -- wireguard`: measures what carries packets in two network namespaces. */
export async function benchWireGuard(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const program = await buildWireGuard(folder)
    await makeNetwork(ends)
    const setting = await startServers(folder, program, ends)
    return figuresOf(program === undefined, await measure(folder, setting))
  } finally {
    for (const end of ends.reverse()) await end()
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
  const ping = { what: `${name}: first answer`, unit: 'ms', own: firstPing.wireguard } as const
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
