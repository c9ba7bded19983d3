import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { CausewayError } from '../errors'
import { TunnelFailure } from '../tunnel/tunnel'
import { retryReason, sessionOver, tunnelTimedOut } from './failures'

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

it('says in which phase a tunnel ran out of time', () => {
  const timedOut = (state: ConnectionState) => tunnelTimedOut(state, { protocol: 'openvpn' }, 20)
  expect(timedOut({ state: 'connecting', target, phase: 'starting' })).toMatchObject({
    code: 'openvpn/not-started',
    details: { seconds: 20, phase: 'starting' },
  })
  const before = { state: 'reconnecting', target, reason: 'unreachable', attempt: 1, routes: 'gone' } as const
  expect(timedOut(before).code).toBe('openvpn/timed-out')
})

it('names no protocol in this folder: its errors are for main/tunnel to choose', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const names = await readdir(folder, { recursive: true })
  const sources = names.filter((name) => name.endsWith('.ts') && !/\.test(ing)?\.ts$/.test(name))
  expect(sources.length).toBeGreaterThan(20)
  for (const name of sources)
    expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(/openvpn|wireguard|proxyguard/i)
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

it('does not say that a sign-in was revoked where nothing tells', () => {
  expect(sessionOver('vpn.example.org').variant).toBeUndefined()
  expect(sessionOver('vpn.example.org', { isRevoked: true }).variant).toBe('revoked')
})
