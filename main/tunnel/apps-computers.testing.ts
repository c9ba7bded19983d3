import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { expect } from 'vitest'
import { builtUserspaceWireGuard } from '../../scripts/build-helper'
import { echoProgram, everywhere } from './apps-programs.testing'
import { mayMakeNamespaces } from '../privilege/helper.testing'
import { ip, joinSpaces, sbin } from './joined-spaces.testing'
import type { WireGuardTunnel } from './tunnel'
import { configurationText } from './wireguard/configuration.testing'
import { serverProgram } from './wireguard/server-program.testing'
import type { Key } from './wireguard/key.testing'

/** Where version 2 of control groups is mounted. */
export async function groupsTop(): Promise<string | undefined> {
  const mounts = await readFile('/proc/mounts', 'utf8')
  return /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1]
}

/** Returns true if this process may make such a world: as root on Linux, with namespaces, control groups, and nft for them. */
export async function mayMakeAppsWorld(): Promise<boolean> {
  if (!(await mayMakeNamespaces()) || !existsSync('/dev/net/tun') || !existsSync(builtUserspaceWireGuard))
    return false
  if ((await groupsTop()) === undefined) return false
  const rule = 'table inet t { set s { type cgroupsv2; }; chain c { socket cgroupv2 level 3 @s accept; }; }'
  return !(await execa('unshare', ['-n', 'nft', rule], { ...sbin, reject: false })).failed
}

/** The address of both servers. */
export const server = '203.0.113.10'

/** A key of WireGuard. */

/** Returns what a portal would grant for the server. */
export function grantFor(serverKey: Key, { secret }: Key): WireGuardTunnel {
  const profile = configurationText({
    Address: '10.88.0.2/24,fd88::2/64',
    DNS: '10.88.0.1',
    PublicKey: serverKey.shared.toString('base64'),
    Endpoint: `${server}:51820`,
  })
  const namedBy = 'https://vpn.example.org/api/v3'
  return { protocol: 'wireguard', transport: 'udp', profile, namedBy, privateKey: Buffer.from(secret) }
}

export async function inSpace(space: string, ...words: string[]): Promise<string> {
  return (await execa('ip', ['netns', 'exec', space, ...words], sbin)).stdout
}

/** Joins a computer with its network, where servers answer; both have a strict reverse path filter. Returns what ends these. */
export async function connectComputers(
  client: string,
  far: string,
  keys: readonly [Key, Key],
): Promise<() => Promise<void>> {
  await joinSpaces(client, far, { ipv4: '10.77.1.', ipv6: 'fd77:1::' })
  for (const address of [server, ...everywhere]) await ip(`-n ${far} address add ${address} dev lo`)
  await inSpace(
    client,
    'sh',
    '-c',
    'for c in all default wan; do echo 1 >/proc/sys/net/ipv4/conf/$c/rp_filter; done',
  )
  await inSpace(
    far,
    'nft',
    `table inet world {
      set seen4 { typeof iifname . ip saddr . meta l4proto . th dport; flags dynamic; size 65535; }
      set seen6 { typeof iifname . ip6 saddr . meta l4proto . th dport; flags dynamic; size 65535; }
      chain seen { type filter hook prerouting priority -300;
        iifname "lo" accept
        meta l4proto { tcp, udp } update @seen4 { iifname . ip saddr . meta l4proto . th dport }
        meta l4proto { tcp, udp } update @seen6 { iifname . ip6 saddr . meta l4proto . th dport }
      }
    }`,
  )
  return serve(far, keys)
}

/** Starts the server of WireGuard, and what answers. */
async function serve(far: string, [serverKey, clientKey]: readonly [Key, Key]): Promise<() => Promise<void>> {
  const wireGuard = execa(
    'ip',
    ['netns', 'exec', far, 'perl', '-e', serverProgram, builtUserspaceWireGuard, 'wgs'],
    {
      ...sbin,
      reject: false,
    },
  )
  const answers = createInterface({ input: wireGuard.stdout })
  const request = [
    'set=1',
    `private_key=${serverKey.secret.toString('hex')}`,
    'listen_port=51820',
    `public_key=${clientKey.shared.toString('hex')}`,
    ...['10.88.0.2/32', 'fd88::2/128'].map((prefix) => `allowed_ip=${prefix}`),
  ]
  wireGuard.stdin.write(`${request.join('\n')}\n\n`)
  expect(await once(answers, 'line')).toEqual(['errno=0'])
  await ip(`-n ${far} address add 10.88.0.1/24 dev wgs`)
  await ip(`-n ${far} address add fd88::1/64 dev wgs nodad`)
  await ip(`-n ${far} link set wgs up`)
  const echo = execa('ip', ['netns', 'exec', far, process.execPath, '-e', echoProgram], {
    ...sbin,
    reject: false,
  })
  await once(createInterface({ input: echo.stdout }), 'line')
  return async () => {
    for (const each of [echo, wireGuard]) {
      each.stdin.end()
      await each
    }
  }
}
