import { expect, it } from 'vitest'
import { eventBetween, readWaysOut } from './default-routes'

const wlan = { dst: 'default', gateway: '192.168.1.1', dev: 'wlan0', metric: 600, flags: [] }
const cable = { dst: 'default', gateway: '10.0.0.1', dev: 'eth0', metric: 100, flags: [] }
const read = (ipv4: object[], ipv6: object[] = [], tunnels: object[] = []) =>
  readWaysOut(JSON.stringify(ipv4), JSON.stringify(ipv6), JSON.stringify(tunnels))

it('takes the route that the system prefers', () => {
  expect(read([wlan, cable])).toEqual(read([cable]))
  expect(read([wlan, { ...cable, flags: ['linkdown'] }])).toEqual(read([wlan]))
})

it('does not take the tunnel itself for a way out', () => {
  expect(read([{ dst: 'default', dev: 'tun0' }], [], [{ ifname: 'tun0' }])).toBeUndefined()
  expect(read([wlan], [{ dst: 'default', dev: 'tun0' }], [{ ifname: 'tun0' }])).toEqual(read([wlan]))
})

it('knows nothing, rather than that there is no network, where the answer is none', () => {
  expect(readWaysOut('Option "-json" is unknown', '', '')).toBeUndefined()
  expect(readWaysOut('{"dev": 1}', '[]', '[]')).toBeUndefined()
  expect(readWaysOut('', '', '')).toEqual({})
})

it.each([
  ['another network', { ipv4: 'a' }, { ipv4: 'b' }, 'changed'],
  ['no network', { ipv4: 'a' }, {}, 'down'],
  ['a network again', {}, { ipv4: 'a' }, 'up'],
  ['the same network', { ipv4: 'a' }, { ipv4: 'a' }, undefined],
  ['an IPv6 router that comes and goes beside IPv4', { ipv4: 'a' }, { ipv4: 'a', ipv6: 'b' }, undefined],
  ['another network of IPv6 alone', { ipv6: 'a' }, { ipv6: 'b' }, 'changed'],
])('is told of %s', (_what, before, after, event) => {
  expect(eventBetween(before, after)).toBe(event)
})
