import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CommandName } from '../../../contract/commands'
import type { EntryDetails, EntryItem, TweetItem } from '../../../contract/news'
import type { AppState } from '../../../contract/state'
import { openWindow, signedIn, type Opened, visit } from '../../fake-bridge.testing'

const entry: EntryItem = {
  id: '7',
  title: 'Keys <b>rotate</b>',
  page: { url: 'https://news.example.org/7', host: 'news.example.org' },
  date: 1_790_000_000,
  author: { id: '3', name: 'Ann' },
  type: 'article',
  intro: [{ kind: 'paragraph', children: [{ kind: 'text', text: 'Rotate them. #security' }] }],
  commentsCount: 1,
}
const details: EntryDetails = {
  ...entry,
  body: {
    state: 'cut',
    blocks: [
      { kind: 'heading', text: 'Why', level: 2 },
      {
        kind: 'text',
        text: [
          { kind: 'text', text: 'See ' },
          { kind: 'link', url: 'https://evil.example/x', children: [{ kind: 'text', text: 'bank.example' }] },
          { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'First' }]] },
          { kind: 'code', text: '<script>' },
        ],
      },
      { kind: 'video', url: 'https://video.example.org/1', host: 'video.example.org', durationSeconds: 430 },
      { kind: 'unknown', type: 'hologram' },
      { kind: 'unknown', type: '' },
    ],
  },
}
const tweet: TweetItem = {
  id: '1050118621198921728',
  text: 'Look: https://example.org/a #vpn',
  author: { name: 'Bob', screenName: 'bob' },
  pictures: [],
}

type Answers = Partial<Record<CommandName, unknown>>

const page = (data: unknown, more: object = {}) => ({ ok: true, value: { data, unreadable: 0, ...more } })
const failed = (code: string, details?: object) => ({ ok: false, error: { code, message: '', details } })

/** Opens the news with these answers from main. */
async function openNews(answers: Answers = {}, state: Partial<AppState> = {}): Promise<Opened> {
  const known: Answers = {
    listEntries: page([entry]),
    showEntry: page(details),
    revealEntry: page({ entry: details, related: [{ ...entry, id: '8', title: 'Another' }], unreadable: 0 }),
    showContentUser: page({ id: '3', name: 'Ann', isClubMember: true, socialAccounts: [] }),
    listTweets: page([tweet]),
    ...answers,
  }
  const opened = await openWindow({ instances: [signedIn], ...state }, (name) => known[name] ?? { ok: true })
  await visit(opened.user, 'News')
  return opened
}

function inputs({ ran }: Opened, name: CommandName): unknown[] {
  return ran.filter((command) => command.name === name).map(({ input }) => input)
}

async function openEntry({ user }: Opened): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name: /Keys <b>rotate<\/b>/ }))
  await screen.findByRole('heading', { name: 'Why' })
  return screen.getByRole('article')
}

const instanceId = signedIn.id

it('names the row of an entry by its title, and describes it by the rest', async () => {
  await openNews()
  const row = await screen.findByRole('button', { name: 'Keys <b>rotate</b>' })
  const described = (row.getAttribute('aria-describedby') ?? '').split(' ')
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Rotate them. #security',
    expect.stringContaining('1 comment'),
  ])
})

