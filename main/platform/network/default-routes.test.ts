import { expect, it } from 'vitest'
import { eventBetween, readDefaultRoutes } from './default-routes'

const wlan = { dst: 'default', gateway: '192.168.1.1', dev: 'wlan0', metric: 600, flags: [] }
const cable = { dst: 'default', gateway: '10.0.0.1', dev: 'eth0', metric: 100, flags: [] }
const read = (ipv4: object[], ipv6: object[] = [], tunnels: object[] = []) =>
  readDefaultRoutes(JSON.stringify(ipv4), JSON.stringify(ipv6), JSON.stringify(tunnels))

it('prefers the route with the lowest metric', () => {
  expect(read([wlan, cable])).toEqual(read([cable]))
  expect(read([wlan, { ...cable, flags: ['linkdown'] }])).toEqual(read([wlan]))
})

it('ignores the route of the tunnel', () => {
  expect(read([{ dst: 'default', dev: 'tun0' }], [], [{ ifname: 'tun0' }])).toBeUndefined()
  expect(read([wlan], [{ dst: 'default', dev: 'tun0' }], [{ ifname: 'tun0' }])).toEqual(read([wlan]))
})

it('returns undefined for invalid output', () => {
  expect(readDefaultRoutes('Option "-json" is unknown', '', '')).toBeUndefined()
  expect(readDefaultRoutes('{"dev": 1}', '[]', '[]')).toBeUndefined()
  expect(readDefaultRoutes('', '', '')).toEqual({})
})

it.each([
  ['another network', { ipv4: 'a' }, { ipv4: 'b' }, 'changed'],
  ['no network', { ipv4: 'a' }, {}, 'down'],
  ['a network again', {}, { ipv4: 'a' }, 'up'],
  ['the same network', { ipv4: 'a' }, { ipv4: 'a' }, undefined],
  ['an IPv6 router that comes and goes beside IPv4', { ipv4: 'a' }, { ipv4: 'a', ipv6: 'b' }, undefined],
  ['another network of IPv6 alone', { ipv6: 'a' }, { ipv6: 'b' }, 'changed'],
])('reports the event for %s', (_what, before, after, event) => {
  expect(eventBetween(before, after)).toBe(event)
})
