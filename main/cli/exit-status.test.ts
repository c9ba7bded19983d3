import { expect, it } from 'vitest'
import { errorCodes } from '../../contract/error-codes'
import { exitStatus } from './exit-status'

it.each([
  ['internal/unexpected', 1],
  ['secret-store/locked', 1],
  ['usage/unknown-instance', 2],
  ['discovery/invalid-address', 2],
  ['oauth/login-required', 3],
  ['oauth/access-denied', 3],
  ['oauth/browser-not-opened', 3],
  ['http/unreachable', 4],
  ['http/timed-out', 4],
  ['service/busy', 5],
  ['vpn-api/refused', 5],
  ['vpn-api/server-error', 5],
  ['vpn-api/protocol-not-supported', 5],
  ['discovery/not-json', 6],
  ['discovery/insecure-redirect', 6],
  ['http/too-large', 6],
  ['vpn-api/invalid-response', 6],
  ['profile-configuration/forbidden-directive', 6],
  ['openvpn/not-found', 7],
  ['openvpn/certificate-rejected', 7],
] as const)('%s has the exit status %i', (code, status) => {
  expect(exitStatus(code)).toBe(status)
})

it('has no error with status 0', () => {
  for (const code of errorCodes) expect(exitStatus(code)).toBeGreaterThan(0)
})
