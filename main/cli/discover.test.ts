import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { TestLists } from '../platform/signed-list/signed-list.testing'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestAuthority } from '../platform/http/test-authority.testing'
import { startTestProxy } from '../platform/http/test-proxy.testing'
import { BuiltCommand, scriptedBrowser, type Person } from './causeway.testing'

let command: BuiltCommand
let mock: MockServer
let lists: TestLists
/** The mock by another of its names, which stands for another location. */
let elsewhere: string
let version = 1
const orgId = 'https://idp.example.net/college'
const otherOrgId = 'https://idp.example.net/other'
/** The endpoints of a portal. */
const documents = ['/.well-known/vpn-user-portal', '/info.json']

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await startTestMock({ autoApprove: true })
  lists = await TestLists.start()
  elsewhere = mock.instance.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await lists.close()
  await mock.close()
  await command.remove()
})
beforeEach(() => {
  publish()
})

function publish(countries: readonly string[] = ['NL', 'DE']): void {
  version += 1
  lists.publish(
    version,
    [
      {
        server_type: 'institute_access',
        base_url: mock.instance,
        display_name: { en: 'Example University', nl: 'Universiteit Voorbeeld' },
        support_contact: ['mailto:help@example.org'],
      },
      ...countries.map((country_code) => ({
        server_type: 'secure_internet',
        base_url: country_code === 'NL' ? mock.instance : elsewhere,
        country_code,
        ...(country_code === 'NL'
          ? { authentication_url_template: `${mock.origin}/wayf?to=@RETURN_TO@&idp=@ORG_ID@` }
          : {}),
      })),
    ],
    [
      {
        org_id: orgId,
        display_name: { en: 'Example College', de: 'Beispielschule' },
        keyword_list: 'school',
        secure_internet_home: mock.instance,
      },
      { org_id: otherOrgId, display_name: 'Other School', secure_internet_home: mock.instance },
    ],
  )
}

