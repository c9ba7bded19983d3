import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestOrganizations } from './organizations.testing'

let mock: TestOrganizations
beforeAll(async () => {
  mock = await TestOrganizations.start()
})
afterAll(() => mock.close())
beforeEach(() => mock.reset())

const organizationNotFound = [404, { message: 'Organization not found' }]
const userNotFound = [404, { message: 'User not found' }]
const lastAdmin = [400, { message: 'Cannot remove last organization admin' }]
const updated = [200, { message: 'Organization user updated' }]
const removed = [200, { message: 'User removed from organization' }]

describe.each([
  ['the current organization', '/api/org'],
  ['an organization in the path', '/api/orgs/1'],
])('users of %s', (_name, path) => {
  it('are listed with all fields of newer servers', async () => {
    const { status, body } = await mock.call('GET', `${path}/users`)
    expect(status).toBe(200)
    expect(body).toHaveLength(7)
    expect((body as unknown[]).slice(0, 3)).toEqual([
      {
        orgId: 1,
        userId: 1,
        email: 'tester@example.org',
        login: 'tester',
        role: 'Admin',
        avatarUrl: '/avatar/889759bfc8304d238a5fa51d52c62ce0',
        lastSeenAt: '2026-11-20T12:00:00.000Z',
        lastSeenAtAge: '< 1 minute',
      },
      expect.objectContaining({ login: 'anna', role: 'Admin', lastSeenAtAge: '1 hour' }),
      expect.objectContaining({ login: 'bram', role: 'Editor', lastSeenAtAge: '1 day' }),
    ])
  })

  it.each([
    ['мария', 8],
    ['МАРИЯ', 8],
    ['maria@example.net', 8],
    [' Maria@Example.NET ', 8],
    ["o'brien", 15],
  ])('can be added by %s', async (loginOrEmail, userId) => {
    expect(await mock.answer('POST', `${path}/users`, { loginOrEmail, role: 'Editor' })).toEqual([
      200,
      { message: 'User added to organization', userId },
    ])
    expect(await mock.roles(path)).toMatchObject({ 1: 'Admin', [userId]: 'Editor' })
  })

  it('cannot be added twice, or without being in the directory', async () => {
    expect(await mock.answer('POST', `${path}/users`, { loginOrEmail: 'Anna', role: 'Viewer' })).toEqual([
      409,
      { message: 'User is already member of this organization' },
    ])
    expect(await mock.answer('POST', `${path}/users`, { loginOrEmail: 'nobody', role: 'Viewer' })).toEqual(
      userNotFound,
    )
    expect(await mock.roles(path)).toMatchObject({ 2: 'Admin' })
  })

  it.each([
    [{ loginOrEmail: 'grace' }, 'role: must be Viewer, Editor or Admin'],
    [{ loginOrEmail: 'grace', role: 'admin' }, 'role: must be Viewer, Editor or Admin'],
    [{ loginOrEmail: 'grace', role: null }, 'role: must be Viewer, Editor or Admin'],
    [{ role: 'Admin' }, 'loginOrEmail: must be a text of 1 to 190 characters, without control characters'],
    [
      { loginOrEmail: ' ', role: 'Admin' },
      'loginOrEmail: must be a text of 1 to 190 characters, without control characters',
    ],
    [
      { loginOrEmail: 'a'.repeat(10_000), role: 'Admin' },
      'loginOrEmail: must be a text of 1 to 190 characters, without control characters',
    ],
    [[], 'the body: must be an object with loginOrEmail and role'],
    ['{', 'The body is not JSON.'],
  ])('cannot be added with %j', async (body, message) => {
    expect(await mock.answer('POST', `${path}/users`, body)).toEqual([400, { message }])
  })

  it('can be removed and added again', async () => {
    expect(await mock.answer('DELETE', `${path}/users/4`)).toEqual(removed)
    expect(await mock.roles(path)).not.toHaveProperty('4')
    expect(await mock.answer('DELETE', `${path}/users/4`)).toEqual(userNotFound)
    expect((await mock.call('POST', `${path}/users`, { loginOrEmail: 'chloe', role: 'Admin' })).status).toBe(
      200,
    )
    expect(await mock.roles(path)).toMatchObject({ 4: 'Admin' })
  })

  it('keep their last administrator, who cannot be removed or get a lower role', async () => {
    expect(await mock.answer('DELETE', `${path}/users/2`)).toEqual(removed)
    expect(await mock.answer('DELETE', `${path}/users/1`)).toEqual(lastAdmin)
    expect(await mock.answer('PATCH', `${path}/users/1`, { role: 'Editor' })).toEqual(lastAdmin)
    expect(await mock.answer('PATCH', `${path}/users/1`, { role: 'Admin' })).toEqual(updated)
    expect(await mock.answer('PATCH', `${path}/users/3`, { role: 'Admin' })).toEqual(updated)
    expect(await mock.answer('DELETE', `${path}/users/1`)).toEqual(removed)
  })

  it('answer 404 to an id of another user and 400 to an invalid id', async () => {
    for (const [method, body] of [['DELETE'], ['PATCH', { role: 'Viewer' }]] as const) {
      expect(await mock.answer(method, `${path}/users/8`, body)).toEqual(userNotFound)
      expect(await mock.answer(method, `${path}/users/0`, body)).toEqual(userNotFound)
      expect(await mock.answer(method, `${path}/users/tester`, body)).toEqual([
        400,
        { message: 'userId: must be a whole number from 0 to 9007199254740991' },
      ])
    }
  })
})

