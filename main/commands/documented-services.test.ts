import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { type CommandInput, type CommandName, type CommandOutput, commands } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import {
  type SeenRequest,
  startDocumentedService as startOrganizations,
} from '../services/organizations/documented-service.testing'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

type Asked<Name extends CommandName> = Omit<CommandInput<Name>, 'instanceId'>

/**
 * Starts the model with an instance whose services have these addresses. Commands run as through the bridge, with the
 * contract's checks of input and output.
 */
async function start(settings: Asked<'setInstanceSettings'>) {
  const portal = await startTestMock()
  onTestFinished(() => portal.close())
  const folder = await mkdtemp(join(tmpdir(), 'causeway-documented-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { run: handlers } = await startModel({
    dataDir: join(folder, 'data'),
    login: 'never',
  })
  const dispatch = createDispatch(handlers, (error) => {
    throw error
  })
  const { instanceId } = await handlers.addInstance({ address: portal.instance })

  const answer = async (name: CommandName, input: object) =>
    structuredClone(await dispatch(name, { instanceId, ...input }))
  /** Runs a command and returns the answer that the page gets. */
  async function run<Name extends CommandName>(name: Name, input: Asked<Name>): Promise<CommandOutput<Name>> {
    const result = await answer(name, input)
    if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.error)}`)
    return commands[name].output.parse(result.value) as CommandOutput<Name>
  }
  async function failure<Name extends CommandName>(name: Name, input: Asked<Name>): Promise<ErrorReport> {
    const result = await answer(name, input)
    if (result.ok) throw new Error(`${name} did not fail.`)
    return result.error
  }
  await run('setInstanceSettings', settings)
  return { run, failure }
}

describe('an organization service as documented', () => {
  const emptyAddress = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' }
  const address = { ...emptyAddress, address1: 'Main Street 1', city: 'Gent', zipCode: '9000', country: 'BE' }

  it.each(['number', 'text'] as const)('accepts all fifteen calls, with ids as %s', async (ids) => {
    const service = await startOrganizations({ ids })
    const { run } = await start({ organizations: service.origin })
    const id = (small: number) =>
      ids === 'text' ? String(9_007_199_254_740_992n + BigInt(small)) : String(small)
    const orgId = id(3)
    const third = { orgId, name: 'Third / Ünion', address }
    const current = 'current' as const
    const user = (login: string, role: string, small: number) => ({
      userId: id(small),
      login,
      email: `${login}@example.org`,
      role,
    })
    async function check<Name extends CommandName>(
      name: Name,
      input: Asked<Name>,
      requests: readonly SeenRequest[],
      expected: unknown,
    ): Promise<void> {
      expect(await run(name, input), name).toEqual(expected)
      expect(service.requests(), name).toEqual(requests)
    }

    await check('showOrganization', { which: { by: 'current' } }, [{ call: 'GET /api/org' }], {
      data: { orgId: id(1), name: 'First', address },
    })
    await check('showOrganization', { which: { by: 'id', orgId } }, [{ call: `GET /api/orgs/${orgId}` }], {
      data: third,
    })
    await check(
      'showOrganization',
      { which: { by: 'name', name: third.name } },
      [{ call: 'GET /api/orgs/name/Third%20%2F%20%C3%9Cnion' }],
      { data: third },
    )
    await check(
      'createOrganization',
      { name: 'New' },
      [
        { call: 'POST /api/orgs', body: { name: 'New', address: emptyAddress } },
        { call: 'GET /api/orgs/name/New' },
      ],
      { orgId: id(101) },
    )
    await check(
      'updateOrganization',
      { place: current, name: 'Renamed' },
      [{ call: 'GET /api/org' }, { call: 'PUT /api/org', body: { name: 'Renamed', address } }],
      undefined,
    )
    await check(
      'updateOrganization',
      { place: { orgId }, address: { city: 'Brugge' } },
      [
        { call: `GET /api/orgs/${orgId}` },
        {
          call: `PUT /api/orgs/${orgId}`,
          body: { name: third.name, address: { ...address, city: 'Brugge' } },
        },
      ],
      undefined,
    )
    await check(
      'deleteOrganization',
      { orgId: id(101) },
      [{ call: `DELETE /api/orgs/${id(101)}` }],
      undefined,
    )
    await check('listOrganizationUsers', { place: current }, [{ call: 'GET /api/org/users' }], {
      data: { users: [user('ada', 'Admin', 11), user('bo', 'Viewer', 12)], unreadable: 0 },
    })
    const list = { call: `GET /api/orgs/${orgId}/users` }
    await check('listOrganizationUsers', { place: { orgId } }, [list], {
      data: { users: [user('ada', 'Admin', 11)], unreadable: 0 },
    })
    const cy = { loginOrEmail: 'cy', role: 'Viewer' }
    await check(
      'addOrganizationUser',
      { place: current, ...cy },
      [{ call: 'POST /api/org/users', body: cy }],
      undefined,
    )
    await check(
      'addOrganizationUser',
      { place: { orgId }, ...cy },
      [{ call: `POST /api/orgs/${orgId}/users`, body: cy }],
      undefined,
    )
    await check(
      'setOrganizationRole',
      { place: current, userId: id(12), role: 'Editor' },
      [
        { call: 'GET /api/org/users' },
        { call: `POST /api/org/users/${id(12)}`, body: { loginOrEmail: 'bo', role: 'Editor' } },
      ],
      undefined,
    )
    await check(
      'setOrganizationRole',
      { place: { orgId }, userId: id(103), role: 'Admin' },
      [
        list,
        { call: `PATCH /api/orgs/${orgId}/users/${id(103)}`, body: { loginOrEmail: 'cy', role: 'Admin' } },
      ],
      undefined,
    )
    await check(
      'removeOrganizationUser',
      { place: current, userId: id(12) },
      [{ call: `DELETE /api/org/users/${id(12)}` }],
      undefined,
    )
    await check(
      'removeOrganizationUser',
      { place: { orgId }, userId: id(103) },
      [{ call: `DELETE /api/orgs/${orgId}/users/${id(103)}` }],
      undefined,
    )
  })

  it('may return invalid users, and may require a user name and password', async () => {
    const service = await startOrganizations({ badRecords: true, basic: 'everywhere' })
    const { run, failure } = await start({ organizations: service.origin })
    expect(await failure('listOrganizationUsers', { place: 'current' })).toMatchObject({
      code: 'organizations/unauthorized',
      details: { wants: 'basic' },
    })
    const credential = { kind: 'basic', user: 'root', password: 'secret' } as const
    expect(await run('setOrganizationCredentials', { credential })).toMatchObject({ basic: 'root' })
    const { data } = await run('listOrganizationUsers', { place: 'current' })
    expect([data.users.map(({ login }) => login), data.unreadable]).toEqual([['ada', 'bo'], 2])
    await run('removeOrganizationCredentials', {})
    expect(await failure('showOrganization', { which: { by: 'current' } })).toMatchObject({
      code: 'organizations/unauthorized',
    })
  })
})
