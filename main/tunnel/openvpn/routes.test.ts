import { expect, it } from 'vitest'
import { routesThrough } from './routes'

it.each([
  [
    ['route 10.99.0.0 255.255.0.0', 'route 192.0.2.7'],
    ['10.99.0.0/16', '192.0.2.7/32'],
  ],
  [['route 10.99.1.0 255.255.255.0 vpn_gateway 5'], ['10.99.1.0/24']],
  [
    ['route-ipv6 fd99::/48', 'route-ipv6 2001:db8::1/128 fd88::1'],
    ['fd99::/48', '2001:db8::1/128'],
  ],
  [['redirect-gateway def1'], ['0.0.0.0/0']],
  [['redirect-gateway def1 ipv6'], ['0.0.0.0/0', '::/0']],
  [['redirect-gateway !ipv4 ipv6'], ['::/0']],
  [['route 10.0.0.0 255.0.0.0', 'route 10.0.0.0 255.0.0.0'], ['10.0.0.0/8']],
])('finds in %j the routes %j', (options, routes) => {
  expect(routesThrough(options)).toEqual(routes)
})

it.each([
  ['route 10.99.0.0 255.255.0.0 net_gateway'],
  ['route-ipv6 fd99::/48 net_gateway_ipv6'],
  ['route-gateway 10.88.0.1'],
  ['route vpn.example.org'],
  ['route 10.0.0.0 255.0.255.0'],
  ['route-ipv6 fd99::'],
  ['route-ipv6 fd99::/129'],
  ['route-ipv6 fe80::1%a-long-name-of-a-zone/64'],
  ['redirect-gateway-metric 1'],
  ['block-ipv6'],
])('finds no route in %j', (option) => {
  expect(routesThrough([option])).toEqual([])
})

it('limits their number', () => {
  const many = Array.from(
    { length: 1000 },
    (_, index) => `route 10.${index >> 8}.${index & 255}.0 255.255.255.0`,
  )
  expect(routesThrough(many)).toHaveLength(256)
})
