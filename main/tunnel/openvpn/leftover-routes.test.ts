import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { LeftoverRoutes } from './leftover-routes'

it("removes OpenVPN's routes past its device, but never the computer's own", () => {
  const leftover = new LeftoverRoutes()
  for (const line of [
    'net_route_v4_add: 198.51.100.7/32 via 192.0.2.1 dev [NULL] table 0 metric -1',
    'net_route_v4_add: 0.0.0.0/0 via 192.0.2.1 dev [NULL] table 0 metric -1',
    'sitnl_send: rtnl: generic error (-17): File exists',
    'net_route_v4_del: 0.0.0.0/0 via 192.0.2.1 dev [NULL] table 0 metric -1',
    'net_route_v6_add: ::/0 via fe80::1 dev eth0 table 0 metric -1',
    'net_route_v4_add: 203.0.113.0/24 via 192.0.2.1 dev [NULL] table 0 metric -1',
    'sitnl_send: rtnl: generic error (-17): File exists',
  ])
    leftover.note(line)
  expect(leftover.lostDefault).toEqual({ destination: '0.0.0.0/0', nextHop: 'via 192.0.2.1' })
  expect(leftover.routes).toEqual([{ destination: '198.51.100.7/32', nextHop: 'via 192.0.2.1' }])
})

it('keeps a route that OpenVPN announces again, and finds routes without a gateway', () => {
  const leftover = new LeftoverRoutes()
  const own = 'net_route_v4_add: 198.51.100.7/32 via 0.0.0.0 dev ppp0 table 0 metric -1'
  for (const line of [own, own, 'sitnl_send: rtnl: generic error (-17): File exists']) leftover.note(line)
  leftover.note('net_route_v4_del: 0.0.0.0/0 via 0.0.0.0 dev [NULL] table 0 metric -1')
  expect(leftover.routes).toEqual([{ destination: '198.51.100.7/32', nextHop: 'dev ppp0' }])
  expect(leftover.lostDefault).toEqual({ destination: '0.0.0.0/0', nextHop: 'dev ppp0' })
})

it('has too many routes after 10,000', () => {
  const leftover = new LeftoverRoutes()
  const note = (index: number) => {
    const network = `10.${Math.floor(index / 256)}.${index % 256}.0/24`
    leftover.note(`net_route_v4_add: ${network} via 192.0.2.1 dev [NULL] table 0 metric -1`)
  }
  for (let index = 0; index < 10_000; index += 1) note(index)
  expect(leftover.tooMany).toBe(false)
  note(10_000)
  expect(leftover.tooMany).toBe(true)
})

it.skipIf(process.platform === 'win32')(
  'changes the routes with one program, and none if nothing is left',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-leftover-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [ip, notes] = [join(folder, 'ip'), join(folder, 'notes')]
    await writeFile(ip, `#!/bin/sh\necho "$@" >>${notes}\ncat >>${notes}\nexit 1\n`)
    await chmod(ip, 0o755)
    const leftover = new LeftoverRoutes()
    await leftover.remove(ip)
    await expect(readFile(notes)).rejects.toMatchObject({ code: 'ENOENT' })
    leftover.note('net_route_v4_add: 198.51.100.7/32 via 192.0.2.1 dev [NULL] table 0 metric -1')
    leftover.note('net_route_v4_del: 0.0.0.0/0 via 192.0.2.1 dev [NULL] table 0 metric -1')
    await leftover.remove(ip)
    expect(await readFile(notes, 'utf8')).toBe(
      '-force -batch -\nroute del 198.51.100.7/32 via 192.0.2.1\nroute add 0.0.0.0/0 via 192.0.2.1\n',
    )
  },
)

it.skipIf(process.platform === 'win32')(
  'restores the default route in whose place OpenVPN 2.5 has put its own, if there is none',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-leftover-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [ip, notes] = [join(folder, 'ip'), join(folder, 'notes')]
    await writeFile(ip, `#!/bin/sh\necho "$@" >>${notes}\ncat ${folder}/shown-$1 2>/dev/null\nexit 0\n`)
    await chmod(ip, 0o755)
    await writeFile(join(folder, 'shown--6'), 'default via fe80::2 dev eth0\n')
    const after = async (...lines: string[]) => {
      await writeFile(notes, '')
      const leftover = new LeftoverRoutes()
      for (const line of lines) leftover.note(line)
      await leftover.restoreReplaced(ip)
      return (await readFile(notes, 'utf8')).split('\n').slice(0, -1)
    }
    const found = [
      'net_route_v4_best_gw result: via 192.0.2.1 dev eth0',
      'net_route_v6_best_gw result: via fe80::1 dev eth0',
    ]
    const own = 'net_route_v4_add: 0.0.0.0/0 via 10.88.0.1 dev [NULL] table 0 metric -1'
    const own6 = 'net_route_v6_add: ::/0 via :: dev tun0 table 0 metric -1'
    const foundOwn = 'net_route_v4_best_gw result: via 10.88.0.1 dev tun0'
    const existed = 'sitnl_send: rtnl: generic error (-17): File exists'
    expect(await after(...found, own, own6)).toEqual([
      '-4 route show default',
      'route add 0.0.0.0/0 via 192.0.2.1 dev eth0',
      '-6 route show default',
    ])
    expect(await after(...found, own, foundOwn, own, existed)).toContain(
      'route add 0.0.0.0/0 via 192.0.2.1 dev eth0',
    )
    expect(await after(...found, own, existed)).toEqual([])
    expect(await after(...found, own.replace('-1', '50'))).toEqual([])
    expect(await after(own)).toEqual([])
  },
)
