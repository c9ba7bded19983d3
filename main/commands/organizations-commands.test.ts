import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import type { organizationsCommands } from '../../contract/commands'
import { newComputer } from '../app/connecting.testing'
import { organizationsHandlers } from './organizations-commands'
import { forWindow } from './handler'

async function start(options: Parameters<typeof startTestMock>[0] = {}) {
  const mock = await startTestMock(options)
  let running = true
  const stop = async (): Promise<void> => {
    if (running) await mock.close()
    running = false
  }
  onTestFinished(stop)
  const { services } = await newComputer(mock.instance)
  const instance = await services.instances.find(undefined)
  const commands = forWindow<keyof typeof organizationsCommands>(
    organizationsHandlers(services, () => instance),
  )
  const fault = (path: string, status: number) =>
    fetch(`${mock.control}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { path }, fault: { status, body: { message: 'No' } } }),
    })
  return { mock, commands, instanceId: instance.id, fault, stop }
}

const current = { by: 'current' } as const

it('shows the current organization, with its address if it may be read', async () => {
  const { commands, instanceId, fault } = await start()
  const { data } = await commands.showOrganization({ instanceId, which: current })
  expect(data).toMatchObject({
    orgId: '1',
    name: 'Mock University',
    address: { city: 'Utrecht', state: 'Utrecht' },
  })
  await fault('/api/orgs/1', 403)
  const denied = await commands.showOrganization({ instanceId, which: current })
  expect(denied).toEqual({ data: { orgId: '1', name: 'Mock University' } })
})

it('shows cached data, with time and host, while the service cannot be reached', async () => {
  const { mock, commands, instanceId, stop } = await start()
  const shown = await commands.showOrganization({ instanceId, which: current })
  const listed = await commands.listOrganizationUsers({ instanceId, place: 'current' })
  await stop()
  // The cache is written in the background.
  await vi.waitFor(async () => {
    expect(await commands.showOrganization({ instanceId, which: current })).toEqual({
      ...shown,
      cachedAt: expect.any(Number) as number,
      host: new URL(mock.organizations).host,
    })
    expect(await commands.listOrganizationUsers({ instanceId, place: 'current' })).toEqual({
      ...listed,
      cachedAt: expect.any(Number) as number,
      host: new URL(mock.organizations).host,
    })
  })
  await expect(
    commands.setOrganizationRole({ instanceId, place: 'current', userId: '3', role: 'Viewer' }),
  ).rejects.toMatchObject({ code: 'http/unreachable' })
})

it('stores credentials and returns no secrets', async () => {
  const { mock, commands, instanceId } = await start({ orgAuth: 'basic' })
  const credential = { kind: 'basic', user: 'admin', password: 'admin' } as const
  await expect(commands.showOrganization({ instanceId, which: current })).rejects.toMatchObject({
    code: 'organizations/unauthorized',
    details: { wants: 'basic' },
  })
  const { origin } = new URL(mock.organizations)
  expect(await commands.setOrganizationCredentials({ instanceId, credential })).toEqual({
    bearer: false,
    basic: 'admin',
    origin,
    keptIn: 'file',
  })
  expect((await commands.showOrganization({ instanceId, which: { by: 'id', orgId: '2' } })).data.orgId).toBe(
    '2',
  )
  expect(await commands.removeOrganizationCredentials({ instanceId })).toEqual({
    bearer: false,
    keptIn: 'file',
  })
})

it('removes bidirectional overrides and line breaks from names', async () => {
  const { mock, commands, instanceId } = await start()
  await fetch(`${mock.control}/scenarios/organization-hostile-names`, { method: 'POST' })
  const { data } = await commands.listOrganizationUsers({ instanceId, place: 'current' })
  const { users } = data
  expect(users).toHaveLength(22)
  expect(users.map(({ login, email }) => login + email).join('')).not.toMatch(
    /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
  )
  expect(users.map(({ login }) => login)).toContain('line break andnul')
})

/** Returns the requests to the organization service since the last call, with their bodies. */
async function sentTo(control: string): Promise<[call: string, ...bodies: unknown[]][]> {
  const journal = (await (await fetch(`${control}/requests`)).json()) as {
    readonly method: string
    readonly path: string
    readonly body: string | null
  }[]
  await fetch(`${control}/requests`, { method: 'DELETE' })
  return journal
    .filter(({ path }) => path.startsWith('/api/org'))
    .map(({ method, path, body }) => [
      `${method} ${path}`,
      ...(body === null ? [] : [JSON.parse(body) as unknown]),
    ])
}

it.each(['organization-strict-bodies', 'organization-text-ids'])(
  'sends what the user entered, for the current organization and for another: %s',
  async (scenario) => {
    const { mock, commands, instanceId } = await start()
    await fetch(`${mock.control}/scenarios/${scenario}`, { method: 'POST' })
    const sent = () => sentTo(mock.control)
    const place = { orgId: '3' } as const
    const empty = { address1: '', address2: '', city: '', zipCode: '', state: '', country: '' }
    expect(await commands.createOrganization({ instanceId, name: 'New' })).toEqual({ orgId: '3' })
    await commands.updateOrganization({ instanceId, place, address: { city: 'Brugge' } })
    expect(await sent()).toEqual([
      ['POST /api/orgs', { name: 'New', address: empty }],
      ['GET /api/orgs/3'],
      ['PUT /api/orgs/3', { name: 'New', address: { ...empty, city: 'Brugge' } }],
    ])
    await commands.showOrganization({ instanceId, which: { by: 'name', name: 'New' } })
    await commands.showOrganization({ instanceId, which: { by: 'id', orgId: '3' } })
    expect(await sent()).toEqual([['GET /api/orgs/name/New'], ['GET /api/orgs/3']])
    for (const [at, path, change, userId, loginOrEmail] of [
      ['current', '/api/org', 'POST', '16', 'zoë'],
      [place, '/api/orgs/3', 'PATCH', '13', 'grace'],
    ] as const) {
      const of = { instanceId, place: at }
      await commands.addOrganizationUser({ ...of, loginOrEmail, role: 'Viewer' })
      const { data } = await commands.listOrganizationUsers(of)
      expect(data.users.find((user) => user.userId === userId)).toMatchObject({ role: 'Viewer' })
      await commands.setOrganizationRole({ ...of, userId, role: 'Editor' })
      await commands.removeOrganizationUser({ ...of, userId })
      expect(await sent()).toEqual([
        [`POST ${path}/users`, { loginOrEmail, role: 'Viewer' }],
        [`GET ${path}/users`],
        [`GET ${path}/users`],
        [`${change} ${path}/users/${userId}`, { loginOrEmail, role: 'Editor' }],
        [`DELETE ${path}/users/${userId}`],
      ])
    }
    await commands.deleteOrganization({ instanceId, orgId: '3' })
    expect(await sent()).toEqual([['DELETE /api/orgs/3']])
    await commands.updateOrganization({ instanceId, place: 'current', name: 'Renamed' })
    expect((await sent()).at(-1)).toEqual([
      'PUT /api/org',
      { name: 'Renamed', address: expect.objectContaining({ city: 'Utrecht' }) as unknown },
    ])
  },
)

it('counts the users that cannot be read', async () => {
  const { mock, commands, instanceId } = await start()
  const { data: usual } = await commands.listOrganizationUsers({ instanceId, place: 'current' })
  await fetch(`${mock.control}/scenarios/organization-bad-records`, { method: 'POST' })
  const { data } = await commands.listOrganizationUsers({ instanceId, place: 'current' })
  expect([data.users.length, data.unreadable]).toEqual([usual.users.length, 2])
})
