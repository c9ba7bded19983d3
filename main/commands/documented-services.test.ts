import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { contentChoices } from '../../contract/choices'
import { type CommandInput, type CommandName, type CommandOutput, commands } from '../../contract/commands'
import type { ErrorReport } from '../../contract/error-codes'
import { appState } from '../../contract/state'
import {
  type Behaviour as AttachmentsBehaviour,
  DocumentedService as AttachmentsService,
} from '../services/attachments/documented-service.testing'
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
import { noDesktop } from './attachments-desktop.testing'
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
  const chosen: string[] = []
  const opened: string[] = []
  const { model, run: handlers } = await startModel({
    dataDir: join(folder, 'data'),
    login: 'never',
    openBrowser: (url) => {
      opened.push(url.href)
      return Promise.resolve()
    },
    desktop: {
      ...noDesktop,
      confirm: () => Promise.resolve(true),
      chooseFiles: () => Promise.resolve(chosen.splice(0)),
      chooseTarget: (name) => Promise.resolve(join(folder, `saved-${name}`)),
    },
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

  /** Chooses a file with this content; returns its id. */
  async function choose(name: string, content: string): Promise<string> {
    chosen.push(join(folder, name))
    await writeFile(join(folder, name), content)
    const { files } = commands.chooseFiles.output.parse(await handlers.chooseFiles({ several: false }))
    return files[0]?.fileId ?? ''
  }
  /** Resolves with the last transfer once it has this state. */
  const transfer = (state: string) =>
    vi.waitFor(() => {
      const { transfers } = appState.parse(structuredClone(model.state()))
      const last = transfers.at(-1)
      expect(last).toMatchObject({ state })
      return { id: '', ...last }
    })
  return { folder, model, opened, instanceId, run, failure, choose, transfer }
}

const everything = { userId: '', videos: [], modules: [] }
const noTexts = { description: '', videos: [], modules: [] }

describe('an attachments service as documented', () => {
  async function startAttachments(behaviour: Partial<AttachmentsBehaviour> = {}) {
    const service = await AttachmentsService.start({ strict: true, oldestFirst: true, ...behaviour })
    onTestFinished(() => service.close())
    const window = await start({
      attachments: service.attachments,
      userId: 'me',
      roles: 'CONTRIBUTOR,MEMBER',
    })
    /** Returns the requests since the last call. */
    const seen = () => ({ calls: service.calls.splice(0), bodies: service.bodies.splice(0) })
    return { service, seen, ...window }
  }
  const mine = 'GET /attachments/?pageSize=100&page=1&userId=me'

  it('accepts all six calls that the window sends for links and lists', async () => {
    const { service, seen, run, opened, model, instanceId } = await startAttachments()
    const address = 'https://example.org/'
    const plain = { type: 'EXTERNAL', title: 'A', url: address }
    const link = await run('addAttachmentLink', { ...noTexts, title: 'A', address })
    const shown = { id: link.id, userId: 'me', title: 'A', type: 'EXTERNAL', status: 'COMPLETED' }
    expect(link).toEqual({ ...shown, videos: [], modules: [], address })
    expect(seen()).toEqual({ calls: ['POST /attachments/'], bodies: [plain] })

    const texts = { title: 'A', description: 'More', videos: ['v1'], modules: ['m1'] }
    const linked = await run('addAttachmentLink', { ...texts, address })
    expect(linked).toMatchObject({ description: 'More', videos: [], modules: [] })
    const described = { ...plain, description: 'More' }
    expect(seen(), 'once more without what the document does not have').toEqual({
      calls: ['POST /attachments/', 'POST /attachments/'],
      bodies: [{ ...described, videos: ['v1'], modules: ['m1'] }, described],
    })

    expect(await run('showAttachment', { attachmentId: link.id })).toEqual({ data: link })
    expect(seen().calls).toEqual([`GET /attachments/${link.id}`])

    const edit = { attachmentId: link.id, type: 'EXTERNAL' as const, title: 'B' }
    await run('editAttachment', { ...edit, address: 'https://example.org/b', description: '' })
    expect(seen()).toEqual({
      calls: [`PATCH /attachments/${link.id}`],
      bodies: [{ type: 'EXTERNAL', title: 'B', description: '', url: 'https://example.org/b' }],
    })

    await run('editAttachment', { ...edit, videos: ['v1'], modules: [] })
    const edited = { type: 'EXTERNAL', title: 'B' }
    expect(seen()).toEqual({
      calls: [`PATCH /attachments/${link.id}`, `PATCH /attachments/${link.id}`],
      bodies: [{ ...edited, videos: ['v1'], modules: [] }, edited],
    })

    await run('openAttachmentLink', { attachmentId: link.id })
    expect([seen().calls, opened]).toEqual([[`GET /attachments/${link.id}`], ['https://example.org/b']])

    const filter = { userId: 'me', videos: ['v 1', 'v2'], modules: ['m1'] }
    expect(await run('listAttachments', { page: 2, pageSize: 5, filter })).toEqual({
      data: [],
      totalCount: 0,
      unreadable: 0,
    })
    expect(await run('listAttachments', { page: 1, pageSize: 1, filter: everything })).toMatchObject({
      data: [{ id: link.id, title: 'B', address: 'https://example.org/b' }],
      totalCount: 2,
      unreadable: 0,
    })
    expect(seen().calls).toEqual([
      'GET /attachments/?pageSize=5&page=2&userId=me&videos=v+1&videos=v2&modules=m1',
      'GET /attachments/?pageSize=1&page=1',
    ])

    const { id } = service.add({ status: 'COMPLETED', videos: ['v/1'] })
    expect(await run('listAttachmentsOfVideo', { videoId: 'v/1' })).toEqual({
      data: [
        {
          id,
          userId: 'someone-else',
          title: 'Notes',
          type: 'INTERNAL',
          status: 'COMPLETED',
          extension: 'txt',
          videos: ['v/1'],
          modules: [],
        },
      ],
      totalCount: 1,
      unreadable: 0,
    })
    expect(seen().calls).toEqual(['GET /attachments/video/v%2F1'])

    await run('deleteAttachment', { attachmentId: link.id, title: 'B' })
    expect([seen().calls, model.state().deletions]).toMatchObject([[], [{ instanceId, state: 'waiting' }]])
    await model.attachments.deletions.flush()
    expect([seen().calls, model.state().deletions]).toEqual([[`DELETE /attachments/${link.id}`], []])
    await run('deleteAttachment', { attachmentId: id, title: 'Notes' })
    await run('undoDeleteAttachment', { attachmentId: id })
    await model.attachments.deletions.flush()
    expect(seen().calls).toEqual([])
    expect([...service.callers]).toEqual(['me CONTRIBUTOR,MEMBER'])
  })

  it.each([{}, { onePath: true }])('stores, replaces and returns files: %j', async (how) => {
    const { service, seen, run, folder, choose, transfer } = await startAttachments(how)
    const fileId = await choose('one.TXT', 'first')
    await run('uploadFiles', { files: [{ ...noTexts, fileId, title: 'One', videos: ['v1'] }] })
    expect(await transfer('done')).toMatchObject({ kind: 'upload', bytes: 5, withoutLinks: true })
    const id = service.entries[0]?.id ?? ''
    const asked = { type: 'INTERNAL', title: 'One', extension: 'txt' }
    const post = 'POST /attachments/'
    expect(seen()).toEqual({
      calls: [mine, post, post, mine, `PUT ${id}`, `GET /attachments/${id}`],
      bodies: [{ ...asked, videos: ['v1'] }, asked],
    })
    expect(service.files.get(id)).toBe('first')

    await run('editAttachment', { attachmentId: id, type: 'INTERNAL', title: 'Two' })
    expect(seen(), 'without the extension, which would replace the file').toEqual({
      calls: [`PATCH /attachments/${id}`],
      bodies: [{ type: 'INTERNAL', title: 'Two' }],
    })

    const otherId = await choose('two.md', 'second')
    await run('replaceAttachmentFile', { attachmentId: id, fileId: otherId, title: 'Two' })
    expect(await transfer('done')).toMatchObject({ kind: 'replacement', attachmentId: id, bytes: 6 })
    const get = `GET /attachments/${id}`
    expect(seen()).toEqual({
      calls: [get, `PATCH /attachments/${id}`, `PUT ${id}`, get],
      bodies: [{ type: 'INTERNAL', title: 'Two', extension: 'md' }],
    })

    await run('downloadAttachment', { attachmentId: id })
    expect(await transfer('done')).toMatchObject({ kind: 'download', bytes: 6 })
    expect(seen().calls).toEqual([get, get])
    expect(await readFile(join(folder, 'saved-Two.md'), 'utf8')).toBe('second')
    expect([...service.callers]).toEqual(['me CONTRIBUTOR,MEMBER'])
  })

  it('shows an attachment without its file, for which the service answers 404', async () => {
    const { service, seen, run } = await startAttachments()
    const { id } = service.add()
    expect((await run('showAttachment', { attachmentId: id })).data).toMatchObject({ status: 'IN_PROGRESS' })
    expect(seen().calls).toEqual([`GET /attachments/${id}`, 'GET /attachments/?pageSize=100&page=1'])
  })

  it('gets a refused upload again when the user retries', async () => {
    const { service, seen, run, choose, transfer } = await startAttachments()
    service.behaviour.refusal = { status: 403, headers: {} }
    const fileId = await choose('one.txt', 'first')
    await run('uploadFiles', { files: [{ ...noTexts, fileId, title: 'One' }] })
    const failed = await transfer('failed')
    expect(failed.error).toMatchObject({ code: 'attachments/forbidden', details: { status: 403 } })
    service.behaviour.refusal = undefined
    seen()
    await run('retryTransfer', { transferId: failed.id })
    await transfer('done')
    const id = service.entries[0]?.id ?? ''
    expect(seen().calls).toEqual([mine, 'POST /attachments/', mine, `PUT ${id}`, `GET /attachments/${id}`])
  })

  it('gets a request to delete the attachment of a cancelled upload', async () => {
    const { service, seen, run, model, choose, transfer } = await startAttachments()
    const fileId = await choose('large.bin', '0'.repeat(4 * 1024 * 1024))
    const cancelling: Promise<unknown>[] = []
    model.onChange(({ transfers = [] }) => {
      for (const { id, state } of transfers) {
        if (state === 'transferring') cancelling.push(run('cancelTransfer', { transferId: id }))
      }
    })
    await run('uploadFiles', { files: [{ ...noTexts, fileId, title: 'Large' }] })
    expect((await transfer('cancelled')).left).toBeUndefined()
    await Promise.all(cancelling)
    const calls = seen().calls.filter((call) => !call.startsWith('PUT'))
    expect(calls).toEqual([
      mine,
      'POST /attachments/',
      mine,
      expect.stringMatching(/^DELETE \/attachments\/a-\d+$/),
    ])
    expect(service.entries).toEqual([])
  })

  it('may return invalid records, which are left out', async () => {
    const { service, run } = await startAttachments({ badRecords: [{ id: 'bad' }, null] })
    const { id } = service.add({ status: 'COMPLETED', videos: ['v1'] })
    const listed = { data: [{ id }], unreadable: 2 }
    const page = { page: 1, pageSize: 100, filter: everything }
    expect(await run('listAttachments', page)).toMatchObject(listed)
    expect(await run('listAttachmentsOfVideo', { videoId: 'v1' })).toMatchObject(listed)
  })
})

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

it.each([429, 500])(
  'reports status %i as temporarily unavailable, with the time to retry',
  async (status) => {
    const headers = { 'retry-after': '120' }
    const files = await AttachmentsService.start({ refusal: { status, headers } })
    onTestFinished(() => files.close())
    const news = await startContent({ failure: { status, headers } })
    const organizations = await startOrganizations({ refusal: { status, retryAfter: '120' } })
    const { failure } = await start({
      attachments: files.attachments,
      content: news.origin,
      organizations: organizations.origin,
    })
    const details = { retryAfterSeconds: 120 }
    const page = { page: 1, pageSize: 10, filter: everything }
    expect(await failure('listAttachments', page)).toMatchObject({ code: 'attachments/unavailable', details })
    expect(await failure('listNews', { interval: 'fresh' })).toMatchObject({
      code: 'content/unavailable',
      details,
    })
    expect(await failure('listOrganizationUsers', { place: 'current' })).toMatchObject({
      code: 'organizations/refused',
      details,
    })
  },
)
