import { expect, it } from 'vitest'
import { trafficThrough } from './all-traffic'

const withIpv6 = 'ifconfig-ipv6 fd88::1000/64 fd88::1'

it.each([
  [['redirect-gateway def1']],
  [['route 10.0.0.0 255.0.0.0', 'redirect-gateway']],
  [['redirect-gateway def1 ipv6 bypass-dhcp']],
  [['route 0.0.0.0 0.0.0.0 vpn_gateway']],
  [['route 0.0.0.0 128.0.0.0', 'route 128.0.0.0 128.0.0.0 vpn_gateway']],
  [[withIpv6, 'redirect-gateway def1 ipv6']],
  [[withIpv6, 'redirect-gateway def1', 'route-ipv6 ::/0']],
  [[withIpv6, 'redirect-gateway def1', 'route-ipv6 2000::/3 fd88::1']],
  [[withIpv6, 'redirect-gateway def1', 'route-ipv6 ::/1', 'route-ipv6 8000::/1']],
  [[withIpv6, 'redirect-gateway def1', 'block-ipv6']],
])('finds all traffic in %j', (options) => {
  expect(trafficThrough(options)).toEqual({ allTraffic: true })
})

it.each([
  [[]],
  [['route 10.99.1.0 255.255.255.0']],
  [['redirect-gateway !ipv4 ipv6']],
  [['redirect-gateway-metric 1']],
  [['route 0.0.0.0 0.0.0.0 net_gateway']],
  [['route 0.0.0.0 128.0.0.0']],
  [[withIpv6, 'redirect-gateway !ipv4 ipv6']],
])('finds only some traffic in %j', (options) => {
  expect(trafficThrough(options)).toEqual({ allTraffic: false })
})

it.each([
  [[withIpv6, 'redirect-gateway def1']],
  [[withIpv6, 'redirect-gateway def1', 'route-ipv6 2000::/4']],
  [[withIpv6, 'redirect-gateway def1', 'route-ipv6 ::/0 net_gateway_ipv6']],
])('finds IPv4 alone in %j', (options) => {
  expect(trafficThrough(options)).toEqual({ allTraffic: false, allIpv4: true })
})
