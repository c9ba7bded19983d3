import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestOrganizations } from './organizations.testing'

let mock: TestOrganizations
beforeAll(async () => {
  mock = await TestOrganizations.start()
})
afterAll(() => mock.close())
beforeEach(() => mock.reset())

it('GET /_mock/organizations returns everything that the mock stores', async () => {
  const { status, body } = await mock.call('GET', '/_mock/organizations')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    currentOrgId: 1,
    callerRole: 'Admin',
    organizations: [
      { id: 1, name: 'Mock University', address: { city: 'Utrecht' } },
      { id: 2, members: [{ userId: 1, role: 'Admin' }, {}, {}, {}, {}, {}] },
    ],
  })
  const { users } = body as { users: unknown[] }
  expect(users.length).toBeGreaterThanOrEqual(12)
  expect(users[0]).toEqual({
    id: 1,
    login: 'tester',
    email: 'tester@example.org',
    lastSeenAt: '2026-11-20T12:00:00.000Z',
  })
})

describe('PUT /_mock/organizations/current', () => {
  it('selects the current organization, until a reset', async () => {
    expect(await mock.answer('PUT', '/_mock/organizations/current', { orgId: 2 })).toEqual([
      200,
      { ok: true },
    ])
    expect(await mock.answer('GET', '/api/org')).toEqual([200, expect.objectContaining({ id: 2 })])
    expect(await mock.roles('/api/org')).toEqual(await mock.roles('/api/orgs/2'))
    expect((await mock.call('DELETE', '/api/orgs/1')).status).toBe(200)
    expect((await mock.call('DELETE', '/api/orgs/2')).status).toBe(400)
    await mock.reset()
    expect(await mock.answer('GET', '/api/org')).toEqual([200, { id: 1, name: 'Mock University' }])
  })

  it.each([
    [404, { orgId: 77 }],
    [400, { orgId: '1' }],
    [400, { orgId: -1 }],
    [400, { orgId: 1.5 }],
    [400, {}],
    [400, { orgId: 1, more: true }],
    [400, ''],
  ])('answers %d to %j', async (status, body) => {
    expect(await mock.answer('PUT', '/_mock/organizations/current', body)).toEqual([
      status,
      { error: expect.any(String) as string },
    ])
  })
})

describe('PUT /_mock/organizations/role', () => {
  it.each(['Viewer', 'Editor'])('lets a %s read, and refuses every change', async (role) => {
    expect(await mock.answer('PUT', '/_mock/organizations/role', { role })).toEqual([200, { ok: true }])
    const denied = [403, { message: 'Access denied' }]
    for (const [method, path, body] of [
      ['POST', '/api/orgs', { name: 'a' }],
      ['PUT', '/api/org', { name: 'a' }],
      ['PUT', '/api/orgs/2', { nonsense: true }],
      ['DELETE', '/api/orgs/2'],
      ['POST', '/api/org/users', { loginOrEmail: 'grace', role: 'Viewer' }],
      ['POST', '/api/org/users/3', { role: 'Viewer' }],
      ['PATCH', '/api/org/users/3', { role: 'Viewer' }],
      ['DELETE', '/api/org/users/3'],
      ['POST', '/api/orgs/2/users', { loginOrEmail: 'grace', role: 'Viewer' }],
      ['PATCH', '/api/orgs/2/users/9', { role: 'Viewer' }],
      ['DELETE', '/api/orgs/2/users/9'],
    ] as const) {
      expect(await mock.answer(method, path, body), `${method} ${path}`).toEqual(denied)
    }
    for (const path of ['/api/org', '/api/orgs/2', '/api/org/users', '/api/orgs/2/users']) {
      expect((await mock.call('GET', path)).status).toBe(200)
    }
    await mock.call('PUT', '/_mock/organizations/role', { role: 'Admin' })
    expect(await mock.create('Allowed')).toBe(3)
  })

  it.each([{}, { role: 'viewer' }, { role: ['Viewer'] }])('refuses %j', async (body) => {
    expect(await mock.answer('PUT', '/_mock/organizations/role', body)).toEqual([
      400,
      { error: expect.any(String) as string },
    ])
  })
})
