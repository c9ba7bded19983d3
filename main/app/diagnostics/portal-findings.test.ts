import { expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import type { HttpResponse } from '../../platform/http/http-client'
import { portalFindings, type PortalDoctorOptions } from './portal-findings'

const now = Date.parse('2026-11-28T12:00:00Z')

function answer(headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const url = new URL('https://vpn.example.org/info.json')
  return { url, status: 200, headers: new Headers(headers), text: '{}' }
}

function tried(changes: Partial<PortalDoctorOptions> = {}, reachable = () => Promise.resolve()) {
  return portalFindings({
    instance: { id: 'vpn.example.org', address: 'https://vpn.example.org/' },
    transport: () =>
      Promise.resolve({ requireReachable: reachable, proxyFor: () => Promise.resolve(undefined) }),
    http: { send: () => Promise.resolve(answer()) },
    lookup: () => Promise.resolve(['192.0.2.1', '2001:db8::1']),
    endpoints: () => Promise.resolve({ apiVersion: 3 }),
    hasUdpTunnel: () => Promise.resolve(false),
    now: () => now,
    ...changes,
  })
}

it('tries name, connection, TLS and answer of a service, and says how to try UDP', async () => {
  expect(await tried()).toEqual([
    {
      name: 'name',
      status: 'ok',
      code: 'name-found',
      facts: { host: 'vpn.example.org', addresses: '192.0.2.1, 2001:db8::1' },
    },
    { name: 'tcp', status: 'ok', code: 'tcp-open', facts: { host: 'vpn.example.org' } },
    { name: 'tls', status: 'ok', code: 'tls-trusted', facts: { host: 'vpn.example.org' } },
    { name: 'answer', status: 'ok', code: 'answer-valid', facts: { version: '3' } },
    { name: 'udp', status: 'ok', code: 'udp-not-tried', command: 'causeway connect --check' },
  ])
  expect((await tried({ hasUdpTunnel: () => Promise.resolve(true) })).at(-1)).toMatchObject({
    code: 'udp-passes',
  })
})

const host = 'vpn.example.org'
const failing = (error: CausewayError) => () => Promise.reject(error)
const unreachable = (reason: string) =>
  failing(new CausewayError('http/unreachable', { details: { host, reason } }))
const untrusted = failing(
  new CausewayError('http/tls-failed', { details: { host, reason: 'CERT_HAS_EXPIRED' } }),
)
const late = failing(new CausewayError('http/timed-out', { details: { host } }))
const noPortal = failing(new CausewayError('discovery/no-vpn-api', { details: { host, offered: [] } }))

it.each<[string, Partial<PortalDoctorOptions>, (() => Promise<never>) | undefined, string, string, number]>([
  ['name', {}, unreachable('name-not-resolved'), 'name', 'http/unreachable', 1],
  ['connection', {}, unreachable('refused'), 'tcp', 'http/unreachable', 2],
  ['certificate', { http: { send: untrusted } }, undefined, 'tls', 'http/tls-failed', 3],
  ['answer', { http: { send: late } }, undefined, 'answer', 'http/timed-out', 3],
  ['document', { endpoints: noPortal }, undefined, 'answer', 'discovery/no-vpn-api', 4],
])('stops where the %s fails, and names the error', async (_what, changes, reachable, name, error, count) => {
  const lookup = name === 'name' ? { lookup: () => Promise.reject(new Error('none')) } : {}
  const found = await tried({ ...changes, ...lookup }, reachable)
  expect(found).toHaveLength(count)
  expect(found.at(-1)).toMatchObject({ name, status: 'missing', code: 'service-unusable', error })
  expect(found.slice(0, -1).every(({ status }) => status === 'ok')).toBe(true)
})

it('compares the clock with that of the service', async () => {
  const at = (date: string) =>
    tried({ http: { send: () => Promise.resolve(answer({ date })) } }).then((found) =>
      found.find(({ name }) => name === 'clock'),
    )
  expect(await at('Sat, 28 Nov 2026 12:04:00 GMT')).toBeUndefined()
  expect(await at('Sat, 28 Nov 2026 13:00:00 GMT')).toMatchObject({ status: 'missing', code: 'clock-wrong' })
})

it('leaves name and connection to a proxy', async () => {
  const proxy = { protocol: 'http:', host: 'proxy.example.net', port: 3128 } as const
  const transport = () =>
    Promise.resolve({
      requireReachable: () => Promise.resolve(),
      proxyFor: () => Promise.resolve(proxy),
    })
  expect((await tried({ transport })).map(({ name }) => name)).toEqual(['tls', 'answer', 'udp'])
})

it('hides no defect', async () => {
  const defect = new TypeError('defect')
  await expect(tried({ endpoints: () => Promise.reject(defect) })).rejects.toBe(defect)
})
