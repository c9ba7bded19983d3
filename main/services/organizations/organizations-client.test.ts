import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { CausewayError, toErrorReport } from '../../errors'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import type { Authorization, CredentialKind } from './organization-credentials'
import { createOrganizationsClient, type OrganizationsClient } from './organizations-client'

const http = createHttpClient()

function clientAt(
  baseUrl: string,
  authorization: (url: URL, kind?: CredentialKind) => Promise<Authorization> = () => Promise.resolve({}),
): OrganizationsClient {
  return createOrganizationsClient({ http, baseUrl, authorization })
}

/** Starts a service that gives every request the same answer. */
function service(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  return startTestServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

describe('an independent server', () => {
  let mock: MockServer
  let client: OrganizationsClient
  beforeAll(async () => {
    mock = await startTestMock()
    client = clientAt(mock.organizations)
  })
  afterAll(() => mock.close())
  beforeEach(() => control('POST', '/reset'))

  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${mock.control}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const scenario = (name: string) => control('POST', `/scenarios/${name}`)

  async function journal(): Promise<{ method: string; path: string; body: string | null }[]> {
    return (await control('GET', '/requests')) as never
  }
  /** Returns the requests since the last call, with their bodies. */
  async function sent(): Promise<[call: string, ...bodies: unknown[]][]> {
    const requests = await journal()
    await control('DELETE', '/requests')
    return requests.map(({ method, path, body }) => [
      `${method} ${path}`,
      ...(body === null ? [] : [JSON.parse(body) as unknown]),
    ])
  }
  const fault = (method: string, path: string, strikes: object) =>
    control('POST', '/faults', { match: { method, path }, fault: strikes })
  const roleOf = async (place: 'current' | { orgId: string }, userId: string) =>
    (await client.users(place)).items.find((user) => user.userId === userId)?.role

  it('makes all fifteen calls', async () => {
    expect(await client.current()).toEqual({ id: '1', name: 'Mock University' })
    expect(await client.byId('1')).toMatchObject({ address: { city: 'Utrecht' } })
    expect((await client.byName('Forschungsnetz Süd / 研究室')).id).toBe('2')
    const created = await client.create({ name: 'Ünion 100% ?#/', address: { city: 'Gent' } })
    expect(created).toEqual({ orgId: '3', message: 'Organization created' })
    expect(await client.byName('Ünion 100% ?#/')).toMatchObject({ id: '3', address: { city: 'Gent' } })
    const third = { orgId: '3' }

    expect((await client.addUser(third, { loginOrEmail: 'grace', role: 'Viewer' })).userId).toBe('13')
    await client.setRole(third, { userId: '13' }, 'Admin')
    expect(await roleOf(third, '13')).toBe('Admin')
    await client.removeUser(third, '13')
    expect(await roleOf(third, '13')).toBeUndefined()
    await client.update(third, { name: 'Union' })
    expect(await client.byId('3')).toMatchObject({ name: 'Union', address: { city: 'Gent' } })
    expect((await client.remove('3')).message).toBe('Organization deleted')

    await client.addUser('current', { loginOrEmail: 'ZOE@example.com', role: 'Editor' })
    await client.setRole('current', { userId: '16' }, 'Viewer')
    expect(await roleOf('current', '16')).toBe('Viewer')
    await client.removeUser('current', '16')
    await client.update('current', { name: 'University', address: { city: 'Leiden' } })
    expect(await client.byId('1')).toMatchObject({
      name: 'University',
      address: { address1: 'Binnenhof 1', city: 'Leiden', zipCode: '3512 AB' },
    })

    const made = new Set(
      (await journal()).map(({ method, path }) => `${method} ${path.replace(/\d+/g, ':id')}`),
    )
    for (const call of [
      'POST /api/orgs',
      'GET /api/org',
      'GET /api/orgs/:id',
      'PUT /api/org',
      'PUT /api/orgs/:id',
      'DELETE /api/orgs/:id',
      'GET /api/org/users',
      'GET /api/orgs/:id/users',
      'POST /api/org/users',
      'POST /api/org/users/:id',
      'DELETE /api/org/users/:id',
      'POST /api/orgs/:id/users',
      'PATCH /api/orgs/:id/users/:id',
      'DELETE /api/orgs/:id/users/:id',
    ]) {
      expect(made).toContain(call)
    }
    expect([...made].some((call) => call.startsWith('GET /api/orgs/name/'))).toBe(true)
  })

  it.each<[string, (client: OrganizationsClient) => Promise<unknown>, string]>([
    ['last-administrator', (c) => c.removeUser('current', '1'), 'organizations/last-administrator'],
    [
      'last-administrator',
      (c) => c.setRole('current', { userId: '1' }, 'Viewer'),
      'organizations/last-administrator',
    ],
    ['organization-gone', (c) => c.users('current'), 'organizations/not-found'],
    [
      'organization-gone',
      (c) => c.addUser('current', { loginOrEmail: 'grace', role: 'Admin' }),
      'organizations/not-found',
    ],
    ['organization-forbidden', (c) => c.create({ name: 'New' }), 'organizations/forbidden'],
    ['organization-unauthorized', (c) => c.current(), 'organizations/unauthorized'],
    [
      'organization-name-conflicts',
      (c) => c.update('current', { name: 'Other' }),
      'organizations/name-taken',
    ],
    ['organization-name-conflicts', (c) => c.create({ name: 'Other' }), 'organizations/name-taken'],
    [
      'organization-user-removed-elsewhere',
      (c) => c.setRole('current', { userId: '3' }, 'Viewer'),
      'organizations/user-not-found',
    ],
    ['organization-down', (c) => c.current(), 'organizations/refused'],
    ['organization-proxy-error', (c) => c.users('current'), 'organizations/refused'],
    [
      'all-well',
      (c) => c.addUser('current', { loginOrEmail: 'anna', role: 'Viewer' }),
      'organizations/already-member',
    ],
    [
      'all-well',
      (c) => c.addUser('current', { loginOrEmail: 'nobody', role: 'Viewer' }),
      'organizations/user-not-found',
    ],
    ['all-well', (c) => c.byId('77'), 'organizations/not-found'],
    ['all-well', (c) => c.remove('1'), 'organizations/refused'],
  ])('reports the error of scenario %s', async (name, call, code) => {
    await scenario(name)
    expect(await rejection(call(client))).toMatchObject({ code })
  })

  it('reads a thousand users, and keeps hostile names unchanged', async () => {
    await scenario('thousand-users')
    expect((await client.users('current')).items).toHaveLength(1007)
    await scenario('all-well')
    await scenario('organization-hostile-names')
    const { name } = await client.current()
    expect((await client.byName(name)).id).toBe('1')
    await client.update('current', { address: { country: 'NL' } })
    expect(await client.byId('1'), 'also a name that nobody could type').toMatchObject({ name })
  })

  it('reads users of an older server', async () => {
    await scenario('organization-bare-users')
    expect((await client.users('current')).items).toHaveLength(7)
  })

  it.each(['organization-strict-bodies', 'organization-text-ids', 'organization-bad-records'])(
    'changes an organization and its users: %s',
    async (name) => {
      await scenario(name)
      const { orgId = '' } = await client.create({ name: 'New' })
      await client.update({ orgId }, { address: { city: 'Gent' } })
      await client.addUser({ orgId }, { loginOrEmail: 'grace', role: 'Viewer' })
      await client.setRole({ orgId }, { userId: '13' }, 'Editor')
      expect(await roleOf({ orgId }, '13')).toBe('Editor')
      expect((await client.users('current')).unreadable).toBe(name === 'organization-bad-records' ? 2 : 0)
    },
  )

  it.each(['organization-string-ids', 'organization-empty-status'])(
    'returns the id of a new organization: %s',
    async (name) => {
      await scenario(name)
      expect((await client.create({ name: 'New' })).orgId).toBe('3')
      await client.update({ orgId: '3' }, { name: 'Newer' })
    },
  )

  const empty = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' }

  it('sends complete bodies, and requests what they need', async () => {
    await scenario('organization-strict-bodies')
    await control('DELETE', '/requests')
    await client.create({ name: 'New' })
    expect(await sent()).toEqual([['POST /api/orgs', { name: 'New', address: empty }]])
    await client.addUser({ orgId: '3' }, { loginOrEmail: 'grace', role: 'Viewer' })
    await client.setRole({ orgId: '3' }, { userId: '13' }, 'Editor')
    await client.removeUser({ orgId: '3' }, '13')
    expect(await sent()).toEqual([
      ['POST /api/orgs/3/users', { loginOrEmail: 'grace', role: 'Viewer' }],
      ['GET /api/orgs/3/users'],
      ['PATCH /api/orgs/3/users/13', { loginOrEmail: 'grace', role: 'Editor' }],
      ['DELETE /api/orgs/3/users/13'],
    ])
    await client.addUser('current', { loginOrEmail: 'zoë', role: 'Viewer' })
    await client.setRole('current', { userId: '16' }, 'Editor')
    await client.removeUser('current', '16')
    expect(await sent()).toEqual([
      ['POST /api/org/users', { loginOrEmail: 'zoë', role: 'Viewer' }],
      ['GET /api/org/users'],
      ['POST /api/org/users/16', { loginOrEmail: 'zoë', role: 'Editor' }],
      ['DELETE /api/org/users/16'],
    ])
    const { address } = await client.byId('1')
    await client.byName('Forschungsnetz Süd / 研究室')
    await client.remove('3')
    await control('DELETE', '/requests')
    await client.update('current', { name: 'Renamed' })
    expect(await sent()).toEqual([
      ['GET /api/org'],
      ['GET /api/orgs/1'],
      ['PUT /api/org', { name: 'Renamed', address }],
    ])
  })

  it('updates an organization with its whole address, without undocumented fields', async () => {
    const address = { ...empty, address1: 'Main Street 1', city: 'Gent', zipCode: '9000', country: 'BE' }
    await fault('GET', '/api/orgs/2', {
      status: 200,
      body: { id: 2, name: 'A / Ü', address: { ...address, geo: { lat: 51 } }, plan: 'gold', version: 7 },
    })
    expect(await client.byId('2')).toMatchObject({ plan: 'gold' })
    await control('DELETE', '/requests')
    await client.update({ orgId: '2' }, { address: { zipCode: ' 1 ' } })
    expect(await sent()).toEqual([
      ['GET /api/orgs/2'],
      ['PUT /api/orgs/2', { name: 'A / Ü', address: { ...address, zipCode: '1' } }],
    ])
  })

  it('finds a new organization by its name if the answer has no id', async () => {
    await fault('POST', '/api/orgs', { status: 201, body: { message: 'Organization created' } })
    await fault('GET', '/api/orgs/name/*', { status: 200, body: { id: 101, name: 'New / Ü' } })
    await control('DELETE', '/requests')
    expect(await client.create({ name: 'New / Ü' })).toMatchObject({ orgId: '101' })
    expect((await sent()).map(([call]) => call)).toEqual([
      'POST /api/orgs',
      'GET /api/orgs/name/New%20%2F%20%C3%9C',
    ])
  })

  it.each<[string, object]>([
    ['unavailable', { status: 503, body: '<html>' }],
    ['busy', { status: 429, headers: { 'retry-after': '60' }, body: {} }],
    ['unreachable', { reset: true }],
    ['refused', { status: 403, body: {} }],
    ['in another form', { status: 200, body: '<html>' }],
  ])('says that an organization was created where the lookup of its id is %s', async (_how, strikes) => {
    await fault('POST', '/api/orgs', { status: 201, body: { message: 'Organization created' } })
    await fault('GET', '/api/orgs/name/*', strikes)
    expect(await client.create({ name: 'New' })).toEqual({
      orgId: undefined,
      message: 'Organization created',
    })
  })

  it('reads ids that are texts and exceed the range of numbers', async () => {
    const [orgId, userId] = ['9007199254740993', '9007199254741004']
    const about = { id: orgId, name: 'First', address: empty }
    const one = { orgId, userId, email: 'bo@example.org', login: 'bo', role: 'Viewer', labels: ['x'] }
    await fault('GET', '/api/org', { status: 200, body: about })
    await fault('GET', `/api/orgs/${orgId}`, { status: 200, body: about })
    await fault('PUT', `/api/orgs/${orgId}`, { status: 201, body: { message: 'Organization updated' } })
    await fault('GET', `/api/orgs/${orgId}/users`, { status: 200, body: [one] })
    await fault('PATCH', `/api/orgs/${orgId}/users/*`, { status: 201, body: {} })
    await control('DELETE', '/requests')
    expect((await client.current()).id).toBe(orgId)
    await client.update({ orgId }, { name: 'Other' })
    expect((await client.users({ orgId })).items.map((user) => user.userId)).toEqual([userId])
    await client.setRole({ orgId }, { userId }, 'Admin')
    expect((await sent()).map(([call]) => call)).toEqual([
      'GET /api/org',
      `GET /api/orgs/${orgId}`,
      `PUT /api/orgs/${orgId}`,
      `GET /api/orgs/${orgId}/users`,
      `GET /api/orgs/${orgId}/users`,
      `PATCH /api/orgs/${orgId}/users/${userId}`,
    ])
  })

  it('lists the valid users beside invalid records', async () => {
    const { items: usual } = await client.users('current')
    await scenario('organization-bad-records')
    const { items, unreadable } = await client.users('current')
    expect([items.map(({ login }) => login), unreadable]).toEqual([usual.map(({ login }) => login), 2])
  })

  it.each([
    [429, '120', 'is busy (“Not now”). Try again in 2 minutes.', 120],
    [429, '2300894574', 'is busy (“Not now”). Try again later.', undefined],
    [500, '1', 'has an internal error (status 500) (“Not now”). Try again in 1 second.', 1],
    [500, '0', 'has an internal error (status 500) (“Not now”). Try again later.', undefined],
  ])('reports a refusal and when to retry: %i, %s', async (status, after, sentence, retryAfterSeconds) => {
    await fault('GET', '/api/org', {
      status,
      headers: { 'retry-after': after },
      body: { message: 'Not now' },
    })
    const failed = (await rejection(client.current())) as CausewayError
    expect(failed.code).toBe('organizations/refused')
    expect(failed.message).toBe(`The service ${new URL(mock.organizations).host} ${sentence}`)
    expect(failed.details?.retryAfterSeconds).toBe(retryAfterSeconds)
  })

  it('aborts a call', async () => {
    await scenario('organization-slow')
    const controller = new AbortController()
    const failed = rejection(client.current(controller.signal))
    controller.abort()
    expect(await failed).toMatchObject({ code: 'http/cancelled' })
  })
})

describe('a service that accepts only a user name and password', () => {
  const bearer = { kind: 'bearer', header: 'Bearer a-token' } as const
  const basic = { kind: 'basic', header: `Basic ${Buffer.from('admin:admin').toString('base64')}` } as const
  let mock: MockServer
  beforeAll(async () => {
    mock = await startTestMock({ orgAuth: 'basic' })
  })
  afterAll(() => mock.close())

  it('sends them after it rejected a token', async () => {
    const client = clientAt(mock.organizations, (_url, kind) =>
      Promise.resolve(kind === 'basic' ? basic : bearer),
    )
    expect((await client.current()).id).toBe('1')
    await client.removeUser('current', '3')
    const journal = (await (await fetch(`${mock.control}/requests`)).json()) as {
      readonly method: string
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly status: number
    }[]
    expect(
      journal.map(({ method, path, headers, status }) => [method, path, headers.authorization, status]),
    ).toEqual([
      ['GET', '/api/org', bearer.header, 401],
      ['GET', '/api/org', basic.header, 200],
      ['DELETE', '/api/org/users/3', bearer.header, 401],
      ['DELETE', '/api/org/users/3', basic.header, 200],
    ])
  })

  it.each([
    [bearer, 'requires a user name and password, not a token', '--kind basic --user NAME'],
    [{ ...basic, header: 'Basic eDp5' }, 'rejected the user name and password', '--kind basic'],
    [{}, 'requires you to sign in', '--kind basic --user NAME'],
  ] as const)('explains the next step after sending %j', async (sent, what, todo) => {
    const client = clientAt(mock.organizations, (_url, kind) =>
      Promise.resolve(kind === undefined ? sent : {}),
    )
    const { message } = (await rejection(client.current())) as CausewayError
    expect(message).toContain(what)
    expect(message).toContain(todo)
  })

  it('wants a password below /api/orgs even if the service does not name a kind', async () => {
    const { origin } = await service({ message: 'Unauthorized' }, 401)
    const client = clientAt(origin, () => Promise.resolve(bearer))
    expect(await rejection(client.byId('1'))).toMatchObject({ details: { wants: 'basic', sent: 'bearer' } })
    expect(await rejection(client.current())).toMatchObject({ details: { wants: undefined, sent: 'bearer' } })
  })
})

it.each([401, 403, 404])(
  'renames the current organization without its unreadable address (%i), but refuses to change part of the address',
  async (status) => {
    const bodies: string[] = []
    const { origin } = await startTestServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        if (request.method === 'PUT') bodies.push(body)
        response.statusCode = request.url === '/api/orgs/1' ? status : 200
        response.end(JSON.stringify({ id: 1, name: 'A' }))
      })
    })
    await clientAt(origin).update('current', { name: 'B' })
    await expect(clientAt(origin).update('current', { address: { city: 'C' } })).rejects.toThrow()
    expect(bodies).toEqual(['{"name":"B"}'])
  },
)

