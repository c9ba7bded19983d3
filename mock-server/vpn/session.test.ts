import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'

const now = new Date('2026-11-20T12:00:00Z')
let server: MockServer
let client: TestClient
beforeEach(async () => {
  server = await createMockServer({ autoApprove: true, sessionSeconds: 7200, clock: { now: () => now } })
  client = new TestClient(server)
})
afterEach(() => server.close())

const advance = (seconds: number) => client.control('POST', '/clock', { advanceSeconds: seconds })
const status = async (accessToken: string) => (await client.call(accessToken, '/profile_list')).status

it('ends a session after the configured time, with its tokens and certificates', async () => {
  const { refreshToken, accessToken } = await client.logIn()
  const pair = await client.createKeyPair(accessToken)
  expect(new Date(new X509Certificate(pair.certificate).validTo)).toEqual(new Date('2026-11-20T14:00:00Z'))
  await advance(7190)
  const refreshed = (await (await client.refresh(refreshToken)).json()) as Record<string, unknown>
  expect(refreshed.expires_in).toBe(3600)
  expect(await status(String(refreshed.access_token))).toBe(200)
  await advance(10)
  expect(await status(String(refreshed.access_token))).toBe(401)
  expect((await client.refresh(refreshToken)).status).toBe(400)
})

describe('POST /_mock/session', () => {
  it('moves the end of existing logins: tokens expire early, refreshing is refused, certificates are expired', async () => {
    const { accessToken, refreshToken } = await client.logIn()
    const pair = await client.createKeyPair(accessToken)
    expect((await client.control('POST', '/session', { endsInSeconds: 600 })).status).toBe(200)
    await advance(599)
    expect(await status(accessToken)).toBe(200)
    expect(await client.check(accessToken, pair)).toEqual({ is_valid: true })
    await advance(2)
    expect(await status(accessToken)).toBe(401)
    expect(await (await client.refresh(refreshToken)).json()).toMatchObject({ error: 'invalid_grant' })
    const later = await client.logIn()
    expect(await client.check(later.accessToken, pair)).toEqual({
      is_valid: false,
      reason: 'certificate_expired',
    })
  })

  it('moves the end of later logins and their certificates', async () => {
    await client.control('POST', '/session', { endsInSeconds: 600 })
    await advance(60)
    const { accessToken } = await client.logIn()
    const { certificate } = await client.createKeyPair(accessToken)
    expect(new Date(new X509Certificate(certificate).validTo)).toEqual(new Date('2026-11-20T12:11:00Z'))
    await advance(600)
    expect(await status(accessToken)).toBe(401)
  })

  it('applies until all-well', async () => {
    const { accessToken, refreshToken } = await client.logIn()
    await client.control('POST', '/session', { endsInSeconds: 0 })
    expect(await status(accessToken)).toBe(401)
    expect((await client.refresh(refreshToken)).status).toBe(400)
    await client.scenario('all-well')
    expect(await status(accessToken)).toBe(200)
    expect((await client.refresh(refreshToken)).status).toBe(200)
  })

  it.each([
    {},
    { endsInSeconds: -1 },
    { endsInSeconds: 1.5 },
    { endsInSeconds: '60' },
    { endsInSeconds: 1e12 },
    null,
  ])('refuses %j with a reason', async (body) => {
    const response = await client.control('POST', '/session', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w+/) as string })
  })
})
