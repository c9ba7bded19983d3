import { describe, expect, it } from 'vitest'
import { contains, prefixRange, rangesOf } from './address-range'
import { boundaries } from './boundaries'
import type { RouteReading, SystemRoute } from './route-reader'
import { tunnelRouting } from './tunnel-routing'

const route = (prefix: string, device: string, more: Partial<SystemRoute> = {}): SystemRoute => ({
  prefix,
  devices: [device],
  connected: false,
  ...more,
})

/** A computer with one table: the longest prefix decides, and of equal ones the first. */
function computer(...routes: SystemRoute[]): RouteReading {
  const ways = (boundaries(rangesOf(routes.map(({ prefix }) => prefix))) ?? []).map((range) => {
    const [best] = routes
      .flatMap((each) => {
        const known = prefixRange(each.prefix)
        return known !== undefined && contains(known, range) ? [{ each, size: known.last - known.first }] : []
      })
      .toSorted((one, other) => (one.size < other.size ? -1 : Number(one.size > other.size)))
    return { ...range, device: best?.each.devices[0] }
  })
  return { routes, ways }
}

const lan = [route('0.0.0.0/0', 'eth0'), route('192.168.1.0/24', 'eth0', { connected: true })]
const lan6 = [route('::/0', 'eth0'), route('fd12:3456:1::/64', 'eth0', { connected: true })]
const def1 = [route('0.0.0.0/1', 'tun0'), route('128.0.0.0/1', 'tun0')]
const def1v6 = [route('2000::/3', 'tun0')]
const carried = (...routes: SystemRoute[]) =>
  tunnelRouting(computer(...routes), 'tun0', ['192.0.2.7']).carried

describe('all traffic', () => {
  it.each<[string, SystemRoute[]]>([
    ['with IPv4 alone', [...lan, ...def1]],
    ['with both families', [...lan, ...lan6, ...def1, ...def1v6]],
    ['with IPv6 alone', [...lan6, ...def1v6]],
    ['in place of the default route', [route('0.0.0.0/0', 'tun0'), ...lan.slice(1)]],
    ['past which only the server is reached', [...lan, ...def1, route('192.0.2.7', 'eth0')]],
    [
      'beside networks of this computer',
      [
        ...lan,
        ...def1,
        route('172.17.0.0/16', 'docker0', { connected: true }),
        route('169.254.0.0/16', 'eth0'),
      ],
    ],
    ['beside refused networks', [...lan, ...def1, route('10.1.0.0/16', 'lo', { devices: [] })]],
    ['where IPv6 is refused', [...lan, ...def1, route('::/0', 'lo', { devices: [] })]],
  ])('%s', (_what, routes) => {
    expect(carried(...routes)).toMatchObject({ allTraffic: true })
    expect(carried(...routes)).not.toHaveProperty('outside')
  })

  it('names the local networks outside', () => {
    const docker = route('172.17.0.0/16', 'docker0', { connected: true })
    expect(carried(...lan, ...lan6, docker, ...def1, ...def1v6)).toMatchObject({
      allTraffic: true,
      local: ['172.17.0.0/16', '192.168.1.0/24', 'fd12:3456:1::/64'],
    })
    expect(carried(...def1, route('192.168.1.0/24', 'tun0'))).not.toHaveProperty('local')
  })
})

