import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { hostileTexts } from '../seed/hostile-texts'
import { TestOrganizations } from './organizations.testing'

let mock: TestOrganizations
beforeAll(async () => {
  mock = await TestOrganizations.start()
})
afterAll(() => mock.close())
beforeEach(() => mock.reset())

const everything = async () => (await mock.call('GET', '/_mock/organizations')).body
/** Returns the visible state; the directory is excluded, because it may have grown. */
const withoutUsers = async () => ({ ...((await everything()) as object), users: [] })

async function play(name: string): Promise<void> {
  expect((await mock.scenario(name)).status).toBe(200)
}

it.each([
  'last-administrator',
  'thousand-users',
  'organization-hostile-names',
  'organization-without-users',
  'organization-gone',
  'organization-forbidden',
  'organization-unauthorized',
  'organization-name-conflicts',
  'organization-string-ids',
  'organization-empty-status',
  'organization-bare-users',
  'organization-text-ids',
  'organization-strict-bodies',
  'organization-basic-for-orgs',
  'organization-bad-records',
  'organization-rate-limited',
  'organization-server-error',
  'organization-down',
  'organization-proxy-error',
  'organization-slow',
  'organization-user-removed-elsewhere',
])('%s leaves no trace after all-well', async (name) => {
  const before = await withoutUsers()
  const users = await mock.answer('GET', '/api/org/users')
  await play(name)
  await play('all-well')
  expect(await withoutUsers()).toEqual(before)
  expect(await mock.answer('GET', '/api/org/users')).toEqual(users)
  expect(await mock.answer('POST', '/api/orgs', { name: 'New' })).toEqual([
    200,
    { orgId: 3, message: 'Organization created' },
  ])
})

it('last-administrator: the tester cannot leave until there is another administrator', async () => {
  await play('last-administrator')
  expect(await mock.roles('/api/org')).toMatchObject({ 1: 'Admin', 2: 'Editor' })
  expect(await mock.answer('DELETE', '/api/org/users/1')).toEqual([
    400,
    { message: 'Cannot remove last organization admin' },
  ])
  await mock.call('PATCH', '/api/org/users/3', { role: 'Admin' })
  expect((await mock.call('DELETE', '/api/org/users/1')).status).toBe(200)
})

it('keeps only the changes that clients made during a scenario', async () => {
  const before = await mock.roles('/api/org')
  await play('thousand-users')
  await mock.call('DELETE', '/api/org/users/4')
  await mock.call('DELETE', '/api/org/users/1500')
  await mock.call('PATCH', '/api/org/users/3', { role: 'Admin' })
  await mock.call('PUT', '/api/org', { name: 'Renamed' })
  const during = await mock.roles('/api/org')
  expect(during).not.toHaveProperty('1500')
  expect(Object.keys(during)).toHaveLength(1005)
  await play('all-well')
  const { 4: _removed, ...others } = before
  expect(await mock.roles('/api/org')).toEqual({ ...others, 3: 'Admin' })
  expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: 'Renamed' }])
})

it('thousand-users: one answer has all users of the current organization', async () => {
  await play('thousand-users')
  const { body } = await mock.call('GET', '/api/org/users')
  expect(body).toHaveLength(1007)
  expect(body).toEqual(
    expect.arrayContaining([expect.objectContaining({ userId: 2000, login: 'user-1000' })]),
  )
})

it('organization-hostile-names: names and logins arrive unchanged', async () => {
  await play('organization-hostile-names')
  expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: '<img src=x onerror=alert(1)>' }])
  const users = (await mock.call('GET', '/api/org/users')).body as { login: string }[]
  expect(users.map(({ login }) => login)).toEqual(expect.arrayContaining(hostileTexts.organizations))
})

