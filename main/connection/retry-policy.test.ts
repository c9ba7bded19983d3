import { expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { CausewayError } from '../errors'
import type { NetworkEvent } from '../platform/network/network-events'
import { TunnelFailure } from '../tunnel/tunnel'
import { RetryPolicy } from './retry-policy'

const target = { instanceId: 'vpn.example.org', profileId: 'office' }
const unreachable = new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } })

/** A retry policy with a manual clock and network. */
function world() {
  const states: ConnectionState[] = []
  const delays: number[] = []
  const watching = new Set<(event: NetworkEvent) => void>()
  let pass: () => void = () => undefined
  const policy = new RetryPolicy(
    {
      network: {
        watch: (listener) => {
          watching.add(listener)
          return () => watching.delete(listener)
        },
      },
      delay: (milliseconds) => {
        delays.push(milliseconds)
        return new Promise<void>((resolve) => {
          pass = resolve
        })
      },
      random: () => 0.5,
      now: () => new Date(1_000_000),
    },
    target,
    (state) => states.push(state),
  )
  return {
    policy,
    states,
    delays,
    watching,
    pass: () => {
      pass()
    },
    tell: (event: NetworkEvent) => {
      for (const listener of watching) listener(event)
    },
    wait: (error: unknown = unreachable, signal = new AbortController().signal) =>
      policy.waitAfter(error, signal),
  }
}

it('waits longer after each failure, and shows the time of the next attempt', async () => {
  const { wait, pass, delays, states } = world()
  for (let failures = 0; failures < 7; failures += 1) {
    const waiting = wait()
    pass()
    expect(await waiting).toBe(true)
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(states[1]).toEqual({
    state: 'reconnecting',
    target,
    reason: 'unreachable',
    attempt: 2,
    routes: 'gone',
    notYetConnected: true,
    nextAttemptAt: 1_002_000,
  })
})

it('retries at once when the network is back and when the user asks for it', async () => {
  const { wait, tell, policy, delays } = world()
  const first = wait()
  tell('up')
  expect(await first).toBe(true)
  const second = wait()
  policy.retryNow()
  expect(await second).toBe(true)
  // The failures of another network do not count.
  expect(delays).toEqual([1000, 1000])
})

it('makes no attempt while there is no network', async () => {
  const { wait, tell, states, delays } = world()
  const waiting = wait()
  tell('down')
  await expect.poll(() => states.at(-1)).toMatchObject({ waitingForNetwork: true, attempt: 1 })
  tell('resumed')
  expect(delays).toEqual([1000])
  tell('up')
  expect(await waiting).toBe(true)
})

const retried = { failureClass: 'retry', reason: 'stopped-unexpectedly' } as const
const credentials = { failureClass: 'credentials', reason: 'tls-error' } as const

it.each([
  [new CausewayError('http/timed-out', { details: { host: 'vpn.example.org' } }), 'timed-out'],
  [new TunnelFailure(retried, 'openvpn/stopped-unexpectedly'), 'stopped-unexpectedly'],
  [new CausewayError('network/captive-portal'), 'captive-portal'],
] as const)('retries after %o', async (error, reason) => {
  const { wait, pass, states } = world()
  const waiting = wait(error)
  pass()
  expect(await waiting).toBe(true)
  expect(states).toMatchObject([{ reason }])
})

it.each([
  new CausewayError('oauth/login-required'),
  new CausewayError('vpn-api/profile-unavailable'),
  new CausewayError('connection/held-by-other'),
  new CausewayError('openvpn/not-permitted'),
  new TunnelFailure(credentials, 'openvpn/certificate-rejected'),
])('does not retry after %o', async (error) => {
  const { wait, states } = world()
  expect(await wait(error)).toBe(false)
  expect(states).toEqual([])
})

it('stops waiting on abort, and stops watching on dispose', async () => {
  const { wait, watching, policy } = world()
  const stop = new AbortController()
  const waiting = wait(unreachable, stop.signal)
  stop.abort()
  expect(await waiting).toBe(false)
  expect(watching.size).toBe(1)
  policy.dispose()
  expect(watching.size).toBe(0)
})
