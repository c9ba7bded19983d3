import { expect, it } from 'vitest'
import { CausewayError } from '../errors'
import { TunnelFailure } from '../tunnel/tunnel'
import { retryReason, tunnelTimedOut } from './failures'

const retried = { failureClass: 'retry', reason: 'stopped-unexpectedly' } as const
const credentials = { failureClass: 'credentials', reason: 'tls-error' } as const

it.each([
  [new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } }), 'unreachable'],
  [new CausewayError('http/timed-out', { details: { host: 'vpn.example.org' } }), 'timed-out'],
  [new TunnelFailure(retried, 'openvpn/stopped-unexpectedly'), 'stopped-unexpectedly'],
] as const)('retries after %o', (error, reason) => {
  expect(retryReason(error)).toBe(reason)
})

const target = { instanceId: 'vpn.example.org', profileId: 'office' }

it.each([
  ['openvpn', 'starting', 'openvpn/not-started'],
  ['openvpn', 'resolving', 'openvpn/name-not-resolved'],
  ['openvpn', 'contacting', 'openvpn/timed-out'],
  ['openvpn', 'authenticating', 'openvpn/timed-out'],
  ['wireguard', 'starting', 'wireguard/not-started'],
  ['wireguard', 'resolving', 'wireguard/not-started'],
  ['wireguard', 'contacting', 'wireguard/no-answer'],
  ['wireguard', 'configuring', 'wireguard/not-started'],
] as const)('says what a tunnel was waiting for: %s, %s', (protocol, phase, code) => {
  const error = tunnelTimedOut({ state: 'connecting', target, phase }, { protocol }, 20)
  expect(error).toMatchObject({ code, details: { seconds: 20, phase }, failureClass: 'retry' })
})

it('leaves it to the service if the time was up before the tunnel began', () => {
  expect(tunnelTimedOut({ state: 'preparing', target }, { protocol: 'openvpn' }, 20).code).toBe(
    'http/cancelled',
  )
})

it.each([
  new CausewayError('oauth/login-required'),
  new CausewayError('vpn-api/profile-unavailable'),
  new CausewayError('connection/held-by-other'),
  new CausewayError('openvpn/not-permitted'),
  new TunnelFailure(credentials, 'openvpn/certificate-rejected'),
])('does not retry after %o', (error) => {
  expect(retryReason(error)).toBeUndefined()
})
