import { expect, it } from 'vitest'
import { isoTimes } from './iso-times'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
const at = Date.UTC(2026, 10, 20, 12)

it('formats each time of a state in ISO 8601', () => {
  expect(isoTimes({ state: 'connected', target, addresses: {}, remote, since: at })).toEqual({
    since: '2026-11-20T12:00:00.000Z',
  })
  const lost = { state: 'reconnecting', target, reason: 'unreachable', attempt: 1, routes: 'kept' } as const
  expect(isoTimes({ ...lost, nextAttemptAt: at })).toEqual({ nextAttemptAt: '2026-11-20T12:00:00.000Z' })
  expect(isoTimes(lost)).toEqual({})
  expect(isoTimes({ state: 'idle' })).toEqual({})
})
