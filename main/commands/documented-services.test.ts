import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { contentChoices } from '../../contract/choices'
import { type CommandInput, type CommandName, type CommandOutput, commands } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import {
  badRecords,
  dateForms,
  type DocumentedServiceOptions,
  firstDate,
  largeId,
  startDocumentedService as startContent,
} from '../services/news/documented-service.testing'
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

describe('a content service as documented', () => {
  it.each<[string, DocumentedServiceOptions, number]>([
    ['simple records', {}, 0],
    [
      'large ids, dates as strings and invalid records',
      { id: largeId, date: dateForms["Twitter's form"] ?? String, first: badRecords },
      3,
    ],
  ])('accepts all ten calls that the window sends, and returns %s', async (_how, options, unreadable) => {
    const service = await startContent(options)
    const { run } = await start({ content: service.origin })
    const { id = String } = options
    const entry = (n: number) => ({
      id: id(n),
      title: `Entry ${n}`,
      date: firstDate,
      author: { id: id(7), name: 'Ann' },
      type: 'article',
      intro: [{ kind: 'paragraph', children: [{ kind: 'text', text: 'Text' }] }],
    })
    const wholeEntry = { ...entry(1), body: { blocks: [], state: 'whole' } }
    const seen = () => service.requests.splice(0)
    const big = '1050118621198921728'
    const address = 'https://news.example.org/1?a=b&c=d'
    const encoded = new URLSearchParams({ url: address }).toString()

    const user = { id: id(7), name: 'Ann', date: firstDate, isClubMember: false, socialAccounts: [] }
    expect(await run('showContentUser', {})).toEqual({ data: user })
    expect(await run('showContentUser', { userId: big })).toEqual({ data: user })
    expect(seen()).toEqual(['GET /2.3/account/info', `GET /2.3/account/info?userId=${big}`])

    const posts = await run('listEntries', { of: { list: 'posts' }, offset: 0 })
    expect([posts.data[0], posts.data.length, posts.unreadable]).toEqual([entry(1), 25, unreadable])
    await run('listEntries', { of: { list: 'posts', userId: '7' }, offset: 30 })
    expect(seen()).toEqual(['GET /2.3/account/posts?offset=0', 'GET /2.3/account/posts?userId=7&offset=30'])

    for (const type of contentChoices.types) {
      for (const sortMode of contentChoices.sortModes) {
        const club = await run('listEntries', { of: { list: 'club', type, sortMode }, offset: 0 })
        expect(club.data[0]).toEqual(entry(1))
        expect(seen()).toEqual([`GET /2.3/club?offset=0&type=${type}&sortMode=${sortMode}`])
      }
    }

    expect(await run('showEntry', { entryId: big })).toEqual({ data: wholeEntry })
    expect(seen()).toEqual([`GET /2.3/club/item?entryId=${big}`])

    const found = await run('listEntries', { of: { list: 'search', q: '#vpn & more' }, offset: 0 })
    expect([found.data[0], found.data.length, found.unreadable]).toEqual([entry(1), 25, unreadable])
    expect(seen()).toEqual(['GET /2.3/search?q=%23vpn+%26+more&offset=0'])

    for (const listId of contentChoices.tweetLists) {
      for (const interval of contentChoices.tweetIntervals) {
        const tweets = await run('listTweets', { listId, interval, offset: 0 })
        expect(tweets.data[0]).toEqual({
          id: id(1),
          text: 'Tweet 1',
          author: { name: 'Ann', screenName: 'ann' },
          pictures: [],
          date: firstDate,
        })
        expect(tweets.unreadable).toBe(unreadable)
        expect(seen()).toEqual([`GET /2.3/tweets?offset=0&listId=${listId}&interval=${interval}`])
      }
    }

    for (const interval of contentChoices.newsIntervals) {
      const news = await run('listNews', { interval })
      expect(news.data[0]).toEqual({ id: id(1), title: 'Item 1', date: firstDate })
      expect(news.unreadable).toBe(unreadable)
      await run('listNews', { listId: big, interval })
      expect(seen()).toEqual([
        `GET /2.3/news?interval=${interval}`,
        `GET /2.3/news?listId=${big}&interval=${interval}`,
      ])
    }

    expect(await run('listNewsCategories', {})).toEqual({
      data: [
        { id: '0', name: 'Category 0', sources: [] },
        { id: '1', name: 'Category 1', sources: [] },
      ],
      unreadable: 2 * unreadable,
    })
    expect(seen()).toEqual(['GET /2.3/news/lists'])

    expect(await run('revealEntry', { address })).toEqual({
      data: { entry: wholeEntry, related: [entry(2)], unreadable },
    })
    expect(seen()).toEqual([`GET /2.3/content/reveal?${encoded}`])

    await run('reportMisprint', { text: 'teh & co', address })
    expect(seen()).toEqual([`POST /2.3/misprints/new text=teh+%26+co&${encoded}`])
  })
})

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
