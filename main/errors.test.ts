import { expect, it } from 'vitest'
import { CausewayError, report, toErrorReport } from './errors'

it('takes its message from the catalogue, with what the terminal says otherwise', () => {
  const details = { host: 'vpn.example.org', status: 503 }
  expect(new CausewayError('discovery/server-error', { details }).message).toBe(
    'The service vpn.example.org has an internal error (status 503). Try again later.',
  )
  expect(new CausewayError('openvpn/not-permitted').message).toBe(
    "Causeway doesn't have permission to set up a VPN connection on this computer. Run it with that permission, or use --check to test only the handshake.",
  )
})

it('tells the words of a server as its own', () => {
  const details = { host: 'vpn.example.org', error: 'quota\u001b[2J' }
  expect(new CausewayError('vpn-api/refused', { details }).message).toContain(
    'refused the request (“quota [2J”). Try again.',
  )
})

it('takes no sentence, no unknown variant, and no error without the details that its text names', () => {
  // @ts-expect-error a custom sentence
  new CausewayError('oauth/cancelled', 'The sign-in was cancelled.')
  // @ts-expect-error a variant of another code
  new CausewayError('oauth/cancelled', { variant: 'not-responding' })
  // @ts-expect-error the host is missing
  const error = new CausewayError('http/timed-out', { details: {} })
  expect(error.message).toMatch(/^The connection to the server timed out\. /)
})

it('comes back from a report as it was', () => {
  const was = report('http/unreachable', { details: { host: 'vpn.example.org', reason: 'refused' } })
  expect(toErrorReport(CausewayError.fromReport(was))).toEqual(was)
  const { message } = report('secret-store/failed', { variant: 'too-long' })
  expect(message).toContain('too long for the key store')
})
