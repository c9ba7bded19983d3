import { expect, it } from 'vitest'
import { takesAllTraffic } from './all-traffic'

it.each([
  [['redirect-gateway def1']],
  [['route 10.0.0.0 255.0.0.0', 'redirect-gateway']],
  [['redirect-gateway def1 ipv6 bypass-dhcp']],
  [['route 0.0.0.0 0.0.0.0 vpn_gateway']],
  [['route 0.0.0.0 128.0.0.0', 'route 128.0.0.0 128.0.0.0 vpn_gateway']],
])('says that all traffic goes through the tunnel for %j', (options) => {
  expect(takesAllTraffic(options)).toBe(true)
})

it.each([
  [[]],
  [['route 10.99.1.0 255.255.255.0']],
  [['redirect-gateway !ipv4 ipv6']],
  [['redirect-gateway-metric 1']],
  [['route 0.0.0.0 0.0.0.0 net_gateway']],
  [['route 0.0.0.0 128.0.0.0']],
])('does not promise it for %j', (options) => {
  expect(takesAllTraffic(options)).toBe(false)
})
