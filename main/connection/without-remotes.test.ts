import { expect, it } from 'vitest'
import type { OpenVpnConfiguration, Remote } from '../openvpn/tunnel'
import { withoutRemotes } from './without-remotes'

const udp: Remote = { host: 'vpn.example.org', port: 1194, protocol: 'udp' }
const tcp: Remote = { host: 'vpn.example.org', port: 1194, protocol: 'tcp' }
const configuration: OpenVpnConfiguration = {
  text: 'client\nremote vpn.example.org 1194 udp6\nremote vpn.example.org 1194 tcp\n<ca>\n…\n</ca>\n',
  remotes: [udp, tcp],
  routes: 'pushed',
}

it('takes a remote out, and nothing else', () => {
  expect(withoutRemotes(configuration, [udp])).toEqual({
    text: 'client\nremote vpn.example.org 1194 tcp\n<ca>\n…\n</ca>\n',
    remotes: [tcp],
    routes: 'pushed',
  })
})

it('leaves a configuration with at least one remote', () => {
  expect(withoutRemotes(configuration, [udp, tcp])).toBe(configuration)
})

it('is not confused by another port', () => {
  expect(withoutRemotes(configuration, [{ ...udp, port: 1195 }])).toBe(configuration)
})
