import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection } from '../../platform/http/test-server.testing'
import { createDiscovery } from '../discovery/discovery'
import { parseAddress } from '../instance/address'
import { EndpointsCache } from '../discovery/endpoints-cache'
import { InstanceTokenSession } from './instance-token-session'
import { MemorySecretStore } from './portal.testing'
import { testReporter } from '../../reporter.testing'

const http = createHttpClient()

/** The mock instance with Causeway's login, and a user who decides on its page. */
async function setUp(): Promise<{
  mock: MockServer
  session: InstanceTokenSession
  later: (seconds: number) => Promise<void>
  control: (path: string, body: unknown) => Promise<unknown>
  callApi: (accessToken: string) => Promise<number>
  tokenRequests: () => Promise<number>
  deny: () => void
}> {
  const mock = await startTestMock({ redirectDiscovery: 302 })
  onTestFinished(() => mock.close())
  const instance = parseAddress(mock.instance)
  const clock = { now: Date.now() }
  const now = (): number => clock.now
  const cache = new EndpointsCache({ discovery: createDiscovery({ http }), now })
  let decision = 'approve'
  const session = new InstanceTokenSession({
    instance,
    endpoints: (signal) => cache.endpoints(instance, signal),
    clientId: 'org.causeway.app.linux',
    http,
    secretStore: new MemorySecretStore(),
    openBrowser: async (_start, authorization = _start) => {
      await fetch(authorization, { method: 'POST', body: new URLSearchParams({ decision }) })
    },
    alone: (_kind, work) => work(),
    forgetGrants: () => Promise.resolve(),
    forgetLogin: () => Promise.resolve(),
    hasSentIssuer: () => Promise.resolve(false),
    onIssuerSent: () => Promise.resolve(),
    knowsOthers: () => Promise.resolve(false),
    newLogin: randomUUID,
    now,
    whileUnused: (work) => work(),
    delay: () => Promise.resolve(),
    reporter: testReporter(),
  })
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${mock.control}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return response.text()
  }
  return {
    mock,
    session,
    control,
    later: async (seconds) => {
      clock.now += seconds * 1000
      await control('/clock', { advanceSeconds: seconds })
    },
    callApi: async (accessToken) => {
      const { apiBaseUri } = await cache.endpoints(instance)
      const headers = { authorization: `Bearer ${accessToken}` }
      return (await http.send(new URL(`${apiBaseUri}/profile_list`), { headers })).status
    },
    tokenRequests: async () => {
      return (await mock.requests({ path: '/oauth/token' })).length
    },
    deny: () => {
      decision = 'deny'
    },
  }
}

it('logs in at an instance with only its address, and refreshes without the user', async () => {
  const { session, callApi, later, tokenRequests } = await setUp()
  expect(await session.signedIn()).toBe(false)
  await session.logIn()
  const first = await session.accessToken()
  expect(await callApi(first)).toBe(200)

  await later(3600)
  expect(await callApi(first)).toBe(401)
  const [second, third] = await Promise.all([session.accessToken(), session.accessToken()])
  expect(second).not.toBe(first)
  expect(third).toBe(second)
  expect(await callApi(second)).toBe(200)
  expect(await tokenRequests()).toBe(2)

  await later(3600)
  expect(await callApi(await session.accessToken())).toBe(200)
})

it('needs a new login once the instance has revoked everything', async () => {
  const { session, callApi, later, control } = await setUp()
  await session.logIn()
  await control('/tokens/revoke', { kind: 'all' })
  expect(await callApi(await session.accessToken())).toBe(401)
  await later(3600)
  expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
  expect(await session.signedIn()).toBe(false)
  await session.logIn()
  expect(await callApi(await session.accessToken())).toBe(200)
})

it('discards an unexpired token that the instance rejects', async () => {
  const { session, callApi, control } = await setUp()
  await session.logIn()
  const token = await session.accessToken()
  await control('/tokens/revoke', { kind: 'access' })
  expect(await callApi(token)).toBe(401)
  await session.discardRejected(token)
  expect(await rejection(session.accessToken())).toMatchObject({ code: 'oauth/login-required' })
})

it('stays logged in after a failure of the instance', async () => {
  const { session, later, control } = await setUp()
  await session.logIn()
  await later(3600)
  const faults = [{ fault: { status: 503 } }, { fault: { reset: true } }, { fault: { truncate: true } }]
  for (const fault of faults) {
    await control('/faults', { match: { path: '/oauth/token' }, times: 1, ...fault })
    expect(await rejection(session.accessToken())).toMatchObject({
      code: 'status' in fault.fault ? 'oauth/server-error' : 'http/unreachable',
    })
  }
  expect(await session.accessToken()).not.toBe('')
})

it('reports a denied login', async () => {
  const { session, deny } = await setUp()
  deny()
  expect(await rejection(session.logIn())).toMatchObject({ code: 'oauth/access-denied' })
  expect(await session.signedIn()).toBe(false)
})
