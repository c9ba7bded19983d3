import { expect, it } from 'vitest'

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
  expect(leftover.lostDefault).toEqual({ family: '-4', destination: 'default', gateway: '192.0.2.1' })
  expect(leftover.routes).toEqual([{ family: '-4', destination: '198.51.100.7/32', gateway: '192.0.2.1' }])
})