describe('not all traffic', () => {
  it.each<[string, SystemRoute[], object]>([
    ['without routes', lan, { routes: [] }],
    ['with IPv6 outside', [...lan, ...lan6, ...def1], { allIpv4: true, routes: ['0.0.0.0/0'] }],
    ['with half of it', [...lan, route('0.0.0.0/1', 'tun0')], { routes: ['0.0.0.0/1'] }],
    ['where the other half leads nowhere', [...lan.slice(1), route('0.0.0.0/1', 'tun0')], {}],
    [
      'with one network outside',
      [...lan, ...def1, route('198.51.100.0/24', 'eth0')],
      { outside: ['198.51.100.0/24'], routes: ['0.0.0.0/0'] },
    ],
    [
      'with another host outside',
      [...lan, ...def1, route('192.0.2.8', 'eth0')],
      { outside: ['192.0.2.8/32'] },
    ],
    [
      'with a network around the server',
      [...lan, ...def1, route('192.0.2.6/31', 'eth0')],
      { outside: ['192.0.2.6/31'] },
    ],
    [
      'with everything past it',
      [...lan, ...def1, ...['0', '64', '128', '192'].map((byte) => route(`${byte}.0.0.0/2`, 'eth0'))],
      { routes: [] },
    ],
    // A lease or a router advertisement names it (TunnelCrack).
    ...['198.51.0.0/16', '203.0.113.0/24', '10.0.0.0/8', '100.64.0.0/24'].map(
      (network): [string, SystemRoute[], object] => [
        `where this computer is connected to ${network}`,
        [...lan, ...def1, route(network, 'eth0', { connected: true })],
        { outside: [network] },
      ],
    ),
    [
      'where this computer is connected to a public network of IPv6',
      [...lan6, ...def1v6, route('2001:db8:7::/64', 'eth0', { connected: true })],
      { outside: ['2001:db8:7::/64'] },
    ],
    [
      'where the tunnel has an address in a large network',
      [...lan, route('64.0.0.0/2', 'tun0', { connected: true }), route('10.99.0.0/24', 'tun0')],
      { routes: ['10.99.0.0/24', '64.0.0.0/2'] },
    ],
    [
      'where a local network claims a large part of the Internet',
      [...lan, ...def1, route('8.0.0.0/7', 'eth0', { connected: true })],
      { outside: ['8.0.0.0/7'] },
    ],
    [
      'with a default route behind another one',
      [...lan, route('0.0.0.0/0', 'tun0'), route('10.88.0.0/24', 'tun0', { connected: true })],
      { routes: [] },
    ],
    ['in another tunnel', [...lan, ...def1, route('10.8.0.0/16', 'wg0')], { outside: ['10.8.0.0/16'] }],
    [
      'with routes of several next hops',
      [route('0.0.0.0/0', 'tun0', { devices: ['tun0', 'eth0'] })],
      { routesUnknown: true },
    ],
  ])('%s', (_what, routes, expected) => {
    expect(carried(...routes)).toMatchObject({ allTraffic: false, ...expected })
  })

  it('if the routes or the device are not known', () => {
    const unknown = { carried: { allTraffic: false, routesUnknown: true }, most: false }
    expect(tunnelRouting(undefined, 'tun0', [])).toMatchObject(unknown)
    expect(tunnelRouting(computer(...lan, ...def1), undefined, [])).toMatchObject(unknown)
  })

  it('if there are more routes than are read', () => {
    const many = Array.from(
      { length: 3000 },
      (_, index) => `10.${String(index >> 8)}.${String(index & 255)}.0/25`,
    )
    expect(boundaries(rangesOf(many))).toBeUndefined()
  })
})

it('names the own networks of a tunnel in both families where it was asked to carry them', () => {
  const own = ['10.88.0.0/24', 'fd88::/64'].map((network) => route(network, 'tun0', { connected: true }))
  const networks = (...asked: string[]) =>
    tunnelRouting(computer(...lan, ...lan6, ...own), 'tun0', [], [], asked).carried.routes
  expect(networks('10.88.0.0/24', 'fd88::/64')).toEqual(['10.88.0.0/24', 'fd88::/64'])
  expect(networks('10.88.0.0/24', '10.0.0.0/8')).toEqual(['10.88.0.0/24'])
  expect(networks('10.88.0.0/25', 'fd99::/64')).toEqual([])
})

it('names the local network inside a network that a split tunnel carries', () => {
  const split = (...routes: SystemRoute[]) =>
    tunnelRouting(computer(...lan, route('10.99.0.0/24', 'tun0'), ...routes), 'tun0', []).carried
  const lease = route('10.99.0.0/25', 'wlan0', { connected: true })
  expect(split(lease)).toMatchObject({ routes: ['10.99.0.0/24'], local: ['10.99.0.0/25'] })
  // Beside it, and around it, a network is none of the tunnel's.
  for (const other of ['10.98.0.0/24', '10.0.0.0/16'])
    expect(split(route(other, 'wlan0', { connected: true }))).not.toHaveProperty('local')
})

it('names the DNS servers that are reached outside the tunnel', () => {
  const split = computer(...lan, route('10.0.0.0/8', 'tun0'))
  const servers = ['10.0.0.53', '192.168.1.53', '2001:db8::53']
  expect(tunnelRouting(split, 'tun0', [], servers).carried).toMatchObject({
    allTraffic: false,
    dnsOutside: ['192.168.1.53', '2001:db8::53'],
  })
  expect(tunnelRouting(split, 'tun0', [], ['10.0.0.53']).carried).not.toHaveProperty('dnsOutside')
  // The way to the tunnel's own server leads past it.
  const around = computer(...lan, ...def1, route('192.0.2.7', 'eth0'))
  expect(tunnelRouting(around, 'tun0', ['192.0.2.7'], ['192.0.2.7']).carried).toMatchObject({
    allTraffic: true,
    dnsOutside: ['192.0.2.7'],
  })
})

it('resolves names through a tunnel that carries most traffic', () => {
  const most = (...routes: SystemRoute[]) => tunnelRouting(computer(...routes), 'tun0', []).most
  expect(most(...lan, ...def1, route('198.51.100.0/24', 'eth0'))).toBe(true)
  expect(most(...lan6, ...def1v6)).toBe(true)
  expect(most(...lan, route('10.0.0.0/8', 'tun0'))).toBe(false)
})
