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

describe('a documented service', () => {
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