describe.each([
  ['POST', '/api/org'],
  ['PATCH', '/api/org'],
  ['PATCH', '/api/orgs/1'],
])('%s %s/users/:userId', (method, path) => {
  it('sets the role, and ignores loginOrEmail', async () => {
    expect(await mock.answer(method, `${path}/users/3`, { role: 'Admin' })).toEqual(updated)
    expect(await mock.roles(path)).toMatchObject({ 3: 'Admin' })
    expect(await mock.answer(method, `${path}/users/3`, { loginOrEmail: 'anna', role: 'Viewer' })).toEqual(
      updated,
    )
    expect(await mock.roles(path)).toMatchObject({ 2: 'Admin', 3: 'Viewer' })
  })

  it.each([
    [{}, 'role: must be Viewer, Editor or Admin'],
    [{ role: 'Owner' }, 'role: must be Viewer, Editor or Admin'],
    [
      { role: 'Admin', loginOrEmail: 4 },
      'loginOrEmail: must be a text of 1 to 190 characters, without control characters',
    ],
    ['', 'the body: must be an object with a role'],
    ['"Admin"', 'the body: must be an object with a role'],
  ])('refuses %j', async (body, message) => {
    expect(await mock.answer(method, `${path}/users/3`, body)).toEqual([400, { message }])
    expect(await mock.roles(path)).toMatchObject({ 3: 'Editor' })
  })
})

it('answers 404 to every call for the users of an unknown organization', async () => {
  expect(await mock.answer('GET', '/api/orgs/77/users')).toEqual(organizationNotFound)
  const body = { loginOrEmail: 'nobody', role: 'Viewer' }
  expect(await mock.answer('POST', '/api/orgs/77/users', body)).toEqual(organizationNotFound)
  expect(await mock.answer('PATCH', '/api/orgs/77/users/1', body)).toEqual(organizationNotFound)
  expect(await mock.answer('DELETE', '/api/orgs/77/users/1')).toEqual(organizationNotFound)
})

it('refuses POST /api/orgs/:orgId/users/:userId, which is not in the document', async () => {
  const { status, headers } = await mock.call('POST', '/api/orgs/1/users/3', { role: 'Admin' })
  expect([status, headers.get('allow')]).toEqual([405, 'PATCH, DELETE'])
})

it('changes members of one organization only', async () => {
  const before = await mock.roles('/api/orgs/2')
  await mock.call('PATCH', '/api/org/users/2', { role: 'Viewer' })
  expect(await mock.roles('/api/orgs/2')).toEqual(before)
})

it('increases the time since the last visit with the clock', async () => {
  await mock.call('POST', '/_mock/clock', { advanceSeconds: 7200 })
  const { body } = await mock.call('GET', '/api/org/users')
  expect(body).toMatchObject([{ lastSeenAtAge: '2 hours' }, { lastSeenAtAge: '3 hours' }, {}, {}, {}, {}, {}])
})

it('has seed users of each role in both organizations, some only in the second and some in neither', async () => {
  const [first, second] = [await mock.roles('/api/orgs/1'), await mock.roles('/api/orgs/2')]
  for (const roles of [first, second]) {
    expect(new Set(Object.values(roles))).toEqual(new Set(['Viewer', 'Editor', 'Admin']))
  }
  expect(Object.keys(second).filter((id) => !(id in first)).length).toBeGreaterThan(2)
  const { users } = (await mock.call('GET', '/_mock/organizations')).body as { users: { id: number }[] }
  expect(users.filter(({ id }) => !(id in first) && !(id in second)).length).toBeGreaterThan(2)
})