it.each<[string, (client: OrganizationsClient) => Promise<unknown>]>([
  ['a negative number', (c) => c.byId('-1')],
  ['half a number', (c) => c.users({ orgId: '1.5' })],
  ['no name', (c) => c.create({ name: ' ' })],
  ['a name of a path', (c) => c.byName('..')],
  ['control characters', (c) => c.update('current', { name: 'a\nb' })],
  ['half a character', (c) => c.byName('\ud800')],
  ['an address without end', (c) => c.update('current', { address: { city: 'x'.repeat(2000) } })],
  ['an unknown role', (c) => c.setRole('current', { userId: '1' }, 'Owner')],
  ['no user', (c) => c.addUser('current', { loginOrEmail: '', role: 'Viewer' })],
])('rejects an invalid request without sending it: %s', async (_what, call) => {
  const { origin, requests } = await service({})
  expect(await rejection(call(clientAt(origin)))).toMatchObject({ code: 'organizations/invalid-request' })
  expect(requests).toEqual([])
})

it('keeps every digit of a large numeric id', async () => {
  const { origin } = await service('{"id":9007199254740993,"name":"A"}', 200)
  expect((await clientAt(origin).current()).id).toBe('9007199254740993')
})

it.each([
  ['no JSON', '<html>', 200],
  ['a list', [], 200],
  ['no name', { id: 1 }, 200],
  ['an invalid number', { id: '1a', name: 'A' }, 200],
  ['a number that is no whole one', { id: 1.5, name: 'A' }, 200],
  ['an invalid address', { id: 1, name: 'A', address: 'B' }, 200],
  ['another success', { id: 1, name: 'A' }, 204 + 2],
  ['a redirect', '', 302],
])('rejects any other answer as an organization: %s', async (_what, body, status) => {
  const { origin, requests } = await service(body, status, { location: 'http://127.0.0.1:1/' })
  expect(await rejection(clientAt(origin).current())).toMatchObject({
    code: 'organizations/invalid-response',
  })
  expect(requests).toHaveLength(1)
})

