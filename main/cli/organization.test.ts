import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { BuiltCommand, failureOf, type Person } from './causeway.testing'
import { slow } from '../../scripts/slow.testing'

let command: BuiltCommand
const mocks: MockServer[] = []

beforeAll(async () => {
  command = await BuiltCommand.make()
})
afterAll(async () => {
  for (const mock of mocks) await mock.close()
  await command.remove()
})

async function start(options: Parameters<typeof startTestMock>[0] = {}): Promise<[MockServer, Person]> {
  const mock = await startTestMock(options)
  mocks.push(mock)
  return [mock, await command.person(mock.instance)]
}

async function typed(person: Person, secret: string, ...args: string[]): Promise<string> {
  const running = person.start(args)
  running.stdin.end(secret)
  const { exitCode, stdout, stderr } = await running
  if (exitCode !== 0) throw new Error(stderr)
  return stdout + stderr
}

it('creates, updates, shows and deletes an organization and its users', async () => {
  const [, person] = await start()
  const run = (...args: string[]) => person.json('organization', ...args)
  expect(await run('show')).toEqual(await run('show', '--org', '1'))
  expect(await run('show')).toMatchObject({
    id: 1,
    name: 'Mock University',
    address: { city: 'Utrecht' },
  })
  expect(await run('create', 'Café / 1', '--city', 'Gent', '--zip-code', '9000')).toMatchObject({ orgId: 3 })
  await run('update', '--name', 'Café / 1', '--rename', 'Café', '--city', '')
  expect(await run('show', '--org', '3')).toMatchObject({
    name: 'Café',
    address: { city: '', zipCode: '9000' },
  })
  await run('add-user', 'grace', '--role', 'admin', '--org', '3')
  await run('set-role', 'GRACE@example.com', '--role', 'Editor', '--org', '3')
  expect(await run('users', '--org', '3')).toMatchObject([
    { login: 'tester', role: 'Admin' },
    { login: 'grace', role: 'Editor', userId: 13 },
  ])
  await run('remove-user', '13', '--name', 'Café')
  const { stdout } = await person.run(['organization', 'users', '--org', '3'])
  expect(stdout).toMatch(
    /^USER +USER NAME +E-MAIL +ROLE +LAST SEEN\n1 +tester +tester@example\.org +Admin +< 1 minute$/,
  )

  expect(await person.failure(['organization', 'delete', '--org', '3']), 'nobody can be asked').toMatchObject(
    {
      status: 2,
      code: 'usage/invalid-argument',
    },
  )
  await run('delete', '--org', '3', '--yes')
  expect(await person.failure(['organization', 'show', '--org', '3'])).toMatchObject({
    status: 5,
    code: 'organizations/not-found',
  })
})

it.each([
  [['remove-user', 'nobody'], 5, 'organizations/user-not-found'],
  [['delete', '--yes'], 5, 'organizations/refused'],
  [['update'], 2, 'usage/invalid-argument'],
  [['update', '--rename', ' '], 2, 'organizations/invalid-request'],
  [['show', '--org', '-1'], 2, 'usage/invalid-argument'],
  [['show', '--org', '1', '--name', 'x'], 2, 'usage/invalid-argument'],
  [['add-user', 'grace', '--role', 'Owner'], 2, 'usage/invalid-argument'],
  [['credentials', 'set', '--kind', 'basic'], 2, 'usage/invalid-argument'],
])('reports the error of %j', async (args, status, code) => {
  const [, person] = await start()
  expect(await person.failure(['organization', ...args])).toMatchObject({ status, code })
})

it.each([
  ['bearer', 'mock-organization-token', []],
  ['basic', 'admin', ['--user', 'admin']],
] as const)('reads %s credentials from standard input only, and sends them', async (kind, secret, more) => {
  const [mock, person] = await start({ orgAuth: kind })
  const refused = failureOf(await person.run(['organization', 'show', '--json']))
  expect(refused).toMatchObject({ status: 3, code: 'organizations/unauthorized', details: { wants: kind } })
  const output = await typed(
    person,
    `${secret}\n`,
    'organization',
    'credentials',
    'set',
    '--kind',
    kind,
    ...more,
  )
  if (kind === 'bearer') expect(output).not.toContain(secret)
  expect(await person.json('organization', 'show')).toMatchObject({ id: 1 })
  expect(await person.json('organization', 'users', '--org', '2')).toHaveLength(6)
  expect(await person.json('organization', 'credentials', 'show')).toEqual({
    bearer: kind === 'bearer',
    ...(kind === 'basic' ? { basic: 'admin' } : {}),
    origin: new URL(mock.organizations).origin,
  })

  await person.run(['instance', 'remove', new URL(mock.instance).host])
  expect(await person.secrets(), 'they go with the instance').not.toContain('organization')
})

it('prints cached data only with --offline', async () => {
  const [mock, person] = await start()
  const shown = await person.json('organization', 'show')
  await mock.close()
  expect(await person.failure(['organization', 'show'])).toMatchObject({
    status: 4,
    code: 'http/unreachable',
  })
  expect(await person.json('organization', 'show', '--offline')).toEqual(shown)
  expect(await person.failure(['organization', 'users', '--offline'])).toMatchObject({ status: 4 })
})