it('organization-without-users: the list is empty, and accepts a first user', async () => {
  await play('organization-without-users')
  expect(await mock.answer('GET', '/api/org/users')).toEqual([200, []])
  await mock.call('POST', '/api/org/users', { loginOrEmail: 'tester', role: 'Admin' })
  expect(await mock.roles('/api/org')).toEqual({ 1: 'Admin' })
})

it('organization-gone: every call for it is answered 404, and its name stays taken', async () => {
  await play('organization-gone')
  const notFound = [404, { message: 'Organization not found' }]
  for (const [method, path, body] of [
    ['GET', '/api/org'],
    ['GET', '/api/orgs/1'],
    ['GET', '/api/orgs/name/Mock%20University'],
    ['PUT', '/api/org', { name: 'a' }],
    ['DELETE', '/api/orgs/1'],
    ['GET', '/api/org/users'],
    ['POST', '/api/org/users', { loginOrEmail: 'grace', role: 'Viewer' }],
    ['POST', '/api/org/users/3', { role: 'Viewer' }],
    ['DELETE', '/api/org/users/3'],
  ] as const) {
    expect(await mock.answer(method, path, body), `${method} ${path}`).toEqual(notFound)
  }
  expect((await mock.call('GET', '/api/orgs/2')).status).toBe(200)
  expect((await mock.call('POST', '/api/orgs', { name: 'Mock University' })).status).toBe(409)
})

it('organization-forbidden: the caller can read, but not change', async () => {
  await play('organization-forbidden')
  expect((await mock.call('GET', '/api/org/users')).status).toBe(200)
  expect(await mock.answer('DELETE', '/api/org/users/3')).toEqual([403, { message: 'Access denied' }])
})

it('organization-unauthorized: every call is answered 401', async () => {
  await play('organization-unauthorized')
  const { status, body, headers } = await mock.call('GET', '/api/org')
  expect([status, body]).toEqual([401, { message: 'Unauthorized' }])
  expect(headers.get('www-authenticate')).toMatch(/^Bearer /)
})

it('organization-name-conflicts: every name is taken', async () => {
  await play('organization-name-conflicts')
  const taken = [409, { message: 'Organization name taken' }]
  expect(await mock.answer('POST', '/api/orgs', { name: 'Surely free' })).toEqual(taken)
  expect(await mock.answer('PUT', '/api/org', { name: 'Surely free' })).toEqual(taken)
})

it('organization-string-ids: the id of a new organization is a string', async () => {
  await play('organization-string-ids')
  expect(await mock.answer('POST', '/api/orgs', { name: 'New' })).toEqual([
    200,
    { orgId: '3', message: 'Organization created' },
  ])
  expect(await mock.answer('PUT', '/api/org', { name: 'Same' })).toEqual([
    200,
    { message: 'Organization updated' },
  ])
})

it('organization-empty-status: changes are answered with an empty object', async () => {
  await play('organization-empty-status')
  expect(await mock.answer('POST', '/api/orgs', { name: 'New' })).toEqual([200, {}])
  expect(await mock.answer('GET', '/api/orgs/name/New')).toEqual([200, expect.objectContaining({ id: 3 })])
})

it('organization-bare-users: fields of newer servers are missing or null', async () => {
  await play('organization-bare-users')
  const { body } = await mock.call('GET', '/api/org/users')
  const [first, second] = body as unknown[]
  expect(first).toEqual({ orgId: 1, userId: 1, email: 'tester@example.org', login: 'tester', role: 'Admin' })
  expect(second).toMatchObject({ userId: 2, avatarUrl: null, lastSeenAt: null, lastSeenAtAge: null })
})

it('organization-down: every call is answered 503 with a message', async () => {
  await play('organization-down')
  for (const path of ['/api/org', '/api/orgs/2/users']) {
    expect(await mock.answer('GET', path)).toEqual([503, { message: 'Service unavailable' }])
  }
})

