import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { goodRequest } from '../test-client'

const { server, client } = await serveMock({ autoApprove: true })
beforeEach(() => client.control('POST', '/reset'))

const { query } = goodRequest()
const decide = (body: unknown) => client.control('POST', '/authorize', body)
const redirect = (response: Response) =>
  Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)

describe('the next authorization request', () => {
  it('does not count a request that accepts only JSON, but gives it the same answer', async () => {
    await decide({ next: 'deny', times: 1 })
    const ahead = await fetch(`${server.origin}/oauth/authorize?${new URLSearchParams(query).toString()}`, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
    })
    expect(redirect(ahead)).toMatchObject({ error: 'access_denied' })
    expect(redirect(await client.authorize(query))).toMatchObject({ error: 'access_denied' })
    expect(redirect(await client.authorize(query))).toHaveProperty('code')
  })

  it.each([
    ['deny', { error: 'access_denied', state: query.state }],
    ['invalid-scope-redirect', { error: 'invalid_scope', state: query.state }],
    ['approve', { code: expect.any(String) as string, state: query.state }],
    ['wrong-state', { code: expect.any(String) as string, state: 'not-the-state-that-was-sent' }],
    ['no-state', { code: expect.any(String) as string }],
  ])('is redirected at once when decided as %s', async (next, parameters) => {
    await decide({ next })
    const response = await client.authorize(query)
    expect(response.status).toBe(302)
    expect(redirect(response)).toEqual({ ...parameters, iss: server.origin })
  })

  it('is redirected with another issuer when decided as wrong-iss', async () => {
    await decide({ next: 'wrong-iss' })
    const { iss, state } = redirect(await client.authorize(query))
    expect(state).toBe(query.state)
    expect(iss).not.toBe(server.origin)
  })

  it.each([
    ['page', 200, /Approve<\/button>/],
    ['no-answer', 200, /Signing in(?![^]*<form)/],
    ['error-page', 400, /ERROR: invalid_request/],
    ['server-error', 500, /ERROR: server_error/],
  ] as const)('gets a page when decided as %s: status %d', async (next, status, text) => {
    await decide({ next })
    const response = await client.authorize(query)
    expect([response.status, response.headers.get('location')]).toEqual([status, null])
    expect(await response.text()).toMatch(text)
  })
})

it('applies a decision to the given number of valid requests', async () => {
  await decide({ next: 'deny', times: 2 })
  expect((await client.authorize({ ...query, scope: 'other' })).status).toBe(400)
  const outcomes = [
    await client.authorize(query),
    await client.authorize(query),
    await client.authorize(query),
  ]
  expect(outcomes.map((response) => redirect(response).error)).toEqual([
    'access_denied',
    'access_denied',
    undefined,
  ])
})

it('returns the current decision, and withdraws it', async () => {
  const shown = async (): Promise<unknown> => (await client.control('GET', '/authorize')).json()
  expect(await shown()).toEqual({ next: null })
  await decide({ next: 'page', times: 3 })
  expect(await shown()).toEqual({ next: 'page', times: 3 })
  await client.control('DELETE', '/authorize')
  expect(await shown()).toEqual({ next: null })
  expect((await client.authorize(query)).status).toBe(302)
})

it('accepts the buttons of the page, whatever the decision', async () => {
  await decide({ next: 'server-error' })
  const path = `/oauth/authorize?${new URLSearchParams(query).toString()}`
  expect(redirect(await client.postForm(path, { decision: 'deny' })).error).toBe('access_denied')
})

it.each([{}, { next: 'maybe' }, { next: 'deny', times: 0 }, { next: 'deny', extra: 1 }, 7])(
  'refuses %j with a reason',
  async (body) => {
    const response = await decide(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w+/) as string })
  },
)

describe('another user signed in at the portal', () => {
  const certificates = async () =>
    (await (await client.control('GET', '/certificates')).json()) as {
      certificates: { user: string | null }[]
    }

  it('logs in next, and certificates are issued to them', async () => {
    const first = await client.logIn()
    expect((await client.control('PUT', '/user', { user: 'second' })).status).toBe(200)
    const second = await client.logIn()
    for (const { accessToken } of [first, second]) await client.createKeyPair(accessToken)
    expect((await certificates()).certificates.map(({ user }) => user).sort()).toEqual(['second', 'tester'])

    await decide({ next: 'page' })
    expect(await (await client.authorize(query)).text()).toMatch(/<input[^>]*name="user"[^>]*value="second"/)
  })

  it('is signed out by a reset', async () => {
    await client.control('PUT', '/user', { user: 'second' })
    await client.control('POST', '/reset')
    const { accessToken } = await client.logIn()
    await client.createKeyPair(accessToken)
    expect(await certificates()).toMatchObject({ certificates: [{ user: 'tester' }], clients: [] })
  })
})