it.each([
  ['an empty body', '', 204],
  ['a body without fields', {}, 201],
  ['fields of tomorrow', { message: 'Done', uid: 'x', more: [1] }, 200],
  ['nulls', { message: null, orgId: null }, 200],
])('accepts %s as confirmation of a change', async (_what, body, status) => {
  const { origin } = await service(body, status)
  await clientAt(origin).removeUser('current', '1')
})

it('retries a read once after a temporary error, and never a change', async () => {
  const { origin, requests } = await service({ message: 'x' }, 503)
  await rejection(clientAt(origin).current())
  expect(requests).toHaveLength(2)
  await rejection(clientAt(origin).remove('1'))
  expect(requests).toHaveLength(3)
  const busy = await service({ message: 'x' }, 503, { 'retry-after': '30' })
  expect(await rejection(clientAt(busy.origin).current())).toMatchObject({
    code: 'organizations/refused',
    details: { status: 503, retryAfterSeconds: 30 },
  })
  expect(busy.requests).toHaveLength(1)
})

it('retries a read once after a lost connection', async () => {
  let first = true
  const { origin, requests } = await startTestServer((request, response) => {
    if (first) request.socket.destroy()
    else response.end(JSON.stringify({ id: 1, name: 'A' }))
    first = false
  })
  expect(await clientAt(origin).current()).toEqual({ id: '1', name: 'A' })
  expect(requests).toHaveLength(2)
})

it('reports the kinds of credentials sent and wanted, but no secret', async () => {
  const { origin, requests } = await service({ message: 'Unauthorized' }, 401, {
    'www-authenticate': 'Basic realm="x"',
  })
  const header = 'Bearer planted-secret'
  const error = await rejection(
    clientAt(origin, (_url, kind) =>
      Promise.resolve(kind === 'basic' ? {} : { kind: 'bearer', header }),
    ).current(),
  )
  expect(requests[0]?.headers.authorization).toBe(header)
  expect(error).toMatchObject({
    code: 'organizations/unauthorized',
    details: { status: 401, wants: 'basic', sent: 'bearer', error: 'Unauthorized' },
  })
  expect(JSON.stringify(toErrorReport(error))).not.toContain('planted')
})

it('ignores an unreadable key store unless the service requires credentials', async () => {
  const locked = new CausewayError('secret-store/locked')
  const open = await service({ id: 1, name: 'A' })
  expect((await clientAt(open.origin, () => Promise.reject(locked)).current()).name).toBe('A')
  const closed = await service({}, 401)
  expect(await rejection(clientAt(closed.origin, () => Promise.reject(locked)).current())).toBe(locked)
})
