import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { createMockServer } from '../server'
import { goodRequest } from '../test-client'
import { verifyMinisign, type Verification } from './minisign.testing'

const now = new Date('2026-11-20T12:00:00Z')
const dayBefore = Math.floor(now.getTime() / 1000) - 24 * 60 * 60

const { server, client } = await serveMock({ autoApprove: true, api: '3', clock: { now: () => now } })
beforeEach(() => client.control('POST', '/reset'))

const names = ['server_list.json', 'organization_list.json'] as const
const file = (name: string, headers: Record<string, string> = {}) => client.get(`/discovery/${name}`, headers)
type Entry = Record<string, unknown>

async function list(name: (typeof names)[number]): Promise<{ v: number; entries: Entry[] }> {
  const { v, ...rest } = (await (await file(name)).json()) as { v: number } & Record<string, Entry[]>
  return { v, entries: rest[name.replace('.json', '')] ?? [] }
}

async function verified(name: string): Promise<Verification> {
  const text = Buffer.from(await (await file(name)).arrayBuffer())
  return verifyMinisign(text, await (await file(`${name}.minisig`)).text(), server.discovery.key)
}

const valid = { algorithm: 'ED', isTrustedId: true, isSigned: true, isCommentSigned: true }
const usualComment = `timestamp:${dayBefore}\tfile:server_list.json\thashed`

describe('the discovery server', () => {
  it('names its address and key', async () => {
    expect(server.discovery.url).toBe(`${server.origin}/discovery/`)
    const summary = await client.get('/_mock', { accept: 'application/json' })
    expect(await summary.json()).toMatchObject({ discovery: server.discovery })
  })

  it.each(names)('signs %s in the prehashed form', async (name) => {
    expect(await verified(name)).toEqual({
      ...valid,
      comment: `timestamp:${dayBefore}\tfile:${name}\thashed`,
    })
  })

  it('has the same key for the same seed, and another one for another seed', async () => {
    const [same, other] = await Promise.all([createMockServer(), createMockServer({ seed: 2 })])
    await Promise.all([same.close(), other.close()])
    expect(same.discovery.key).toBe(server.discovery.key)
    expect(other.discovery.key).not.toBe(server.discovery.key)
  })

  it('lists this mock as an institute and as two locations', async () => {
    const { v, entries } = await list('server_list.json')
    expect(v).toBe(dayBefore)
    const { origin } = server
    expect(entries.slice(0, 3)).toMatchObject([
      { server_type: 'institute_access', base_url: `${origin}/`, display_name: { en: 'Mock Institute' } },
      {
        server_type: 'secure_internet',
        base_url: `${origin}/nl/`,
        country_code: 'NL',
        authentication_url_template: `${origin}/discovery/skip-wayf?returnTo=@RETURN_TO@&orgId=@ORG_ID@`,
      },
      { server_type: 'secure_internet', base_url: `${origin}/de/`, country_code: 'DE' },
    ])
    expect(entries.length).toBeGreaterThan(30)
    for (const { base_url } of entries.slice(3)) expect(base_url).toMatch(/^https:\/\/[a-z.-]+\.example\/$/)
  })

  it('lists organizations, each with a home that is in the list of servers', async () => {
    const servers = (await list('server_list.json')).entries
    const homes = servers.flatMap(({ server_type, base_url }) =>
      server_type === 'secure_internet' ? [base_url] : [],
    )
    const { entries } = await list('organization_list.json')
    expect(entries.length).toBeGreaterThan(30)
    expect(new Set(entries.map(({ org_id }) => org_id)).size).toBe(entries.length)
    for (const { secure_internet_home } of entries) expect(homes).toContain(secure_internet_home)
    const languages = new Set(entries.flatMap(({ display_name }) => Object.keys(display_name as object)))
    expect(languages.size).toBeGreaterThan(10)
  })

  it.each(['server_list.json', 'server_list.json.minisig'])(
    'answers 304 while %s is unchanged',
    async (name) => {
      const modified = (await file(name)).headers.get('last-modified') ?? ''
      expect(modified).toMatch(/^Thu, 19 Nov 2026 12:00:\d\d GMT$/)
      const unchanged = await file(name, { 'if-modified-since': modified })
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
      await client.scenario('lists-newer')
      expect((await file(name, { 'if-modified-since': modified })).status).toBe(200)
    },
  )

  it('answers well-known documents of its locations', async () => {
    for (const { base_url } of (await list('server_list.json')).entries.slice(0, 3)) {
      const document = await fetch(new URL('.well-known/vpn-user-portal', String(base_url)))
      expect(await document.json()).toHaveProperty(['api', 'http://eduvpn.org/api#3'])
    }
  })

  it('redirects from the template of the home server to the authorization request', async () => {
    const template = (await list('server_list.json')).entries[1]?.authentication_url_template
    const organization = String((await list('organization_list.json')).entries[0]?.org_id)
    const wanted = `${server.origin}/oauth/authorize?${new URLSearchParams(goodRequest().query).toString()}`
    const opened = (returnTo: string, orgId: string) =>
      fetch(
        String(template)
          .replace('@RETURN_TO@', new URLSearchParams({ a: returnTo }).toString().slice(2))
          .replace('@ORG_ID@', new URLSearchParams({ a: orgId }).toString().slice(2)),
        { redirect: 'manual' },
      )
    const answer = await opened(wanted, organization)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, wanted])
    expect((await opened('https://elsewhere.example/', organization)).status).toBe(400)
    expect((await opened(wanted, 'https://unknown.example/')).status).toBe(400)
  })
})