it('clears the cache when the credentials change', async () => {
  const [mock, person] = await start()
  await person.json('organization', 'show')
  await person.run(['organization', 'credentials', 'remove'])
  await mock.close()
  expect(await person.failure(['organization', 'show', '--offline'])).toMatchObject({ status: 4 })
})

it('changes the current organization and its users by default', async () => {
  const [, person] = await start()
  const run = (...args: string[]) => person.json('organization', ...args)
  await run('update', '--rename', 'University')
  await run('add-user', 'grace', '--role', 'Viewer')
  await run('set-role', 'grace', '--role', 'Editor')
  expect(await run('users')).toEqual(
    expect.arrayContaining([expect.objectContaining({ login: 'grace', role: 'Editor', orgId: 1 })]),
  )
  await run('remove-user', 'grace')
  expect(await run('users')).not.toEqual(
    expect.arrayContaining([expect.objectContaining({ login: 'grace' })]),
  )
  expect(await run('show')).toMatchObject({ id: 1, name: 'University' })
})

async function control(mock: MockServer, path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${mock.control}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
}

it('reads ids that are strings, of any size', async () => {
  const [mock, person] = await start()
  await control(mock, '/scenarios/organization-text-ids')
  const run = (...args: string[]) => person.json('organization', ...args)
  expect(await run('show')).toMatchObject({ id: 1 })
  expect(await run('create', 'New')).toMatchObject({ orgId: 3 })
  expect(await run('users', '--org', '3')).toMatchObject([{ userId: 1 }])
  await run('update', '--city', 'Brugge')
  await run('add-user', 'grace', '--role', 'Viewer', '--org', '3')
  await run('set-role', '13', '--role', 'Editor', '--org', '3')
  await run('remove-user', 'grace', '--org', '3')
  const orgId = '9007199254740995'
  const path = `/api/orgs/${orgId}/users`
  const user = { orgId, userId: '9007199254741003', email: 'ada@example.org', login: 'ada', role: 'Admin' }
  await control(mock, '/faults', { match: { path }, fault: { status: 200, body: [user] } })
  expect(await run('users', '--org', orgId)).toMatchObject([{ userId: '9007199254741003' }])
})

it('leaves out and counts users that cannot be read', async () => {
  const [mock, person] = await start()
  const all = (await person.json('organization', 'users')) as { readonly login: string }[]
  await control(mock, '/scenarios/organization-bad-records')
  const { status, stdout, stderr } = await person.run(['organization', 'users', '--json'])
  expect(status).toBe(0)
  expect((JSON.parse(stdout) as { login: string }[]).map(({ login }) => login)).toEqual(
    all.map(({ login }) => login),
  )
  expect(stderr.split('\n').map((line) => JSON.parse(line) as unknown)).toContainEqual({
    notice: expect.objectContaining({
      code: 'organizations/invalid-response',
      details: expect.objectContaining({ unreadable: 2 }) as unknown,
    }) as unknown,
  })
  const table = await person.run(['organization', 'users'])
  expect(table.stdout).toContain('tester@example.org')
  expect(table.stderr).toContain("2 users couldn't be read")
  await person.json('organization', 'set-role', '3', '--role', 'Editor')
})

slow('explains that a service requires a user name and password instead of a token', async () => {
  const [mock, person] = await start({ orgAuth: 'per-area' })
  const set = (secret: string, ...args: string[]) =>
    typed(person, secret, 'organization', 'credentials', 'set', ...args)
  const another = ['organization', 'show', '--org', '2']
  await set('mock-organization-token', '--kind', 'bearer')
  await person.json('organization', 'show')
  const refused = await person.failure(another)
  expect(refused).toMatchObject({
    status: 3,
    code: 'organizations/unauthorized',
    details: { wants: 'basic', sent: 'bearer' },
  })
  expect(refused.message).toContain('organization credentials set --kind basic --user NAME')

  await set('wrong', '--kind', 'basic', '--user', 'admin')
  const wrong = await person.failure(another)
  expect(wrong.message).toContain('rejected the user name and password')
  expect(wrong.message).toMatch(/spelling.*--kind basic/)

  await set('admin', '--kind', 'basic', '--user', 'admin')
  expect(await person.json(...(another as ['organization', ...string[]]))).toMatchObject({ id: 2 })
  const demand = (matches: string, fault: object) =>
    control(mock, '/faults', { match: { path: '/api/org', headers: { authorization: { matches } } }, fault })
  await demand('^Bearer', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: {} })
  await demand('^Basic', { status: 200, body: { id: 7, name: 'With a password' } })
  expect(await person.json('organization', 'show'), 'of two kinds, the one that it wants').toMatchObject({
    id: 7,
  })
})

it('reports where the credentials are stored', async () => {
  const [, person] = await start()
  const output = await typed(person, 'a-token', 'organization', 'credentials', 'set', '--kind', 'bearer')
  expect(output).not.toContain('in the key store')
  expect(output).toMatch(/Stored in the file .*secrets\.json/)
  const { stdout: help } = await person.run(['organization', 'credentials', 'set', '--help'])
  expect(help).not.toContain('key store')
})
