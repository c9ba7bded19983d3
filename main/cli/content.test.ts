import { beforeEach, expect, it } from 'vitest'
import { MockControl } from '../app/connecting.testing'
import { startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({
  clock: { now: () => new Date('2026-11-20T12:00:00Z') },
})
const control = new MockControl(mock.control)
const person = await command.person(mock.instance)
beforeEach(() => control.post('/reset'))

const text = (pattern: RegExp) => expect.stringMatching(pattern) as unknown

interface Entry {
  readonly id: number
  readonly type: number
  readonly url: string
  readonly intro: string
}

/** Runs commands at the same time, because most of their time is start-up, and returns their JSON. */
function all(...commands: readonly (readonly string[])[]): Promise<unknown[]> {
  return Promise.all(commands.map((args) => person.json('content', ...args)))
}

it('prints the documented fields of each answer, without a login', async () => {
  const [user, posts, club, tweets, news, categories] = (await all(
    ['account-info', '--user', '2'],
    ['account-posts', '--user', '4', '--count', '2', '--offset', '1'],
    ['club', '--type', '3', '--sort-mode', 'recent', '--count', '3'],
    ['tweets', '--list', '2', '--interval', 'month', '--count', '1'],
    ['news', '--list', '2', '--interval', 'fresh', '--count', '2'],
    ['categories', '--list', '2', '--no-sources'],
  )) as [object, Entry[], Entry[], object[], object[], object[]]
  expect(user).toMatchObject({
    id: 2,
    name: text(/./),
    profileImageUrl: text(/^http/),
    rating: { karmaCount: expect.any(Number) as unknown },
  })
  expect(posts).toHaveLength(2)
  expect(club.map(({ type }) => type)).toEqual([3, 3, 3])
  expect(tweets).toMatchObject([{ text: text(/./), user: { screenName: text(/./) } }])
  expect(news).toMatchObject([{ source: { name: text(/./) } }, { mobileUrl: text(/^http/) }])
  expect(categories).toMatchObject([{ id: 2, name: 'Security', sources: [] }])
})

it('shows an entry as plain text, by id and by URL', async () => {
  const entry = (await person.json('content', 'item', '120')) as Entry
  expect(entry).toMatchObject({ id: 120, entryJSON: text(/^\{"data"/), dateRFC: text(/2026/) })
  const [item, revealed] = await Promise.all([
    person.run(['content', 'item', '120']),
    person.run(['content', 'reveal', `${entry.url}/?utm_source=letter`]),
  ])
  expect(item.stdout).not.toMatch(/<\/?[a-z]+>|&amp;|undefined/)
  for (const part of [
    /^Why network namespaces/,
    /^## /m,
    /^\[picture: Picture 3 of 3\]\nhttp/m,
    /^\[video: /m,
    /^> /m,
    /^Test · Result$/m,
  ]) {
    expect(item.stdout).toMatch(part)
  }
  expect(revealed.stdout.startsWith(item.stdout)).toBe(true)
  expect(revealed.stdout).toContain('Similar entries:')
})

it('searches for hashtags, and explains how to quote them', async () => {
  const [quoted, named, both, nothing, help] = await Promise.all([
    person.json('content', 'search', '#vpn'),
    person.json('content', 'search', '--hashtag', 'vpn'),
    person.json('content', 'search', 'tunnel', '--hashtag', 'vpn', '#privacy'),
    person.failure(['content', 'search']),
    person.run(['content', 'search', '--help']),
  ])
  expect((quoted as Entry[]).length).toBeGreaterThan(0)
  expect(named).toEqual(quoted)
  expect((both as Entry[]).every(({ intro }) => intro.includes('#vpn') && intro.includes('#privacy'))).toBe(
    true,
  )
  expect(nothing).toMatchObject({ status: 2, code: 'usage/invalid-argument', message: text(/quotes/) })
  expect(help.stdout).toContain('--hashtag vpn')
})

it('reports a misprint', async () => {
  const report = { url: `${mock.content}/content-pages/articles/1`, text: 'teh “café” --url' }
  expect(await person.json('content', 'report-misprint', '--url', report.url, '--text', report.text)).toEqual(
    {
      ...report,
      reported: true,
    },
  )
  expect(await (await fetch(`${mock.control}/misprints`)).json()).toMatchObject([report])
})

it('refuses undocumented values without a request', async () => {
  await control.requests()
  const failures = await Promise.all(
    [
      ['club', '--count', '51'],
      ['club', '--sort-mode', 'best'],
      ['news', '--count', '-1'],
      ['report-misprint', '--url', 'https://example.org', '--text', ' '],
    ].map((args) => person.failure(['content', ...args])),
  )
  expect(failures.map(({ status }) => status)).toEqual(failures.map(() => 2))
  expect((await control.requests()).filter((request) => request.includes('/2.3/'))).toEqual([])
})

it('distinguishes a missing entry, a failing service and an unreachable one', async () => {
  const status = async (scenario: string) => {
    await control.post(`/scenarios/${scenario}`)
    const { status: exit, code } = await person.failure(['content', 'item', '120'])
    return [exit, code]
  }
  expect(await status('entry-vanished')).toEqual([5, 'content/not-found'])
  expect(await status('content-down')).toEqual([5, 'content/unavailable'])
  expect(await status('content-cut-off')).toEqual([4, 'http/unreachable'])
})

it('prints no control characters of a hostile server', async () => {
  await control.post('/scenarios/hostile-entries')
  const shown = await Promise.all(
    [['club', '--count', '14'], ...[9013, 9014].map((id) => ['item', String(id)])].map((args) =>
      person.run(['content', ...args]),
    ),
  )
  for (const { status, stdout } of shown) {
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/[\u202a-\u202e]|[^\P{Cc}\n]/u)
  }
  expect(shown[1]?.stdout).toContain("[This version of Causeway can't show part of this entry (hologram).]")
  expect((await control.requests()).filter((request) => request.includes('canary'))).toEqual([])
})

it('reports an instance without news', async () => {
  await control.fault('/info.json', {
    body: {
      api: {
        'http://eduvpn.org/api#2': {
          api_base_uri: `${mock.instance}api`,
          authorization_endpoint: `${mock.instance}a`,
          token_endpoint: `${mock.instance}t`,
        },
      },
    },
  })
  expect(await person.failure(['content', 'club'])).toMatchObject({ status: 2, code: 'content/not-offered' })
})
