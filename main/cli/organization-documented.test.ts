import { describe, expect, it, vi } from 'vitest'
import {
  type Behaviour,
  type DocumentedService,
  startDocumentedService,
} from '../services/organizations/documented-service.testing'
import { type Person, startCommandAndMock } from './causeway.testing'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const { command, mock: portal } = await startCommandAndMock({})

/** Starts a documented service and sets it for a new user's instance. */
async function start(behaviour: Behaviour = {}): Promise<[DocumentedService, Person]> {
  const service = await startDocumentedService(behaviour)
  const person = await command.person(portal.instance)
  await person.json('instance', 'set', '--organizations', service.origin)
  return [service, person]
}

async function typed(person: Person, secret: string, ...args: string[]): Promise<void> {
  const running = person.start(['organization', 'credentials', 'set', ...args])
  running.stdin.end(secret)
  const { exitCode, stderr } = await running
  if (exitCode !== 0) throw new Error(stderr)
}

const emptyAddress = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' }
const address = { ...emptyAddress, address1: 'Main Street 1', city: 'Gent', zipCode: '9000', country: 'BE' }
const third = 'GET /api/orgs/name/Third%20%2F%20%C3%9Cnion'

describe('a documented service', () => {
  it('accepts all fifteen calls that the terminal sends', async () => {
    const [service, person] = await start()
    const table: [string, unknown, unknown][] = []
    const run = async (...args: string[]): Promise<void> => {
      const result = await person.json('organization', ...args)
      table.push([args.join(' '), service.seen(), result])
    }
    await run('show')
    await run('show', '--org', '3')
    await run('show', '--name', 'Third / Ünion')
    await run('create', 'New', '--city', 'Gent')
    await run('update', '--rename', 'Renamed')
    await run('update', '--org', '3', '--city', 'Brugge')
    await run('delete', '--name', 'New', '--yes')
    await run('users')
    await run('users', '--org', '3')
    await run('add-user', 'cy', '--role', 'Viewer')
    await run('set-role', 'bo', '--role', 'Editor')
    await run('set-role', '12', '--role', 'Admin')
    await run('remove-user', 'bo@example.org')
    await run('add-user', 'di', '--role', 'Viewer', '--org', '3')
    await run('set-role', 'di', '--role', 'Editor', '--org', '3')
    await run('remove-user', 'di', '--org', '3')
    const user = (login: string, role: string, userId: number, orgId = 1) => ({
      orgId,
      userId,
      email: `${login}@example.org`,
      login,
      role,
    })
    expect(table).toEqual([
      ['show', [{ call: 'GET /api/org' }], expect.objectContaining({ id: 1, name: 'First' })],
      ['show --org 3', [{ call: 'GET /api/orgs/3' }], expect.objectContaining({ id: 3 })],
      ['show --name Third / Ünion', [{ call: third }], expect.objectContaining({ id: 3 })],
      [
        'create New --city Gent',
        [
          { call: 'POST /api/orgs', body: { name: 'New', address: { ...emptyAddress, city: 'Gent' } } },
          { call: 'GET /api/orgs/name/New' },
        ],
        { orgId: 101, message: 'Organization created' },
      ],
      [
        'update --rename Renamed',
        [{ call: 'GET /api/org' }, { call: 'PUT /api/org', body: { name: 'Renamed', address } }],
        { message: 'Organization updated' },
      ],
      [
        'update --org 3 --city Brugge',
        [
          { call: 'GET /api/orgs/3' },
          {
            call: 'PUT /api/orgs/3',
            body: { name: 'Third / Ünion', address: { ...address, city: 'Brugge' } },
          },
        ],
        { message: 'Organization updated' },
      ],
      ['delete --name New --yes', [{ call: 'GET /api/orgs/name/New' }, { call: 'DELETE /api/orgs/101' }], {}],
      ['users', [{ call: 'GET /api/org/users' }], [user('ada', 'Admin', 11), user('bo', 'Viewer', 12)]],
      ['users --org 3', [{ call: 'GET /api/orgs/3/users' }], [user('ada', 'Admin', 11, 3)]],
      [
        'add-user cy --role Viewer',
        [{ call: 'POST /api/org/users', body: { loginOrEmail: 'cy', role: 'Viewer' } }],
        { message: 'User added to organization' },
      ],
      [
        'set-role bo --role Editor',
        [
          { call: 'GET /api/org/users' },
          { call: 'POST /api/org/users/12', body: { loginOrEmail: 'bo', role: 'Editor' } },
        ],
        { message: 'Organization user updated' },
      ],
      [
        'set-role 12 --role Admin',
        [
          { call: 'GET /api/org/users' },
          { call: 'POST /api/org/users/12', body: { loginOrEmail: 'bo', role: 'Admin' } },
        ],
        { message: 'Organization user updated' },
      ],
      [
        'remove-user bo@example.org',
        [{ call: 'GET /api/org/users' }, { call: 'DELETE /api/org/users/12' }],
        {},
      ],
      [
        'add-user di --role Viewer --org 3',
        [{ call: 'POST /api/orgs/3/users', body: { loginOrEmail: 'di', role: 'Viewer' } }],
        { message: 'User added to organization' },
      ],
      [
        'set-role di --role Editor --org 3',
        [
          { call: 'GET /api/orgs/3/users' },
          { call: 'PATCH /api/orgs/3/users/103', body: { loginOrEmail: 'di', role: 'Editor' } },
        ],
        { message: 'Organization user updated' },
      ],
      [
        'remove-user di --org 3',
        [{ call: 'GET /api/orgs/3/users' }, { call: 'DELETE /api/orgs/3/users/103' }],
        {},
      ],
    ])
  })

  it('may send ids as strings of any size', async () => {
    const [, person] = await start({ ids: 'text' })
    const run = (...args: string[]) => person.json('organization', ...args)
    expect(await run('show')).toMatchObject({ id: '9007199254740993' })
    expect(await run('create', 'New')).toMatchObject({ orgId: '9007199254741093' })
    expect(await run('users', '--org', '9007199254740995')).toMatchObject([{ userId: '9007199254741003' }])
    await run('update', '--city', 'Brugge')
    await run('set-role', '9007199254741004', '--role', 'Editor')
    await run('remove-user', 'bo')
  })

  it('may list invalid users, which are left out and counted', async () => {
    const [, person] = await start({ badRecords: true })
    const { status, stdout, stderr } = await person.run(['organization', 'users', '--json'])
    expect([status, (JSON.parse(stdout) as { login: string }[]).map(({ login }) => login)]).toEqual([
      0,
      ['ada', 'bo'],
    ])
    expect(stderr.split('\n').map((line) => JSON.parse(line) as unknown)).toContainEqual({
      notice: expect.objectContaining({
        code: 'organizations/invalid-response',
        details: expect.objectContaining({ unreadable: 2 }) as unknown,
      }) as unknown,
    })
    const table = await person.run(['organization', 'users'])
    expect(table.stdout).toContain('ada@example.org')
    expect(table.stderr).toContain("2 users couldn't be read")
    await person.json('organization', 'set-role', 'bo', '--role', 'Editor')
  })
})

