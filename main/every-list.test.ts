import { describe, expect, it } from 'vitest'
import { answeringClient } from './platform/http/answering-client.testing'
import { parseOrganizationList, parseServerList } from './portal/organization-list/list-documents'
import { createVpnApi } from './portal/v2/create-vpn-api'
import { parseInfo } from './portal/v3/info'
import { createAttachmentsClient } from './services/attachments/create-attachments-client'
import { createContentClient } from './services/news/content-client'
import { withoutSecrets } from './services/offline-cache/without-secrets'
import { createOrganizationsClient } from './services/organizations/organizations-client'

/** The ids of the records that are shown, and the number of those that are left out. */
interface Read {
  readonly ids: readonly string[]
  readonly unreadable: number
}

interface List {
  /** A good record with this id. */
  readonly record: (id: string) => object
  readonly answer: (records: unknown) => object
  readonly read: (json: string) => Promise<Read> | Read
}

const baseUrl = 'https://vpn.example.org'
const answering = (json: string) => answeringClient(() => new Response(json))
const content = (json: string) => createContentClient({ http: answering(json), baseUrl })
const readOf = <Item>(
  records: { items: readonly Item[]; unreadable: number },
  id: (item: Item) => string,
): Read => ({
  ids: records.items.map(id),
  unreadable: records.unreadable,
})
const byId = (records: { items: readonly { id: string }[]; unreadable: number }): Read =>
  readOf(records, ({ id }) => id)
const vpnApi = (json: string) =>
  createVpnApi({
    http: answering(json),
    endpoints: () => Promise.resolve({ apiBaseUri: `${baseUrl}/api` }),
    tokens: { accessToken: () => Promise.resolve('token'), discardRejected: () => Promise.resolve() },
  })
const source = new URL('https://disco.example.org/v2/')

const entry = (id: string) => ({
  id,
  title: id,
  url: 'https://example.org/1',
  date: 1_539_202_764,
  dateRFC: 'Wed, 10 Oct 2018 20:19:24 GMT',
  author: {
    id: '5',
    name: 'Ann',
    profile_image_url: 'https://example.org/a.png',
    url: 'https://example.org/a',
  },
  type: 1,
  intro: '<p>Intro</p>',
  cover: {
    thumbnailUrl: 'https://example.org/t.png',
    url: 'https://example.org/c.png',
    size: { width: 1, height: 1 },
  },
  externalLink: { domain: 'example.org', url: 'https://example.org', data: { title: 'a', description: 'b' } },
  hits: 1,
  likes: { count: 1, summ: 1, isLiked: false },
  commentsCount: 1,
  isFavorited: false,
})
const newsItem = (id: string) => ({
  id,
  title: id,
  url: 'https://example.org',
  mobile_url: 'https://m.example.org',
  preview_img: 'https://example.org/p.png',
  source: { id: '1', name: 'News', url: 'https://example.org', favicon: 'https://example.org/f.png' },
  rating: { total: 1 },
  isFavorited: false,
  date: 1_539_202_764,
})
const attachment = (id: string) => ({
  id,
  userId: 'ann',
  url: 'https://example.org',
  status: 'COMPLETED',
  type: 'EXTERNAL',
  title: 'Link',
  description: 'A link',
  extension: 'pdf',
  videos: ['v'],
  modules: ['m'],
})
const attachments = (json: string) =>
  createAttachmentsClient({ http: answering(json), baseUrl, now: Date.now })
const nameOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const lists: Readonly<Record<string, List>> = {
  'profiles of version 2': {
    record: (id) => ({ profile_id: id, display_name: { en: id }, default_gateway: true }),
    answer: (data) => ({ profile_list: { ok: true, data } }),
    read: async (json) => readOf(await vpnApi(json).profileList(), ({ profileId }) => profileId),
  },
  'profiles of version 3': {
    record: (id) => ({
      profile_id: id,
      display_name: id,
      vpn_proto_list: ['openvpn'],
      default_gateway: true,
      dns_search_domain_list: ['example.org'],
      vpn_proto_transport_list: ['openvpn+tcp'],
      profile_priority: 1,
    }),
    answer: (profile_list) => ({ info: { profile_list } }),
    read: (json) => {
      const { data } = parseInfo(json)
      if (data === undefined) throw new Error('refused')
      return readOf(data, ({ profileId }) => profileId)
    },
  },
  'system messages': {
    record: (id) => ({ date_time: '2026-11-20T18:29:34Z', message: id, type: 'notification' }),
    answer: (data) => ({ system_messages: { ok: true, data } }),
    read: async (json) => readOf(await vpnApi(json).systemMessages(), ({ message }) => nameOf(message)),
  },
  ...Object.fromEntries(
    ['data', 'items'].map((name): [string, List] => [
      `attachments as ${name}`,
      {
        record: attachment,
        answer: (records) => ({ [name]: records, totalCount: 3 }),
        read: async (json) => {
          const { data, unreadable } = await attachments(json).list()
          return readOf({ items: data, unreadable }, ({ id }) => id)
        },
      },
    ]),
  ),
  'attachments of a video': {
    record: attachment,
    answer: (data) => ({ data, totalCount: 3 }),
    read: async (json) => {
      const { data, unreadable } = await attachments(json).forVideo('v')
      return readOf({ items: data, unreadable }, ({ id }) => id)
    },
  },
  club: {
    record: entry,
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).club()),
  },
  posts: {
    record: entry,
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).accountPosts()),
  },
  search: {
    record: entry,
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).search({ q: 'words' })),
  },
  tweets: {
    record: (id) => ({
      id,
      text: 'Text',
      user: {
        id: '1',
        name: 'Ann',
        screen_name: 'ann',
        profile_image_url: 'https://example.org',
        followers_count: 1,
      },
      retweet_count: 1,
      favorite_count: 1,
      has_media: true,
      media: [
        {
          type: 1,
          thumbnailUrl: 'https://example.org/t.png',
          url: 'https://example.org',
          width: 1,
          height: 1,
        },
      ],
      created_at: 'Wed Oct 10 20:19:24 +0000 2018',
    }),
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).tweets()),
  },
  news: {
    record: newsItem,
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).news()),
  },
  categories: {
    record: (id) => ({ id, name: 'Category', news: [newsItem('7')], sources: [{ id: '1', name: 'News' }] }),
    answer: (list) => list as object,
    read: async (json) => byId(await content(json).newsLists()),
  },
  'news of a category': {
    record: newsItem,
    answer: (news) => [{ id: '1', name: 'Category', news, sources: [] }],
    read: async (json) => {
      const { items, unreadable } = await content(json).newsLists()
      return byId({ items: items[0]?.news ?? [], unreadable })
    },
  },
  'related entries': {
    record: entry,
    answer: (sectionRelated) => ({ id: '1', data: { ...entry('1'), entryJSON: '{}' }, sectionRelated }),
    read: async (json) => {
      const { revealed, unreadable } = await content(json).reveal('https://example.org')
      return byId({ items: revealed.sectionRelated, unreadable })
    },
  },
  'users of an organization': {
    record: (id) => ({
      orgId: 1,
      userId: Number(id),
      email: `${id}@example.org`,
      login: `user${id}`,
      role: 'Viewer',
      name: 'Ann',
      avatarUrl: '/a.png',
      lastSeenAt: '2026-11-20T18:29:34Z',
      lastSeenAtAge: '1m',
    }),
    answer: (list) => list as object,
    read: async (json) => {
      const client = createOrganizationsClient({
        http: answering(json),
        baseUrl,
        authorization: () => Promise.resolve({}),
      })
      return readOf(await client.users('current'), ({ userId }) => userId)
    },
  },
  'institutes of the server list': {
    record: (id) => ({
      server_type: 'institute_access',
      base_url: `https://${id}.example.org/`,
      display_name: { en: 'Name' },
      keyword_list: { en: 'words' },
      support_contact: ['mailto:help@example.org'],
    }),
    answer: (server_list) => ({ v: 1, server_list }),
    read: (json) => {
      const { servers, unreadable } = parseServerList(json, source)
      return readOf(
        { items: servers, unreadable },
        ({ baseUrl }) => new URL(baseUrl).hostname.split('.')[0] ?? '',
      )
    },
  },
  'locations of the server list': {
    record: (id) => ({
      server_type: 'secure_internet',
      base_url: `https://${id}.example.org/`,
      country_code: 'NL',
      support_contact: ['mailto:help@example.org'],
      authentication_url_template: 'https://example.org/@RETURN_TO@/@ORG_ID@',
    }),
    answer: (server_list) => ({ v: 1, server_list }),
    read: (json) => {
      const { servers, unreadable } = parseServerList(json, source)
      return readOf(
        { items: servers, unreadable },
        ({ baseUrl }) => new URL(baseUrl).hostname.split('.')[0] ?? '',
      )
    },
  },
  'organization list': {
    record: (id) => ({
      org_id: id,
      display_name: { en: 'Name' },
      secure_internet_home: 'https://nl.example.org/',
      keyword_list: { en: 'words' },
    }),
    answer: (organization_list) => ({ v: 1, organization_list }),
    read: (json) => {
      const { organizations, unreadable } = parseOrganizationList(json, source)
      return readOf({ items: organizations, unreadable }, ({ orgId }) => orgId)
    },
  },
}

/** Undefined leaves the field out. */
const wrong: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'true',
  'yesterday',
  '\u0000\u202e',
  'x'.repeat(20_000),
  [],
  [null],
  ['a', 7],
  {},
  { en: null },
  { en: { deeper: [] }, nl: 7 },
]

/** Copies of a value in which one field, at any depth, has each of the wrong values. */
function* broken(value: unknown): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }
    for (const other of wrong) yield [`${name}: ${JSON.stringify([other]).slice(0, 40)}`, put(other)]
    for (const [where, other] of broken(inner)) yield [`${name}.${where}`, put(other)]
  }
}

describe.each(Object.entries(lists))(
  'one bad record never takes the rest: %s',
  (_name, { record, answer, read }) => {
    const [first, bad, last] = [record('11'), record('12'), record('13')]
    const ways: Readonly<Record<string, (json: string) => string>> = {
      'from the service': (json) => json,
      'from the cached copy': (json) => withoutSecrets(json) ?? '',
    }

    it.each(Object.entries(ways))('%s', async (_way, through) => {
      for (const [what, record] of [
        ...broken(bad),
        ...wrong.map((value) => [JSON.stringify(value), value] as const),
      ]) {
        const { ids, unreadable } = await read(through(JSON.stringify(answer([first, record ?? null, last]))))
        expect(ids, what).toEqual(expect.arrayContaining(['11', '13']))
        expect(ids.length + unreadable, what).toBeGreaterThanOrEqual(3)
      }
    })

    it('also from PHP that has removed the first one', async () => {
      expect(await read(JSON.stringify(answer({ 1: first, 3: last })))).toEqual({
        ids: ['11', '13'],
        unreadable: 0,
      })
    })
  },
)