it('organization-proxy-error: every call is answered with HTML instead of JSON', async () => {
  await play('organization-proxy-error')
  const { status, body, headers } = await mock.call('GET', '/api/org/users')
  expect([status, headers.get('content-type')]).toEqual([502, 'text/html'])
  expect(body).toContain('<h1>502 Bad Gateway</h1>')
})

it('organization-slow: every call is delayed by ten seconds', async () => {
  await play('organization-slow')
  expect((await mock.call('GET', '/_mock/faults')).body).toEqual([
    expect.objectContaining({ match: { path: '/api/org*' }, fault: { delayMs: 10_000 } }),
  ])
})

it('organization-user-removed-elsewhere: listed users cannot be changed or removed', async () => {
  await play('organization-user-removed-elsewhere')
  const notFound = [404, { message: 'User not found' }]
  expect(await mock.roles('/api/org')).toHaveProperty('3')
  for (const path of ['/api/org', '/api/orgs/1']) {
    expect(await mock.answer('PATCH', `${path}/users/3`, { role: 'Viewer' })).toEqual(notFound)
    expect(await mock.answer('DELETE', `${path}/users/3`)).toEqual(notFound)
  }
  expect(await mock.answer('POST', '/api/org/users/3', { role: 'Viewer' })).toEqual(notFound)
})

it('organization-text-ids: every id is a string', async () => {
  await play('organization-text-ids')
  expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: '1', name: 'Mock University' }])
  const { body } = await mock.call('GET', '/api/org/users')
  expect(body).toMatchObject([{ orgId: '1', userId: '1' }, {}, {}, {}, {}, {}, {}])
  expect(await mock.answer('POST', '/api/orgs', { name: 'New' })).toMatchObject([200, { orgId: '3' }])
})

it('organization-strict-bodies: a body must have exactly the documented fields', async () => {
  await play('organization-strict-bodies')
  const address = { address1: '', address2: '', city: 'Gent', zipCode: '', state: '', country: '' }
  const refused = [400, { message: 'The body is not exactly what the document has' }]
  expect(await mock.answer('PUT', '/api/org', { name: 'A' })).toEqual(refused)
  expect(await mock.answer('PUT', '/api/org', { name: 'A', address: { city: 'Gent' } })).toEqual(refused)
  expect(await mock.answer('PUT', '/api/org', { name: 'A', address, plan: 'gold' })).toEqual(refused)
  expect(await mock.answer('PATCH', '/api/orgs/1/users/3', { role: 'Viewer' })).toEqual(refused)
  expect((await mock.call('PUT', '/api/org', { name: 'A', address })).status).toBe(200)
  expect(
    (await mock.call('PATCH', '/api/orgs/1/users/3', { loginOrEmail: 'bram', role: 'Viewer' })).status,
  ).toBe(200)
  expect((await mock.call('DELETE', '/api/org/users/3')).status).toBe(200)
})

it('organization-basic-for-orgs: a token is refused below /api/orgs', async () => {
  await play('organization-basic-for-orgs')
  const ask = (path: string, authorization: string) => mock.call('GET', path, undefined, { authorization })
  expect((await ask('/api/org', 'Bearer x')).status).toBe(200)
  const { status, headers } = await ask('/api/orgs/1', 'Bearer x')
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
  expect((await ask('/api/orgs/1', `Basic ${btoa('admin:admin')}`)).status).toBe(200)
})

it('organization-bad-records: the list of users has two invalid records', async () => {
  await play('organization-bad-records')
  const { body } = await mock.call('GET', '/api/org/users')
  expect(body).toHaveLength(9)
  expect((body as unknown[]).slice(0, 2)).toEqual([{ orgId: 1, role: 'Viewer' }, null])
})

it.each([
  ['organization-rate-limited', 429, '120'],
  ['organization-server-error', 500, null],
])('%s answers %i with Retry-After %j', async (name, expected, after) => {
  await play(name)
  const { status, headers } = await mock.call('GET', '/api/org')
  expect([status, headers.get('retry-after')]).toEqual([expected, after])
})
