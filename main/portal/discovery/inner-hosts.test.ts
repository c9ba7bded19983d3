import { expect, it } from 'vitest'
import { answeringClient } from '../../platform/http/answering-client.testing'
import { rejection } from '../../platform/http/test-server.testing'
import { createDiscovery } from './discovery'
import { innerHostRule } from './inner-hosts'

const names: Readonly<Record<string, readonly string[]>> = {
  'vpn.example.org': ['93.184.216.34', '2606:2800:220:1::1'],
  'api.example.org': ['93.184.216.35'],
  'inside.example.org': ['10.1.2.3'],
  'mixed.example.org': ['93.184.216.34', '192.168.1.1'],
  'here.example.org': ['127.0.0.1'],
  'proxied.example.org': ['198.18.0.9'],
}
const lookup = (host: string) => Promise.resolve(names[host] ?? [])

it.each<readonly [string, boolean]>([
  ['https://api.example.org/', true],
  ['https://8.8.8.8/', true],
  ['https://unknown.example.org/', true],
  ['https://proxied.example.org/', true],
  ['https://inside.example.org/', false],
  ['https://mixed.example.org/', false],
  ['https://here.example.org/', false],
  ['https://inside.example.org./', false],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '0.0.0.0',
    'localhost',
    'a.localhost',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
  ].map((host) => [`https://${host}/`, false] as const),
])('a service on the internet names %s: %s', async (address, expected) => {
  for (const source of ['https://vpn.example.org/', 'https://8.8.4.4/'])
    expect(await innerHostRule(new URL(source), lookup)(new URL(address))).toBe(expected)
})

it.each([
  ['https://inside.example.org/', 'https://192.168.1.1/', true],
  ['https://10.0.0.1/', 'https://inside.example.org/', true],
  ['https://10.0.0.1/', 'https://vpn.example.org/', true],
  ['https://10.0.0.1/', 'https://127.0.0.1/', false],
  ['http://127.0.0.1:5006/', 'http://localhost:5007/', true],
  ['http://localhost/', 'https://10.0.0.1/', true],
  // Its other address is on the internet.
  ['https://mixed.example.org/', 'https://10.0.0.1/', false],
  ['https://mixed.example.org/', 'https://mixed.example.org:8443/', true],
  ['https://unknown.example.org/', 'https://10.0.0.1/', false],
])('%s names %s: %s', async (source, address, expected) => {
  expect(await innerHostRule(new URL(source), lookup)(new URL(address))).toBe(expected)
})

const entry = {
  api_base_uri: 'https://vpn.example.org/api',
  authorization_endpoint: 'https://vpn.example.org/authorize',
  token_endpoint: 'https://vpn.example.org/token',
}

/** Discovers https://vpn.example.org/, whose info.json has these entries. */
function discoverWith(api: object, answer?: () => Response) {
  const http = answeringClient((url) =>
    url.pathname === '/info.json'
      ? (answer?.() ?? Response.json({ api }))
      : new Response('', { status: 404 }),
  )
  return createDiscovery({ http, lookup }).discover('https://vpn.example.org/')
}

it.each(['api_base_uri', 'authorization_endpoint', 'token_endpoint'])(
  'a document of the internet names no inner host as %s',
  async (name) => {
    for (const host of ['192.168.1.1', 'inside.example.org']) {
      const api = { 'http://eduvpn.org/api#2': { ...entry, [name]: `https://${host}/x` } }
      expect(await rejection(discoverWith(api))).toMatchObject({ code: 'discovery/invalid-document' })
    }
  },
)

it('leaves out services at inner hosts', async () => {
  const api = {
    'http://eduvpn.org/api#2': entry,
    'https://causeway.example/attachments#2.0.0': { base_uri: 'https://169.254.169.254/' },
    'https://causeway.example/content#2.3': { base_uri: 'https://api.example.org/' },
  }
  expect(await discoverWith(api)).toMatchObject({ services: { content: 'https://api.example.org' } })
  expect((await discoverWith(api)).services).not.toHaveProperty('attachments')
})

it('follows no redirect to an inner host', async () => {
  const redirect = () =>
    new Response('', { status: 302, headers: { location: 'https://10.0.0.1/info.json' } })
  expect(await rejection(discoverWith({}, redirect))).toMatchObject({
    code: 'http/private-address',
    details: { host: '10.0.0.1' },
  })
})

it('judges each redirect by the host that sends it, not by the first one', async () => {
  const locations: Readonly<Record<string, string>> = {
    '10.0.0.1': 'https://vpn.example.org/info.json',
    'vpn.example.org': 'https://10.0.0.2/info.json',
  }
  const asked: string[] = []
  const http = answeringClient(({ hostname }) => {
    asked.push(hostname)
    const location = locations[hostname]
    return location === undefined
      ? new Response('', { status: 404 })
      : new Response('', { status: 302, headers: { location } })
  })
  expect(await rejection(createDiscovery({ http, lookup }).discover('https://10.0.0.1/'))).toMatchObject({
    code: 'http/private-address',
    details: { host: '10.0.0.2' },
  })
  expect(asked).not.toContain('10.0.0.2')
})
