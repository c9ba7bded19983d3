import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { currentNetwork } from './current-network'

const header = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n'
const wifi = 'wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n'
const cable = 'eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n'
const local = 'eth0\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n'
const none = '0'.repeat(32)
const ipv6 = `${none} 00 ${none} 00 fe80000000000000021122fffe334455 00000400 00000001 00000000 00450003     eth0\n`
const unreachable = `${none} 00 ${none} 00 ${none} ffffffff 00000001 00000000 00200200       lo\n`

it.each([
  ['the route with the lowest metric', header + wifi + local + cable, '', 'eth0 0100000A'],
  ['another network', header + wifi, ipv6, 'wlan0 0101A8C0'],
  ['IPv6 alone', header, unreachable + ipv6, 'eth0 fe80000000000000021122fffe334455'],
  ['no network', header + local, unreachable, undefined],
  ['another system', undefined, undefined, undefined],
])('tells networks apart: %s', async (_what, route, route6, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-network-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (route !== undefined) await writeFile(join(folder, 'route'), route)
  if (route6 !== undefined) await writeFile(join(folder, 'ipv6_route'), route6)
  expect(await currentNetwork(folder)).toBe(expected)
})
