import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import type { Instance } from '../instance/instance'
import { OrganizationDirectory } from './organization-directory'
import { TestLists, TestSigner } from '../../platform/signed-list/signed-list.testing'
import type { ConfiguredSource } from '../../platform/signed-list/source'
import { testReporter } from '../../reporter.testing'

const institute = {
  server_type: 'institute_access',
  base_url: 'https://vpn.example.org/',
  display_name: { en: 'Example University', nl: 'Universiteit Voorbeeld' },
  support_contact: ['mailto:help@example.org'],
}
const dutch = {
  server_type: 'secure_internet',
  base_url: 'https://nl.example.net/',
  country_code: 'NL',
  support_contact: ['mailto:help@example.net'],
  authentication_url_template: 'https://nl.example.net/login?to=@RETURN_TO@&idp=@ORG_ID@',
}
const german = { server_type: 'secure_internet', base_url: 'https://de.example.net/', country_code: 'DE' }
const college = {
  org_id: 'https://idp.example.net/college',
  display_name: { en: 'Example College' },
  secure_internet_home: 'https://nl.example.net/',
}

let lists: TestLists
let dataDirectory: string
let now: number
let problems: unknown[]
let source: ConfiguredSource | undefined
let signal: AbortSignal

beforeEach(async () => {
  lists = await TestLists.start()
  onTestFinished(() => lists.close())
  dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-lists-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  now = Date.UTC(2026, 10, 20)
  problems = []
  source = { url: lists.url, keys: lists.signer.publicKey }
  signal = new AbortController().signal
  lists.publish(10, [institute, dutch, german], [college])
})

const open = (http = createHttpClient()) =>
  new OrganizationDirectory({
    source: () => Promise.resolve(source),
    http,
    dataDirectory,
    now: () => new Date(now),
    reporter: testReporter({
      notice: () => undefined,
      failure: (_event, error) => problems.push(error),
    }),
  })
const names = async (directory: OrganizationDirectory, words = 'example') =>
  (await directory.search(words, ['en'])).results.map(({ id }) => id)
const because = (code: string) => ({ code: `organization-list/${code}` })
const paths = () => lists.requests.splice(0).map(({ path }) => path.replace('/v2/', ''))
const both = ['https://idp.example.net/college', 'https://vpn.example.org/']