describe('news', () => {
  it('are fetched when first shown, and kept while the user visits other views', async () => {
    const opened = await openNews()
    expect(inputs(opened, 'listEntries')[0]).toEqual({
      instanceId,
      of: { list: 'club', type: 0, sortMode: 'mainpage' },
      offset: 0,
    })
    await openEntry(opened)
    const asked = opened.ran.length
    await visit(opened.user, 'Messages')
    await visit(opened.user, 'News')
    expect(await screen.findByRole('heading', { name: 'Why' }), 'the entry that was read').toBeTruthy()
    expect(opened.ran).toHaveLength(asked)
  })

  it('are shown as text and never as markup, and links show their host', async () => {
    const opened = await openNews()
    const article = await openEntry(opened)
    expect(within(article).getByRole('heading', { level: 2 }).textContent).toBe('Keys <b>rotate</b>')
    expect(within(article).getByText('<script>').tagName).toBe('CODE')
    expect(within(article).getAllByText(/can't show part of this entry\.$/)).toHaveLength(2)
    expect(within(article).queryByText(/hologram/), "the service's word for it").toBeNull()
    expect(within(article).getByText(/This entry is longer/)).toBeTruthy()
    expect(within(article).getByText('Video · 7:10')).toBeTruthy()
    await opened.user.click(within(article).getByRole('link', { name: 'bank.example evil.example' }))
    expect(inputs(opened, 'openContentLink')).toEqual([{ url: 'https://evil.example/x' }])
  })

  it("show why a link couldn't be opened", async () => {
    const opened = await openNews({ openContentLink: failed('oauth/browser-not-opened') })
    await opened.user.click(within(await openEntry(opened)).getByRole('link', { name: /^Open in browser/ }))
    expect((await screen.findByRole('alert')).parentElement?.textContent).toContain(
      'oauth/browser-not-opened',
    )
  })

  it('are searched by words or a clicked hashtag, and opened by address', async () => {
    const opened = await openNews()
    const { user } = opened
    await user.click(within(await openEntry(opened)).getByRole('button', { name: '#security' }))
    const searched = { instanceId, of: { list: 'search', q: '#security' }, offset: 0 }
    expect(inputs(opened, 'listEntries')).toContainEqual(searched)
    const field = screen.getByRole('textbox')
    await user.clear(field)
    await user.type(field, ' https://news.example.org/7 {Enter}')
    expect(inputs(opened, 'revealEntry')).toEqual([{ instanceId, address: 'https://news.example.org/7' }])
    await user.click(await screen.findByRole('button', { name: /Another/ }))
    expect(inputs(opened, 'showEntry')).toContainEqual({ instanceId, entryId: '8' })
  })

  it('link to the account of their author', async () => {
    const opened = await openNews()
    await opened.user.click(within(await openEntry(opened)).getByRole('button', { name: 'by Ann' }))
    expect(inputs(opened, 'showContentUser')).toEqual([{ instanceId, userId: '3' }])
    expect(await screen.findByText(/Community member/)).toBeTruthy()
    expect(inputs(opened, 'listEntries').at(-1)).toMatchObject({ of: { list: 'posts', userId: '3' } })
    const person = screen.getByRole('combobox', { name: 'Person' })
    expect(
      within(person)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['My account', 'Ann'])
    expect(person).toHaveProperty('value', '3')
    expect(screen.queryByRole('textbox')).toBeNull()
    await opened.user.selectOptions(person, 'My account')
    expect(inputs(opened, 'showContentUser').at(-1)).toEqual({ instanceId })
  })

  it('include tweets, whose links open in the browser', async () => {
    const opened = await openNews()
    await opened.user.click(screen.getByRole('radio', { name: 'Tweets' }))
    await opened.user.click(await screen.findByRole('link', { name: /example\.org/ }))
    expect(inputs(opened, 'openContentLink')).toEqual([{ url: 'https://example.org/a' }])
    await opened.user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'This week')
    expect(inputs(opened, 'listTweets').at(-1)).toMatchObject({ listId: 1, interval: 'week' })
  })
})

describe('a typo', () => {
  it('can be reported by keyboard alone, and is acknowledged', async () => {
    const opened = await openNews()
    const { user } = opened
    await openEntry(opened)
    screen.getByRole('button', { name: 'Report a typo' }).focus()
    await user.keyboard('{Enter}')
    await user.keyboard('teh ')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(inputs(opened, 'reportMisprint')).toEqual([
      { instanceId, text: 'teh', address: 'https://news.example.org/7' },
    ])
    expect((await screen.findByText(/Your report has been sent/)).getAttribute('role')).toBe('status')
  })

  it('is reported with the address that was opened if the service returns none', async () => {
    const { page: _, ...withoutPage } = details
    const opened = await openNews({ revealEntry: page({ entry: withoutPage, related: [], unreadable: 0 }) })
    const { user } = opened
    await user.click(screen.getByRole('radio', { name: 'Search' }))
    await user.type(screen.getByRole('textbox'), 'https://news.example.org/8{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Report a typo' }))
    await user.type(screen.getByRole('textbox', { name: "What's wrong" }), 'teh')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(inputs(opened, 'reportMisprint')).toEqual([
      { instanceId, text: 'teh', address: 'https://news.example.org/8' },
    ])
  })

  it('shows why it was refused, and keeps its text', async () => {
    const opened = await openNews({ reportMisprint: failed('content/refused') })
    const { user } = opened
    await openEntry(opened)
    await user.click(screen.getByRole('button', { name: 'Report a typo' }))
    await user.type(screen.getByRole('textbox', { name: "What's wrong" }), 'teh')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect((await screen.findByRole('alert')).parentElement?.textContent).toContain('content/refused')
    expect(screen.getByDisplayValue('teh')).toBeTruthy()
  })
})

it('shows all categories of another service, also if it has one with the same number', async () => {
  const categories = [{ id: '5', name: 'Sports', sources: [] }]
  const other = { ...signedIn, id: 'other.example.org' }
  const opened = await openNews(
    { listNews: page([]), listNewsCategories: page(categories) },
    { instances: [signedIn, other] },
  )
  const { user } = opened
  await user.click(screen.getByRole('radio', { name: 'News' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), 'Newest')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Category' }), 'Sports')
  const before = inputs(opened, 'listNews').at(-1)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), other.id)
  expect(inputs(opened, 'listNews').at(-1)).toEqual({
    ...(before as object),
    instanceId: other.id,
    listId: undefined,
  })
  expect(screen.getByRole('combobox', { name: 'Category' })).toHaveProperty('value', '')
})