describe('the scenarios of the lists', () => {
  it.each([
    ['lists-of-another-key', { isTrustedId: false, isSigned: false, isCommentSigned: false }],
    ['lists-of-a-forged-key', { isTrustedId: true, isSigned: false, isCommentSigned: false }],
    ['lists-of-another-file', { comment: usualComment.replace('server_', 'organization_') }],
    ['lists-without-file-name', { comment: `timestamp:${dayBefore}\thashed` }],
    ['lists-without-timestamp', { comment: 'file:server_list.json\thashed' }],
    ['lists-with-empty-timestamp', { comment: 'timestamp:\tfile:server_list.json\thashed' }],
    ['lists-with-late-timestamp', { comment: usualComment.replace(/\d+/, String(dayBefore + 315_360_000)) }],
    ['lists-with-early-timestamp', { comment: usualComment.replace(/\d+/, '1000000000') }],
    ['lists-with-large-timestamp', { comment: usualComment.replace(/\d+/, '9'.repeat(40)) }],
    ['lists-with-random-comment', { comment: 'lorem ipsum dolor sit amet' }],
    [
      'lists-with-changed-comment',
      { isCommentSigned: false, comment: usualComment.replace(/\d+/, String(dayBefore + 3600)) },
    ],
    ['lists-changed', { isSigned: false }],
    ['lists-truncated', { isSigned: false }],
    ['lists-with-legacy-signature', { algorithm: 'Ed', comment: usualComment.replace('\thashed', '') }],
    ['lists-older', { comment: usualComment.replace(/\d+/, String(dayBefore - 3600)) }],
    ['lists-newer', { comment: usualComment.replace(/\d+/, String(dayBefore + 3600)) }],
    ['lists-of-same-version', {}],
  ] as [string, Partial<Verification>][])('%s', async (name, difference) => {
    await client.scenario(name)
    expect(await verified('server_list.json')).toEqual({ ...valid, comment: usualComment, ...difference })
    await client.scenario('all-well')
    expect(await verified('server_list.json')).toEqual({ ...valid, comment: usualComment })
  })

  it.each([
    ['lists-older', -3600],
    ['lists-of-same-version', 0],
    ['lists-newer', 3600],
  ])('%s: one more institute, v changed by %d', async (name, change) => {
    const before = await list('server_list.json')
    await client.scenario(name)
    const after = await list('server_list.json')
    expect(after.v - before.v).toBe(change)
    expect(after.entries).toHaveLength(before.entries.length + 1)
  })

  it('lists-without-signature and lists-with-broken-signature', async () => {
    await client.scenario('lists-without-signature')
    expect((await file('server_list.json.minisig')).status).toBe(404)
    await client.scenario('lists-with-broken-signature')
    expect(await (await file('server_list.json.minisig')).text()).toMatch(/^<!doctype html>/)
  })

  it('lists-without-home and lists-without-location: valid lists without the entries', async () => {
    await client.scenario('lists-without-home')
    expect(JSON.stringify((await list('organization_list.json')).entries)).not.toContain('Mock University')
    expect(await verified('organization_list.json')).toMatchObject(valid)
    await client.scenario('lists-without-location')
    const countries = (await list('server_list.json')).entries.map(({ country_code }) => country_code)
    expect(countries).toContain('NL')
    expect(countries).not.toContain('DE')
  })

  it('lists-with-broken-template and lists-empty', async () => {
    await client.scenario('lists-with-broken-template')
    const [, home] = (await list('server_list.json')).entries
    expect(home?.authentication_url_template).not.toContain('@ORG_ID@')
    await client.scenario('lists-empty')
    expect((await list('server_list.json')).entries).toEqual([])
  })

  it('lists-down: every file is answered 500', async () => {
    await client.scenario('lists-down')
    expect((await file('server_list.json')).status).toBe(500)
    expect((await file('organization_list.json.minisig')).status).toBe(500)
  })
})