describe('the lists', () => {
  it('are fetched at the first search, then once an hour, and only if they changed', async () => {
    const directory = open()
    expect(await names(directory)).toEqual(both)
    expect(paths().toSorted()).toEqual([
      'organization_list.json',
      'organization_list.json.minisig',
      'server_list.json',
      'server_list.json.minisig',
    ])
    expect(await names(directory)).toEqual(both)
    expect(paths()).toEqual([])
    now += 60 * 60 * 1000
    await names(directory)
    expect(lists.requests.map(({ since }) => since)).toEqual([expect.any(String), expect.any(String)])
    expect(paths().toSorted()).toEqual(['organization_list.json', 'server_list.json'])
  })

  it('are kept over a restart, and searched while they cannot be fetched', async () => {
    await names(open())
    for (const status of [500, 404, 304, 301]) {
      lists.status = status
      const { results, problem } = await open().search('example', ['en'])
      expect(results).toHaveLength(2)
      expect(problem).toEqual(status === 304 ? undefined : expect.objectContaining(because('unavailable')))
    }
    await lists.close()
    expect((await open().search('example', ['en'])).problem).toMatchObject({ code: 'http/unreachable' })
  })

  it('are an error if none were ever stored', async () => {
    lists.status = 503
    await expect(names(open())).rejects.toMatchObject({ ...because('unavailable'), details: { status: 503 } })
    source = undefined
    await expect(names(open())).rejects.toMatchObject(because('not-configured'))
    expect(await open().isAvailable()).toBe(false)
  })

  it('are refused with another signature, and the stored ones are kept', async () => {
    const directory = open()
    await names(directory)
    lists.publish(11, [], [], { signer: new TestSigner(lists.signer.id) })
    now += 60 * 60 * 1000
    const { results, problem } = await directory.search('example', ['en'])
    expect(results).toHaveLength(2)
    expect(problem).toMatchObject(because('invalid-signature'))
  })

  it('are fetched again if they are published between a list and its signature', async () => {
    const http = createHttpClient()
    let isPublished = false
    const directory = open({
      send: async (url, request) => {
        if (!isPublished && url.pathname.endsWith('.minisig')) {
          isPublished = true
          lists.publish(11, [institute], [])
        }
        return http.send(url, request)
      },
    })
    const { results, problem } = await directory.search('example', ['en'])
    expect(problem).toBeUndefined()
    expect(results.map(({ id }) => id)).toEqual(['https://vpn.example.org/'])
  })

  it.each([
    ['a lower version', 9, 20],
    ['an earlier signature', 11, 9],
  ])('are not replaced by ones with %s, and the refusal is told', async (_what, v, timestamp) => {
    await names(open())
    lists.publish(v, [institute], [], { timestamp })
    const { results, problem } = await open().search('example', ['en'])
    expect(results).toHaveLength(2)
    expect(problem).toMatchObject({ ...because('rolled-back'), details: { stored: 10, received: v } })
  })

  it('stay as they are if the version is the same', async () => {
    const directory = open()
    await names(directory)
    lists.publish(10, [], [], { timestamp: 30 })
    now += 60 * 60 * 1000
    const { results, problem } = await directory.search('example', ['en'])
    expect([results.length, problem]).toEqual([2, undefined])
  })

  it('are replaced by newer ones', async () => {
    const directory = open()
    await names(directory)
    lists.publish(11, [institute], [])
    now += 60 * 60 * 1000
    expect(await names(directory)).toEqual(['https://vpn.example.org/'])
  })

  it('are refused if the stored copy was changed', async () => {
    await names(open())
    const [folder = ''] = await readdir(join(dataDirectory, 'organization-lists'))
    const path = join(dataDirectory, 'organization-lists', folder, 'server_list.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('vpn.example.org', 'bad.example.org'))
    lists.status = 500
    expect(await names(open())).toEqual(['https://idp.example.net/college'])
    expect(problems).toEqual([expect.objectContaining(because('invalid-signature'))])
  })

  it('are not shared between two sources', async () => {
    await names(open())
    const other = await TestLists.start()
    onTestFinished(() => other.close())
    source = { url: other.url, keys: `${lists.signer.publicKey}, ${other.signer.publicKey}` }
    expect(await names(open())).toEqual([])
    source = { url: `${lists.origin}/v2`, keys: lists.signer.publicKey }
    lists.status = 500
    expect(await names(open())).toHaveLength(2)
  })

  it('are refused with a legacy signature if that is configured', async () => {
    lists.publish(12, [institute], [college], { algorithm: 'Ed' })
    expect(await names(open())).toHaveLength(2)
    source = { url: lists.url, keys: lists.signer.publicKey, legacy: 'refuse' }
    await rm(join(dataDirectory, 'organization-lists'), { recursive: true })
    await expect(names(open())).rejects.toMatchObject(because('invalid-signature'))
  })

  it.each([
    { url: 'http://lists.example.org/' },
    { url: 'lists.example.org' },
    { url: 'https://a:b@lists.example.org/' },
    { keys: '' },
    { keys: 'RWbad' },
  ])('need an address and a key that can be used: %j', async (change) => {
    source = { url: lists.url, keys: lists.signer.publicKey, ...change }
    await expect(open().isAvailable()).rejects.toMatchObject(because('invalid-source'))
  })

  it('include servers at the start and every hour, and organizations only for a search', async () => {
    const directory = open()
    const runs: [number, () => void][] = []
    const changed = new Promise<void>((resolve) => directory.onChange(resolve))
    directory.watch((milliseconds, run) => {
      runs.push([milliseconds, run])
      return () => undefined
    })
    await changed
    expect(runs.map(([milliseconds]) => milliseconds)).toEqual([3_600_000])
    expect(paths()).toEqual(['server_list.json', 'server_list.json.minisig'])
  })
})

describe('a chosen organization', () => {
  it('has its own server', async () => {
    expect(await open().choose('https://vpn.example.org', undefined)).toEqual({
      address: 'https://vpn.example.org/',
      organization: { type: 'institute_access', displayName: institute.display_name },
    })
    await expect(open().choose('https://vpn.example.org/', 'NL')).rejects.toMatchObject(
      because('unknown-location'),
    )
    await expect(open().choose('https://other.example.org/', undefined)).rejects.toMatchObject(
      because('unknown-organization'),
    )
  })

  it('logs in at its home, and uses the location in the chosen country', async () => {
    const directory = open()
    expect(await directory.choose(college.org_id, undefined)).toEqual({
      address: 'https://nl.example.net/',
      organization: {
        type: 'secure_internet',
        displayName: college.display_name,
        orgId: college.org_id,
        location: { address: 'https://nl.example.net/', countryCode: 'NL' },
      },
    })
    expect((await directory.choose(college.org_id, 'de')).organization).toMatchObject({
      location: { address: 'https://de.example.net/', countryCode: 'DE' },
    })
    await expect(directory.choose(college.org_id, 'FR')).rejects.toMatchObject({
      ...because('unknown-location'),
      details: { countries: ['NL', 'DE'] },
    })
  })
})

describe('an instance of secure internet', () => {
  const instance = (address: string, countryCode: string): Instance => ({
    id: 'nl.example.net',
    address: 'https://nl.example.net/',
    organization: {
      type: 'secure_internet',
      displayName: 'Old name',
      orgId: college.org_id,
      location: { address, countryCode },
    },
  })
  const atHome = instance('https://nl.example.net/', 'NL')
  const abroad = instance('https://de.example.net/', 'DE')

  it('uses the API of its location, also before there is a list', async () => {
    expect(await open().apiAddress(atHome)).toBeUndefined()
    expect(await open().apiAddress(abroad)).toBe('https://de.example.net/')
    source = undefined
    expect(await open().apiAddress(abroad)).toBe('https://de.example.net/')
    expect(await open().apiAddress({ id: 'a', address: 'https://a/' })).toBeUndefined()
  })

  it('follows its location to another server of the country, and requires another location if there is none', async () => {
    const moved = instance('https://old.example.net/', 'DE')
    const directory = open()
    await names(directory)
    expect(await directory.apiAddress(moved)).toBe('https://de.example.net/')
    expect((await directory.listing(moved))?.location).toMatchObject({
      chosen: { address: 'https://de.example.net/' },
      gone: false,
    })
    const gone = instance('https://fr.example.net/', 'FR')
    await expect(directory.apiAddress(gone)).rejects.toMatchObject(because('location-gone'))
    expect(await directory.listing(gone)).toMatchObject({
      displayName: college.display_name,
      delisted: false,
      location: { gone: true, choices: [{ countryCode: 'NL' }, { countryCode: 'DE' }] },
    })
  })

  it('stays when its organization leaves the list, or changes its home', async () => {
    const directory = open()
    await names(directory)
    expect(await directory.listing(atHome)).toMatchObject({
      delisted: false,
      supportContacts: ['mailto:help@example.net'],
    })
    for (const [v, all] of [
      [11, []],
      [12, [{ ...college, secure_internet_home: 'https://de.example.net/' }]],
    ] as const) {
      lists.publish(v, [dutch, german], all)
      now += 60 * 60 * 1000
      await names(directory)
      expect(await directory.listing(atHome)).toMatchObject({ delisted: true })
      expect(await directory.apiAddress(atHome)).toBeUndefined()
    }
  })

  it('skips the choice of the organization at login, after fetching both lists again', async () => {
    const directory = open()
    await names(directory)
    paths()
    const address = await directory.beforeLogin(abroad, signal)
    expect(paths().toSorted()).toEqual(['organization_list.json', 'server_list.json'])
    expect(address(new URL('https://nl.example.net/oauth?a=b')).href).toBe(
      'https://nl.example.net/login?to=https%3A%2F%2Fnl.example.net%2Foauth%3Fa%3Db&idp=https%3A%2F%2Fidp.example.net%2Fcollege',
    )
  })

  it('uses the plain authorization request without a template or a list', async () => {
    const request = new URL('https://nl.example.net/oauth?a=b')
    lists.publish(
      11,
      [{ ...dutch, authentication_url_template: 'https://nl.example.net/@ORG_ID@' }],
      [college],
    )
    expect((await open().beforeLogin(atHome, signal))(request)).toEqual(request)
    lists.status = 500
    await rm(join(dataDirectory, 'organization-lists'), { recursive: true })
    expect((await open().beforeLogin(atHome, signal))(request)).toEqual(request)
    expect(problems).toEqual([expect.objectContaining(because('unavailable'))])
    source = { url: 'nonsense', keys: '' }
    expect((await open().beforeLogin(atHome, signal))(request)).toEqual(request)
  })
})

it('shows the help desk of an institute, and that it left the list', async () => {
  const instance: Instance = {
    id: 'vpn.example.org',
    address: 'https://vpn.example.org/',
    organization: { type: 'institute_access', displayName: 'Old name' },
  }
  const directory = open()
  expect(await directory.listing(instance)).toMatchObject({ displayName: 'Old name', delisted: false })
  await names(directory)
  expect(await directory.listing(instance)).toEqual({
    displayName: institute.display_name,
    delisted: false,
    supportContacts: ['mailto:help@example.org'],
  })
  lists.publish(11, [], [])
  now += 60 * 60 * 1000
  await names(directory)
  expect(await directory.listing(instance)).toMatchObject({ displayName: 'Old name', delisted: true })
  expect(await directory.listing({ id: 'b', address: 'https://b/' })).toBeUndefined()
})

it('adds the organization that was chosen, also where its ID is nearly the address of a server', async () => {
  const orgId = 'https://vpn.example.org'
  lists.publish(11, [institute, dutch], [{ ...college, org_id: orgId }])
  expect(await open().choose(orgId, undefined, signal)).toMatchObject({
    organization: { type: 'secure_internet', orgId },
  })
})