describe('unavailable news', () => {
  it('link to the settings if the instance has no news service', async () => {
    await openNews(
      { listEntries: failed('content/not-offered') },
      { instances: [{ ...signedIn, name: 'My university' }] },
    )
    expect(await screen.findByText(/My university doesn't offer news/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open Settings' }).getAttribute('href')).toBe(
      '#settings/instances/vpn.example.org',
    )
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('are explained while there are none: each section says what will be there', async () => {
    const none = page([])
    const { user } = await openNews({
      listEntries: none,
      listNews: none,
      listTweets: none,
      listNewsCategories: none,
    })
    const sections = within(screen.getByRole('radiogroup', { name: 'News sections' }))
    for (const [section, text] of [
      ['Community', /^What the community's members write appears here/],
      ['News', /^Reports by newspapers and blogs appear here/],
      ['Tweets', /^Tweets that the service collects appear here/],
      ['Search', /^Search the community, choose a hashtag, or paste an article's address/],
      ['Account', /^This account hasn't posted anything yet/],
    ] as const) {
      await user.click(sections.getByRole('radio', { name: section }))
      expect(await screen.findByText(text), section).toBeTruthy()
    }
  })

  it('are fetched again when asked', async () => {
    const opened = await openNews({ listEntries: failed('content/unavailable') })
    expect((await screen.findByRole('alert')).parentElement?.textContent).toContain('content/unavailable')
    const asked = inputs(opened, 'listEntries').length
    await opened.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(inputs(opened, 'listEntries')).toHaveLength(asked + 1)
  })

  it('are shown from the cache with their age and the unreachable host', async () => {
    await openNews({
      listEntries: page([entry], { cachedAt: Date.UTC(2026, 10, 20, 12), host: 'news.example.org' }),
    })
    expect((await screen.findByText(/Last updated/)).textContent).toMatch(
      /^news\.example\.org can't be reached\..*2026/,
    )
    expect(screen.getByRole('button', { name: /Keys/ })).toBeTruthy()
  })

  it.each([
    [1, 'in 1 second'],
    [90, 'in 90 seconds'],
    [3600, 'in 60 minutes'],
    [86_400, 'in 24 hours'],
  ])('say when to retry if the service says so: %i', async (retryAfterSeconds, wait) => {
    await openNews({ listEntries: failed('content/unavailable', { status: 429, retryAfterSeconds }) })
    expect((await screen.findByRole('alert')).textContent).toContain(`Try again ${wait}.`)
  })

  it("show how many records couldn't be parsed, and the others", async () => {
    await openNews({ listEntries: page([entry], { unreadable: 2 }) })
    expect(await screen.findByText("2 items couldn't be read and aren't shown.")).toBeTruthy()
    expect(screen.getByRole('button', { name: /Keys/ })).toBeTruthy()
  })

  it('count unparsable categories and related entries too', async () => {
    const opened = await openNews({
      listNews: page([]),
      listNewsCategories: page([{ id: '0', name: 'Zero', sources: [] }], { unreadable: 1 }),
      revealEntry: page({ entry: details, related: [], unreadable: 3 }),
    })
    const { user } = opened
    await user.click(screen.getByRole('radio', { name: 'News' }))
    expect(await screen.findByText("1 item couldn't be read and isn't shown.")).toBeTruthy()
    expect(screen.queryByRole('option', { name: 'Zero' }), 'news has no category 0').toBeNull()
    await user.click(screen.getByRole('radio', { name: 'Search' }))
    await user.type(screen.getByRole('textbox'), 'https://news.example.org/7{Enter}')
    expect(await screen.findByText("3 items couldn't be read and aren't shown.")).toBeTruthy()
  })

  it('explain an empty list', async () => {
    await openNews({ listEntries: page([]) })
    expect(await screen.findByRole('heading', { name: 'No entries' })).toBeTruthy()
  })
})

describe('the focus in a filter', () => {
  it.each([
    ['Community', 'Type', '1'],
    ['News', 'Period', 'fresh'],
    ['Tweets', 'Period', 'week'],
    ['Account', 'Person', '3'],
  ])('stays while the list of %s changes (%s)', async (section, name, value) => {
    const { user } = await openNews()
    await screen.findByRole('button', { name: 'Keys <b>rotate</b>' })
    await user.click(screen.getByRole('radio', { name: section }))
    await user.selectOptions(await screen.findByRole('combobox', { name }), value)
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name })
    expect(choice.value).toBe(value)
    expect(document.activeElement).toBe(choice)
  })

  it('stays in the search field while its words are searched', async () => {
    const { user } = await openNews()
    await user.click(screen.getByRole('radio', { name: 'Search' }))
    await user.type(screen.getByRole('textbox'), 'keys{Enter}')
    expect(await screen.findByRole('button', { name: 'Keys <b>rotate</b>' })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })
})
