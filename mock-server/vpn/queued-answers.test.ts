import { beforeEach, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { goodRequest } from '../test-client'

const { client } = await serveMock({ autoApprove: true })
beforeEach(() => client.control('POST', '/reset'))

const queue = (answer: object) => client.control('POST', '/oauth/answers', answer)
const queued = async () => (await client.control('GET', '/oauth/answers')).json()

it('changes fields of the next token answer, and removes others, once', async () => {
  await queue({ endpoint: 'token', change: { expires_in: 5, refresh_token: null, extra: { a: 1 } } })
  const answer = (await (await client.postForm('/oauth/token', await client.codeForm())).json()) as object
  expect(answer).toEqual({
    access_token: expect.any(String) as string,
    token_type: 'bearer',
    expires_in: 5,
    extra: { a: 1 },
  })
  const { refreshToken } = await client.logIn()
  expect(refreshToken).toBeTypeOf('string')
  expect(await queued()).toEqual([])
})

it('keeps a change for the next tokens while requests are refused', async () => {
  await queue({ endpoint: 'token', change: { expires_in: 5 } })
  expect((await client.refresh('unknown')).status).toBe(400)
  const [refused] = (await (await client.control('GET', '/requests')).json()) as { by?: string }[]
  expect(refused?.by).toBeUndefined()
  const tokens = await client.postForm('/oauth/token', await client.codeForm())
  expect(await tokens.json()).toMatchObject({ expires_in: 5 })
  expect(await queued()).toEqual([])
})

it('gives queued answers in their order, without processing the request', async () => {
  await queue({ endpoint: 'token', status: 503, headers: { 'retry-after': '7' }, body: 'busy' })
  await queue({ endpoint: 'token', status: 400, body: { error: 'invalid_grant' } })
  const form = await client.codeForm()
  const busy = await client.postForm('/oauth/token', form)
  expect([busy.status, busy.headers.get('retry-after'), await busy.text()]).toEqual([503, '7', 'busy'])
  const refused = await client.postForm('/oauth/token', form)
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json'])
  expect((await client.postForm('/oauth/token', form)).status).toBe(200)
})

it('changes the parameters of the next redirect, or replaces it', async () => {
  await queue({ endpoint: 'authorize', change: { code: null, error: 'temporarily_unavailable', iss: null } })
  await queue({ endpoint: 'authorize', status: 500, body: 'broken' })
  const { query } = goodRequest()
  const redirect = new URL((await client.authorize(query)).headers.get('location') ?? '')
  expect(Object.fromEntries(redirect.searchParams)).toEqual({
    state: query.state,
    error: 'temporarily_unavailable',
  })
  expect((await client.authorize(query)).status).toBe(500)
  expect((await client.authorize(query)).status).toBe(302)
})

it.each([
  {},
  { endpoint: 'userinfo', status: 200 },
  { endpoint: 'token' },
  { endpoint: 'token', status: 99 },
  { endpoint: 'token', change: {} },
  { endpoint: 'token', status: 204, body: 'x' },
  { endpoint: 'token', status: 200, headers: { 'a b': 'c' } },
  { endpoint: 'token', status: 200, change: {} },
])('refuses %j with a reason', async (answer) => {
  const response = await queue(answer)
  expect([response.status, await response.json()]).toEqual([400, { error: expect.any(String) as string }])
  expect(await queued()).toEqual([])
})

it('forgets queued answers at the next scenario and on demand', async () => {
  await queue({ endpoint: 'token', status: 500 })
  await client.scenario('all-well')
  expect(await queued()).toEqual([])
  await queue({ endpoint: 'token', status: 500 })
  await client.control('DELETE', '/oauth/answers')
  expect(await queued()).toEqual([])
})

it.each(['2', '3'] as const)('POST /_mock/tokens logs in without a browser in version %s', async (api) => {
  await client.control('PUT', '/portal', { api })
  const login = await client.control('POST', '/tokens', { user: 'somebody', expiresIn: 60 })
  const tokens = (await login.json()) as { accessToken: string; refreshToken: string; expiresIn: number }
  expect(tokens.expiresIn).toBe(60)
  const ask = () =>
    api === '2' ? client.call(tokens.accessToken, '/user_info') : client.call3(tokens.accessToken, '/info')
  const answer = await ask()
  expect(answer.status).toBe(200)
  if (api === '2') expect(await answer.json()).toMatchObject({ user_info: { data: { user_id: 'somebody' } } })
  await client.control('POST', '/clock', { advanceSeconds: 61 })
  expect((await ask()).status).toBe(401)
  expect((await client.refresh(tokens.refreshToken)).status).toBe(200)
})
