import { expect, it } from 'vitest'
import { timedOut } from './timed-out'

it.each([
  ['openvpn', 'starting', 'openvpn/not-started', 'timed-out'],
  ['openvpn', 'resolving', 'openvpn/name-not-resolved', 'name-not-resolved'],
  ['openvpn', 'contacting', 'openvpn/timed-out', 'timed-out'],
  ['openvpn', 'authenticating', 'openvpn/timed-out', 'timed-out'],
  ['openvpn', undefined, 'openvpn/timed-out', 'timed-out'],
  ['wireguard', 'starting', 'wireguard/not-started', 'timed-out'],
  ['wireguard', 'resolving', 'wireguard/not-started', 'timed-out'],
  ['wireguard', 'contacting', 'wireguard/no-answer', 'timed-out'],
  ['wireguard', 'configuring', 'wireguard/not-started', 'timed-out'],
] as const)('says what a tunnel was waiting for: %s, %s', (protocol, phase, code, reason) => {
  const error = timedOut({ protocol }, phase, 20)
  expect(error).toMatchObject({ code, reason, details: { seconds: 20, phase }, failureClass: 'retry' })
})