const listed = () => ({ CAUSEWAY_DISCOVERY: lists.url, CAUSEWAY_DISCOVERY_KEY: lists.signer.publicKey })
async function json(person: Person, ...args: string[]): Promise<unknown> {
  const { status, stdout, stderr } = await person.run([...args, '--json'], { env: listed() })
  if (status !== 0) throw new Error(`causeway ${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

it('searches the configured lists, in the language asked for', async () => {
  const person = await command.person()
  expect(await json(person, 'discover', 'example', '--lang', 'de')).toEqual([
    {
      id: orgId,
      type: 'secure_internet',
      displayName: 'Beispielschule',
      keywordList: 'school',
      orgId,
      secureInternetHome: mock.instance,
    },
    {
      id: mock.instance,
      type: 'institute_access',
      displayName: 'Example University',
      baseUrl: mock.instance,
      supportContact: ['mailto:help@example.org'],
    },
  ])
  expect(await json(person, 'discover', 'nowhere')).toEqual([])
  const { stdout } = await person.run([
    ...['discover', 'college', 'school', '--lang', 'en'],
    ...['--discovery', lists.url, '--discovery-key', lists.signer.publicKey],
  ])
  expect(stdout).toBe(`NAME             TYPE             ID\nExample College  secure internet  ${orgId}`)
})

it('takes the lists from the settings too', async () => {
  const person = await command.person()
  expect(await person.failure(['discover', 'x'])).toMatchObject({
    status: 2,
    code: 'organization-list/not-configured',
  })
  await person.json('settings', 'set', 'discovery', lists.url)
  expect(await person.failure(['discover', 'x'])).toMatchObject({
    code: 'organization-list/invalid-source',
    details: { reason: 'key' },
  })
  await person.json('settings', 'set', 'discoveryKey', lists.signer.publicKey)
  expect(await person.json('discover', 'university')).toHaveLength(1)
  expect(await person.failure(['settings', 'set', 'discovery', 'http://lists.example.org/'])).toMatchObject({
    status: 2,
    code: 'settings/invalid-value',
  })
})

it.skipIf(process.platform === 'win32')(
  'finds the portal of a domain or an e-mail address, and adds nothing',
  async () => {
    const authority = createTestAuthority('Example University Root')
    const base = 'https://vpn.example.edu'
    const portal = await authority.serve(
      (_request, response) =>
        response.end(
          JSON.stringify({
            api: {
              'http://eduvpn.org/api#3': {
                api_endpoint: `${base}/api/v3`,
                authorization_endpoint: `${base}/authorize`,
                token_endpoint: `${base}/token`,
              },
            },
          }),
        ),
      { host: 'vpn.example.edu' },
    )
    const proxy = await startTestProxy({ leadsTo: Number(portal.port) })
    const person = await command.person()
    const store = join(person.dataDir, 'store.pem')
    await writeFile(store, authority.certificate)
    const env = { SSL_CERT_FILE: store, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
    const document = { id: `${base}/`, type: 'portal', displayName: 'vpn.example.edu', baseUrl: `${base}/` }

    const { status, stdout } = await person.run(['discover', 'secret.name@cs.example.edu', '--json'], { env })
    expect({ status, found: JSON.parse(stdout) as unknown }).toEqual({ status: 0, found: [document] })
    expect([...new Set(proxy.asked)].toSorted()).toEqual(
      [
        'cs.example.edu',
        'eduvpn.cs.example.edu',
        'eduvpn.example.edu',
        'vpn.cs.example.edu',
        'vpn.example.edu',
      ].map((host) => `${host}:443`),
    )
    const words = await person.run(['discover', 'example.edu', '--lang', 'en'], { env })
    expect(words.stdout).toBe(`NAME             TYPE    ID\nvpn.example.edu  portal  ${base}/`)
    expect(words.stderr).toContain('Asking: example.edu, vpn.example.edu, eduvpn.example.edu')
    expect(await person.json('instance', 'list')).toEqual([])
    // The lists are searched too, and know a server by its domain.
    lists.publish(
      (version += 1),
      [{ server_type: 'institute_access', base_url: `${base}/`, display_name: 'Example' }],
      [],
    )
    const both = await person.run(['discover', 'example.edu', '--json'], {
      env: { ...env, ...listed(), NO_PROXY: '127.0.0.1' },
    })
    expect(JSON.parse(both.stdout)).toMatchObject([{ id: `${base}/`, type: 'institute_access' }])
  },
)

it('says that a domain could not be reached', async () => {
  const person = await command.person()
  expect(await person.failure(['discover', 'nowhere.invalid'])).toMatchObject({
    status: 4,
    code: 'http/unreachable',
  })
})

it('refuses a list that somebody else has signed', async () => {
  const person = await command.person()
  const env = {
    ...listed(),
    CAUSEWAY_DISCOVERY_KEY: 'RWRrhJLRtxnrDfd42nsPP7N2GO1uTi8P2SbX8bXzKiqXwq0GcWkI0mgi',
  }
  expect(await person.failure(['discover', 'x'], { env })).toMatchObject({
    status: 6,
    code: 'organization-list/invalid-signature',
    details: { reason: 'unknown-key' },
  })
})

it('adds an organization with a server of its own, and logs in', async () => {
  const person = await command.person()
  expect(
    await json(person, 'instance', 'add', '--organization', mock.instance, '--lang', 'nl'),
  ).toMatchObject({
    address: mock.instance,
    organization: { type: 'institute_access', displayName: 'Universiteit Voorbeeld' },
  })
  expect(await json(person, 'profile', 'list')).toHaveLength(2)
  expect(await person.failure(['location', 'list'])).toMatchObject({
    status: 2,
    code: 'organization-list/unknown-location',
  })
})

it('logs in at the home of an organization, and uses the location in the chosen country', async () => {
  const person = await command.person()
  const id = new URL(mock.instance).host
  const hosts = async () => {
    const journal = await fetch(`${mock.control}/requests`)
    const requests = (await journal.json()) as { path: string; headers: Record<string, string> }[]
    await fetch(`${mock.control}/requests`, { method: 'DELETE' })
    return [
      ...new Set(requests.filter(({ path }) => documents.includes(path)).map(({ headers }) => headers.host)),
    ]
  }
  expect(await json(person, 'instance', 'add', '--organization', orgId, '--location', 'de')).toMatchObject({
    id,
    address: mock.instance,
    organization: {
      type: 'secure_internet',
      displayName: 'Example College',
      orgId,
      location: { countryCode: 'DE', address: elsewhere },
    },
  })
  await hosts()
  // The browser is sent past the choice of the organization.
  const browser = [process.execPath, '--input-type=module', '-e', skipWayfBrowser]
    .map((word) => word.replaceAll(' ', '\\ '))
    .join(' ')
  const login = await person.run(['login', '--json'], { env: { ...listed(), CAUSEWAY_BROWSER: browser } })
  expect(login).toMatchObject({ status: 0 })
  await hosts()
  expect(await json(person, 'profile', 'list')).toHaveLength(2)
  expect(await hosts()).toEqual(expect.arrayContaining([new URL(elsewhere).host]))
  expect(await json(person, 'location', 'list', '--lang', 'en')).toEqual([
    { countryCode: 'NL', displayName: 'Netherlands', baseUrl: mock.instance, chosen: false },
    { countryCode: 'DE', displayName: 'Germany', baseUrl: elsewhere, chosen: true },
  ])
  expect(await json(person, 'location', 'set', 'NL')).toEqual({
    instance: id,
    countryCode: 'NL',
    baseUrl: mock.instance,
  })
  await hosts()
  expect(await json(person, 'profile', 'list', '--no-login')).toHaveLength(2)
  expect(await hosts()).toEqual([id])
  const fr = await person.failure(['location', 'set', 'FR'], { env: listed() })
  expect(fr).toMatchObject({ status: 2, details: { countries: ['NL', 'DE'] } })

  await json(person, 'location', 'set', 'DE')
  publish(['NL'])
  await json(person, 'discover', 'college')
  const gone = await person.failure(['profile', 'list', '--no-login'], { env: listed() })
  expect(gone).toMatchObject({ status: 2, code: 'organization-list/location-gone' })
})

const skipWayfBrowser = `const start = await fetch(process.argv.at(-1), { redirect: 'manual' });
const wayf = new URL(start.headers.get('location'));
if (wayf.pathname !== '/wayf' || wayf.searchParams.get('idp') !== '${orgId}') throw new Error('not past the choice');
await (await fetch(wayf.searchParams.get('to'))).text()`.replaceAll('\n', '')

it('takes an address or an organization, one of them', async () => {
  const person = await command.person()
  for (const args of [
    [],
    ['vpn.example.org', '--organization', orgId],
    ['vpn.example.org', '--location', 'NL'],
  ]) {
    expect(await person.failure(['instance', 'add', ...args], { env: listed() })).toMatchObject({
      status: 2,
      code: 'usage/invalid-argument',
    })
  }
  expect(
    await person.failure(['instance', 'add', '--organization', 'nobody'], { env: listed() }),
  ).toMatchObject({ status: 2, code: 'organization-list/unknown-organization' })
})

it('forgets the login of another organization at the same home, and keeps that of the same one', async () => {
  const person = await command.person()
  await json(person, 'instance', 'add', '--organization', orgId)
  const browser = scriptedBrowser("url.pathname === '/wayf' && (url.href = url.searchParams.get('to'))")
  expect(
    await person.run(['login', '--json'], { env: { ...listed(), CAUSEWAY_BROWSER: browser } }),
  ).toMatchObject({
    status: 0,
  })
  await json(person, 'instance', 'add', '--organization', orgId, '--location', 'DE')
  expect(await person.secrets()).toContain('accessToken')
  await json(person, 'instance', 'add', '--organization', otherOrgId)
  expect(await person.secrets()).not.toContain('accessToken')
  expect(await json(person, 'instance', 'list')).toMatchObject([{ organization: { orgId: otherOrgId } }])
})
