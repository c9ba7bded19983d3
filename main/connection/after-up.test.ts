import { expect, it } from 'vitest'
import type { ErrorCode } from '../../contract/error-codes'
import { errorCodes } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import { afterUp, reasonAfterUp } from '../tunnel/after-up'
import { TunnelFailure } from '../tunnel/tunnel'
import { mayBeCaptivePortal, retryReason } from './failures'

const errorOf = (code: ErrorCode) =>
  CausewayError.fromReport({ code, details: { host: 'vpn.example.org', directive: 'x', proxy: 'x' } })

/** Codes of these areas that only tell the user something. */
const notices = [
  'helper/apps-full',
  'helper/apps-not-divided',
  'helper/apps-not-found',
  'helper/traffic-blocked',
  'helper/kill-switch-lifted',
  'helper/dns-not-set',
  'helper/local-network-not-blocked',
  'helper/repaired',
  'http/authorities-unreadable',
  'wireguard/moved-to-tcp',
  'wireguard/route-not-set',
]

it('decides about each error that can end a tunnel', () => {
  const areas = new Set(Object.keys(afterUp).map((code) => code.slice(0, code.indexOf('/'))))
  const undecided = errorCodes.filter(
    (code) => areas.has(code.slice(0, code.indexOf('/'))) && !(code in afterUp),
  )
  expect(undecided.toSorted()).toEqual(notices.toSorted())
})

it('never ends a connection that was up for an error that was temporary before', () => {
  for (const [code, reason] of Object.entries(afterUp)) {
    const before = retryReason(errorOf(code as ErrorCode))
    if (before !== undefined) expect([code, reason]).not.toEqual([code, 'final'])
    expect(reasonAfterUp(errorOf(code as ErrorCode))).toBe(reason === 'final' ? undefined : reason)
  }
})

it('takes the answers of a sign-in page for one', () => {
  for (const code of ['proxyguard/untrusted', 'proxyguard/refused', 'http/private-address'] as const)
    expect(mayBeCaptivePortal(errorOf(code))).toBe(true)
  const busy = new TunnelFailure({ failureClass: 'retry', reason: 'service-busy' }, 'openvpn/unreachable')
  expect(mayBeCaptivePortal(busy)).toBe(false)
})

it('ends a connection that root has ended', () => {
  const stopped = CausewayError.fromReport({ code: 'helper/failed', details: { reason: 'stopped' } })
  expect(reasonAfterUp(stopped)).toBeUndefined()
})

it('starts no second tunnel beside one that may still be up', () => {
  const stuck = CausewayError.fromReport({ code: 'helper/failed', variant: 'not-ended' })
  expect(reasonAfterUp(stuck)).toBeUndefined()
  expect(reasonAfterUp(errorOf('helper/failed'))).toBe('stopped-unexpectedly')
})