describe('a service that refuses', () => {
  it.each([
    [{ status: 429, retryAfter: '120' }, / is busy .*Try again in 2 minutes\./, 120],
    [{ status: 429, retryAfter: '2300894574' }, / is busy .*Try again later\./, undefined],
    [{ status: 500 }, / has an internal error .*Try again later/, undefined],
    [{ status: 503, retryAfter: '1' }, / has an internal error .*Try again in 1 second\./, 1],
  ])('is reported with the time to retry: %j', async (refusal, message, retryAfterSeconds) => {
    const [, person] = await start({ refusal })
    const failed = await person.failure(['organization', 'add-user', 'cy', '--role', 'Viewer'])
    expect(failed).toMatchObject({ status: 5, code: 'organizations/refused' })
    expect(failed.message).toMatch(message)
    expect(failed.details?.retryAfterSeconds).toBe(retryAfterSeconds)
  })

  it('may require a user name and password instead of a token: the error names --kind basic', async () => {
    const [service, person] = await start({ basic: 'orgs' })
    await typed(person, 'a-token', '--kind', 'bearer')
    await person.json('organization', 'show')
    const refused = await person.failure(['organization', 'show', '--org', '3'])
    expect(refused).toMatchObject({
      status: 3,
      code: 'organizations/unauthorized',
      details: { wants: 'basic', sent: 'bearer' },
    })
    expect(refused.message).toContain('organization credentials set --kind basic --user NAME')

    await typed(person, 'wrong', '--kind', 'basic', '--user', 'root')
    const wrong = await person.failure(['organization', 'show', '--org', '3'])
    expect(wrong.message).toContain('rejected the user name and password')
    expect(wrong.message).toMatch(/spelling.*--kind basic/)

    await typed(person, 'secret', '--kind', 'basic', '--user', 'root')
    expect(await person.json('organization', 'show', '--org', '3')).toMatchObject({ id: 3 })
    service.become({ basic: 'everywhere' })
    expect(await person.json('organization', 'show'), 'of two kinds, the one that it wants').toMatchObject({
      id: 1,
    })
  })
})

it('reports where the credentials are stored', async () => {
  const [, person] = await start()
  const running = person.start(['organization', 'credentials', 'set', '--kind', 'bearer'])
  running.stdin.end('a-token')
  const { stdout } = await running
  expect(stdout).not.toContain('in the key store')
  expect(stdout).toMatch(/Stored in the file .*secrets\.json/)
  const { stdout: help } = await person.run(['organization', 'credentials', 'set', '--help'])
  expect(help).not.toContain('key store')
})
