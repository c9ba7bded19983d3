import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { contentChoices } from '../../contract/choices'
import { type CommandInput, type CommandName, type CommandOutput, commands } from '../../contract/commands'
import { startTestMock } from '../../mock-server/test-authority'
import { MockControl } from '../app/connecting.testing'
import { badRecords, dateForms, documentedFaults, firstDate, largeId } from '../services/news/records.testing'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

interface Sent {
  readonly method: string
  readonly path: string
  readonly query: object
  readonly body: string | null
}

/** Starts the window's commands, with the contract's checks of input and output, for an instance of a mock. */
async function start(writing?: Parameters<typeof documentedFaults>[0]) {
  const mock = await startTestMock()
  onTestFinished(() => mock.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-content-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { run: handlers } = await startModel({ dataDir, login: 'never' })
  const { instanceId } = await handlers.addInstance({ address: mock.instance })
  const control = new MockControl(mock.control)
  for (const one of documentedFaults(writing)) await control.post('/faults', one)
  const dispatch = createDispatch(handlers, (error) => {
    throw error
  })

  /** Runs a command and returns the answer that the page gets. */
  async function run<Name extends CommandName>(
    name: Name,
    input: Omit<CommandInput<Name>, 'instanceId'>,
  ): Promise<CommandOutput<Name>> {
    const result = structuredClone(await dispatch(name, { instanceId, ...input }))
    if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.error)}`)
    return commands[name].output.parse(result.value) as CommandOutput<Name>
  }
  /** Returns the requests to the content API since the last call. */
  async function sent(): Promise<[call: string, query: object, ...body: string[]][]> {
    const journal = (await (await fetch(`${mock.control}/requests`)).json()) as Sent[]
    await fetch(`${mock.control}/requests`, { method: 'DELETE' })
    return journal
      .filter(({ path }) => path.startsWith('/2.3/'))
      .map(({ method, path, query, body }) => [
        `${method} ${path.slice('/2.3/'.length)}`,
        query,
        ...(body === null ? [] : [body]),
      ])
  }
  return { run, sent }
}

it.each<[string, NonNullable<Parameters<typeof documentedFaults>[0]>, number]>([
  ['simple records', {}, 0],
  [
    'large ids, dates as texts and invalid records',
    { id: largeId, date: dateForms["Twitter's form"] ?? String, first: badRecords },
    3,
  ],
])('the window shows every list and record: %s', async (_how, writing, unreadable) => {
  const { run } = await start(writing)
  const { id = String } = writing
  const entry = (n: number) => ({
    id: id(n),
    title: `Entry ${n}`,
    date: firstDate,
    author: { id: id(7), name: 'Ann' },
    type: 'article',
    intro: [{ kind: 'paragraph', children: [{ kind: 'text', text: 'Text' }] }],
  })
  const wholeEntry = { ...entry(1), body: { blocks: [], state: 'whole' } }
  const entries = { data: [entry(1), entry(2)], unreadable }
  const club = { list: 'club', type: 0, sortMode: 'recent' } as const

  expect(await run('showContentUser', {})).toEqual({
    data: { id: id(7), name: 'Ann', date: firstDate, isClubMember: false, socialAccounts: [] },
  })
  expect(await run('listEntries', { of: { list: 'posts' }, offset: 0 })).toEqual(entries)
  expect(await run('listEntries', { of: club, offset: 0 })).toEqual(entries)
  expect(await run('listEntries', { of: { list: 'search', q: 'vpn' }, offset: 0 })).toEqual(entries)
  expect(await run('showEntry', { entryId: '1' })).toEqual({ data: wholeEntry })
  expect(await run('revealEntry', { address: 'https://news.example.org/1' })).toEqual({
    data: { entry: wholeEntry, related: entries.data, unreadable },
  })
  const tweet = (n: number) => ({
    id: id(n),
    text: `Tweet ${n}`,
    author: { name: 'Ann', screenName: 'ann' },
    pictures: [],
    date: firstDate,
  })
  expect(await run('listTweets', { listId: 1, interval: 'week', offset: 0 })).toEqual({
    data: [tweet(1), tweet(2)],
    unreadable,
  })
  const item = (n: number) => ({ id: id(n), title: `Item ${n}`, date: firstDate })
  expect(await run('listNews', { interval: 'fresh' })).toEqual({ data: [item(1), item(2)], unreadable })
  expect(await run('listNewsCategories', {})).toEqual({
    data: [
      { id: '0', name: 'Category 0', sources: [] },
      { id: '1', name: 'Category 1', sources: [] },
    ],
    unreadable: 2 * unreadable,
  })
})

it('the window sends what the user chose, and nothing else', async () => {
  const { run, sent } = await start()
  const big = '1050118621198921728'
  const address = 'https://news.example.org/1?a=b&c=d'
  await run('showContentUser', {})
  await run('showContentUser', { userId: big })
  await run('listEntries', { of: { list: 'posts' }, offset: 0 })
  await run('listEntries', { of: { list: 'posts', userId: '7' }, offset: 30 })
  await run('showEntry', { entryId: big })
  await run('listEntries', { of: { list: 'search', q: '#vpn & more' }, offset: 0 })
  await run('listNews', { listId: big, interval: 'popular' })
  await run('listNewsCategories', {})
  await run('revealEntry', { address })
  await run('reportMisprint', { text: 'teh & co', address })
  expect(await sent()).toEqual([
    ['GET account/info', {}],
    ['GET account/info', { userId: big }],
    ['GET account/posts', { offset: '0' }],
    ['GET account/posts', { userId: '7', offset: '30' }],
    ['GET club/item', { entryId: big }],
    ['GET search', { q: '#vpn & more', offset: '0' }],
    ['GET news', { listId: big, interval: 'popular' }],
    ['GET news/lists', {}],
    ['GET content/reveal', { url: address }],
    ['POST misprints/new', {}, new URLSearchParams({ text: 'teh & co', url: address }).toString()],
  ])
})

it('the window sends every choice that it offers', async () => {
  const { run, sent } = await start()
  for (const type of contentChoices.types) {
    for (const sortMode of contentChoices.sortModes)
      await run('listEntries', { of: { list: 'club', type, sortMode }, offset: 0 })
  }
  expect(await sent()).toEqual(
    contentChoices.types.flatMap((type) =>
      contentChoices.sortModes.map((sortMode) => ['GET club', { offset: '0', type: String(type), sortMode }]),
    ),
  )
  for (const listId of contentChoices.tweetLists) {
    for (const interval of contentChoices.tweetIntervals)
      await run('listTweets', { listId, interval, offset: 0 })
  }
  expect(await sent()).toEqual(
    contentChoices.tweetLists.flatMap((listId) =>
      contentChoices.tweetIntervals.map((interval) => [
        'GET tweets',
        { offset: '0', listId: String(listId), interval },
      ]),
    ),
  )
  for (const interval of contentChoices.newsIntervals) await run('listNews', { interval })
  expect(await sent()).toEqual(contentChoices.newsIntervals.map((interval) => ['GET news', { interval }]))
})
