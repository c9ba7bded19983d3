import { expect, it } from 'vitest'
import type { OpenVpnConfiguration, Remote } from '../tunnel/tunnel'
import { isOutdated, withoutRemotes } from './without-remotes'

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

it('is out of date where another server, port or text stands in what the instance gives now', () => {
  const fewer = withoutRemotes(configuration, [udp])
  expect(isOutdated(configuration, configuration)).toBe(false)
  // The instance chose one of its remotes then, and gives all of them now.
  expect(isOutdated(fewer, configuration)).toBe(false)
  expect(isOutdated(configuration, fewer)).toBe(true)
  expect(isOutdated(fewer, { ...configuration, text: configuration.text.replace('…', 'another') })).toBe(true)
})
