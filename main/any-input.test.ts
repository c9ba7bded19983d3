import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fuzzed, cases, suites } from '../scripts/fuzzing'
import { isNightly } from '../scripts/nightly-tests'
import { type Settings, settingsSchema } from '../contract/settings'
import { parsePolicy } from './app/policy'
import { parseHello, parseHolder, parseRequest, parseWelcome } from './connection/lock/tunnel-messages'
import { CausewayError } from './errors'
import { ReceivedHeaders } from './platform/http/answer-headers'
import { retryAfterSeconds } from './platform/http/retrying-http'
import { checkedName, settingsFile, withSetting } from './platform/settings/settings'
import { proxyFromSystem, proxyFromVariables } from './platform/http/proxies'
import { parseMinisignKey } from './platform/signed-list/minisign'
import { parseListSource } from './platform/signed-list/source'
import { verifyMinisign } from './platform/signed-list/verify-minisign'
import { parseInfoDocument } from './portal/discovery/info-document'
import { judgeCallback } from './portal/oauth/callback'
import { parseOrganizationList, parseServerList } from './portal/organization-list/list-documents'
import {
  certificateCheckData,
  keyPairData,
  openEnvelope,
  profileListData,
  systemMessagesData,
} from './portal/v2/answers'
import { splitConfiguration } from './portal/v3/configuration'
import { configurationText as configuration3 } from './portal/v3/configurations.testing'
import { parseHttpDate } from './platform/http/http-date'
import { parseInfo } from './portal/v3/info'
import { parseHelperMessage } from './privilege/helper-messages'
import { readAttachmentOrUpload, readPage } from './services/attachments/answers'
import { entry, newsItem, tweet, user } from './services/news/answers'
import { organization, organizationUsers } from './services/organizations/organization'
import { createTestAuthority } from './tunnel/openvpn/certificates.testing'
import { logFailure } from './tunnel/openvpn/log-failures'
import { parseLogLine, withoutTimestamp } from './tunnel/openvpn/log-parser'
import { portalProfile } from './tunnel/openvpn/profile.testing'
import { readPushedDns, readPushedOptions } from './tunnel/openvpn/push-reply'
import { readProfile } from './tunnel/openvpn/read-profile'
import { redactConfiguration } from './tunnel/openvpn/redact-configuration'
import { readFailure, readStart } from './tunnel/openvpn/windows-service-messages'
import { parseConfiguration } from './tunnel/wireguard/configuration'
import { configurationText as wireGuardText } from './tunnel/wireguard/configuration.testing'
import { parseFeed } from './updates/feed'
import { minisignVectors } from './platform/signed-list/minisign-vectors.testing'
import { anyText } from '../scripts/any-text'

/**
 * A trust boundary: what others send, or what is in a file. For any text, it returns a value or throws a CausewayError, which names
 * the problem. Cases that once did something else are in `found`.
 */
interface Border {
  readonly name: Fuzzed
  /** Valid texts, from which others are made. */
  readonly seeds: readonly string[]
  readonly regressions?: readonly string[]
  readonly read: (text: string) => unknown
}

const listed = new URL('https://lists.example.org/v2/list.json')
const place = { start: new URL('https://vpn.example.org/info.json') }
const response = (text: string) => ({
  url: new URL('https://service.example.org/v1/attachments'),
  status: 200,
  headers: new Headers(),
  text,
})

const entryV2 = {
  api_base_uri: 'https://vpn.example.org/api/vpn/',
  authorization_endpoint: 'https://vpn.example.org/oauth/authorize',
  token_endpoint: 'https://vpn.example.org/oauth/token',
}
const entryV3 = {
  api_endpoint: 'https://vpn.example.org/api/v3',
  authorization_endpoint: entryV2.authorization_endpoint,
  token_endpoint: entryV2.token_endpoint,
}
const defaults = settingsSchema.parse({})
const state = 'dGhlIHN0YXRl'
const [vector] = minisignVectors

const borders: readonly Border[] = [
  {
    name: 'the discovery document',
    seeds: [
      { api: { 'http://eduvpn.org/api#2': entryV2, 'http://eduvpn.org/api#3': entryV3 }, v: '3.13.1' },
      { api: { 'http://eduvpn.org/api#2': entryV2 }, services: { news: 'https://news.example.org/' } },
    ].map((each) => JSON.stringify(each)),
    read: (text) => {
      const found = parseInfoDocument(text, place.start)
      for (const each of [found.apiBaseUri, found.authorizationEndpoint, found.tokenEndpoint])
        expect(new URL(each).protocol).toBe('https:')
      return found
    },
  },
  {
    name: 'the profiles of version 3',
    seeds: [
      JSON.stringify({
        info: {
          profile_list: [
            {
              profile_id: 'internet',
              display_name: { en: 'Internet', nl: 'Internettoegang' },
              vpn_proto_list: ['openvpn', 'wireguard'],
              vpn_proto_transport_list: ['wireguard+udp', 'openvpn+tcp'],
              dns_search_domain_list: ['campus.example'],
              default_gateway: true,
            },
          ],
        },
      }),
    ],
    read: parseInfo,
  },
  { name: 'a configuration of version 3', seeds: [configuration3()], read: splitConfiguration },
  {
    name: 'the answers of version 2',
    seeds: [
      {
        profile_list: {
          ok: true,
          data: [{ profile_id: 'internet', display_name: 'Internet', default_gateway: true }],
        },
      },
      { create_keypair: { ok: true, data: { certificate: 'x', private_key: 'y' } } },
      { check_certificate: { ok: true, data: { is_valid: false, reason: 'user_disabled' } } },
      {
        system_messages: {
          ok: true,
          data: [{ date_time: '2026-11-20T12:00:00Z', message: 'x', type: 'motd' }],
        },
      },
      { profile_list: { ok: false, error: 'no' } },
    ].map((each) => JSON.stringify(each)),
    read: (text) =>
      (
        [
          ['profile_list', profileListData],
          ['create_keypair', keyPairData],
          ['check_certificate', certificateCheckData],
          ['system_messages', systemMessagesData],
        ] as const
      ).map(([call, schema]) => {
        const answer = openEnvelope(call, text)
        return answer?.ok === true ? schema.safeParse(answer.data) : answer
      }),
  },
  {
    name: 'the list of servers',
    seeds: [
      JSON.stringify({
        v: 3,
        server_list: [
          {
            server_type: 'institute_access',
            base_url: 'https://vpn.example.org/',
            display_name: { en: 'Example', nl: 'Voorbeeld' },
            keyword_list: 'words',
            support_contact: ['mailto:help@example.org'],
          },
          {
            server_type: 'secure_internet',
            base_url: 'https://nl.example.org',
            country_code: 'NL',
            authentication_url_template: 'https://nl.example.org/?r=@RETURN_TO@&o=@ORG_ID@',
          },
        ],
      }),
    ],
    regressions: [
      {
        server_type: 'institute_access',
        base_url: 'https://vpn.example.org/',
        display_name: 'Example',
        support_contact: ['mailto:\u202ehelp@example.org', 'tel:+31\u00a020'],
      },
      {
        server_type: 'secure_internet',
        base_url: 'https://nl.example.org/',
        country_code: 'NL',
        authentication_url_template: 'https://nl.example.org/?\u202er=@RETURN_TO@&o=@ORG_ID@',
      },
    ].map((server) => JSON.stringify({ v: 3, server_list: [server] })),
    read: (text) => {
      const { servers } = parseServerList(text, listed)
      for (const { baseUrl } of servers) expect(new URL(baseUrl).protocol).toBe('https:')
      expect(JSON.stringify(servers)).not.toMatch(hostileCharacters)
    },
  },
  {
    name: 'the list of organizations',
    seeds: [
      JSON.stringify({
        v: 3,
        organization_list: [
          {
            display_name: { en: 'Example' },
            org_id: 'https://idp.example.org/metadata',
            secure_internet_home: 'https://nl.example.org/',
            keyword_list: { en: 'some words' },
          },
        ],
      }),
    ],
    regressions: [
      JSON.stringify({
        v: 3,
        organization_list: [
          {
            display_name: { '\u202Een': 'Example', en: 'Example' },
            org_id: 'https://idp.example.org/metadata',
            secure_internet_home: 'https://nl.example.org/',
          },
        ],
      }),
    ],
    read: (text) => {
      const { organizations } = parseOrganizationList(text, listed)
      const shown = organizations.map(({ displayName, keywords, home }) => [displayName, keywords, home])
      expect(JSON.stringify(shown)).not.toMatch(hostileCharacters)
    },
  },
  {
    name: 'the feed of updates',
    seeds: [
      JSON.stringify({
        v: 7,
        version: '1.2.3',
        date: '2026-11-20',
        expires: '2026-12-20T12:00:00Z',
        minimumVersion: '1.0.0',
        notes: 'https://updates.example.org/1.2.3.html',
        rollout: 50,
        files: {
          'AppImage-x64': {
            file: 'https://updates.example.org/causeway.AppImage',
            sha512: `${'A'.repeat(86)}==`,
            size: 100_000,
          },
        },
      }),
    ],
    read: (text) => {
      for (const { url } of parseFeed(text, listed).files.values()) expect(url.protocol).toBe('https:')
    },
  },
  { name: 'a public key of minisign', seeds: vector?.keys ?? [], read: parseMinisignKey },
  {
    name: 'a signature of minisign',
    seeds: minisignVectors.map(({ signature }) => signature),
    read: (text) => {
      const keys = (vector?.keys ?? []).flatMap((each) => parseMinisignKey(each) ?? [])
      // Only the signatures of this content may be accepted, however they are changed.
      const verified = verifyMinisign(Buffer.from(vector?.content ?? ''), text, {
        area: 'organization-list',
        keys,
        file: vector?.file ?? '',
        legacy: 'accept',
      })
      const genuine = minisignVectors.filter(({ content }) => content === vector?.content)
      const signatures = genuine.map(({ signature }) => signature.split('\n')[1])
      expect(signatures).toContain(text.split('\n')[1]?.trim())
      return verified
    },
  },
  {
    name: 'the source of a list',
    seeds: [`https://lists.example.org/v2/ ${vector?.keys[0] ?? ''}`],
    read: (text) => {
      const [url = '', ...keys] = text.split(' ')
      return parseListSource('organization-list', { url, keys: keys.join(' ') })
    },
  },
  {
    name: 'the callback of a login',
    seeds: [
      `code=abc&state=${state}&iss=https://vpn.example.org`,
      `error=access_denied&state=${state}`,
      `error=server_error&error_description=x&state=${state}`,
    ],
    read: (text) => {
      const isIssuer = (iss: string) => iss === 'https://vpn.example.org'
      const judged = judgeCallback(new URLSearchParams(text), { state, isIssuer, needsIssuer: true })
      if (judged?.outcome === 'code') expect(isIssuer(judged.parameters.get('iss') ?? '')).toBe(true)
      if (judged?.outcome === 'error')
        expect(JSON.stringify(judged.error.details ?? {})).not.toMatch(hostileCharacters)
    },
  },
  {
    name: 'a message of the helper',
    seeds: [
      'remote 192.0.2.1 51820',
      'started cw12t kernel',
      'handshake 0 92 148',
      'handshake - 0 148',
      'test full',
      'mtu 1280',
      'dns applied resolvectl',
      'kill-switch on',
      'failed undo release-number EROFS',
      'problem leave-groups EROFS',
      'dns-way resolvectl=not-in-use resolv.conf=used',
      'refused endpoint',
      'killed 9',
      'gone route',
      'repaired cw1t',
    ].map((each) => `causeway-helper: ${each}`),
    read: parseHelperMessage,
  },
  {
    name: 'a line of OpenVPN’s log',
    seeds: [
      '2026-11-20 12:00:00 us=1234 Initialization Sequence Completed',
      '2026-11-20 12:00:00 [vpn.example.org] Peer Connection Initiated with [AF_INET]192.0.2.1:1194',
      "PUSH: Received control message: 'PUSH_REPLY,route 10.0.0.0 255.0.0.0,ifconfig 10.8.0.2 255.255.255.0,peer-id 0,cipher AES-256-GCM'",
      'AUTH: Received control message: AUTH_FAILED,Data channel cipher negotiation failed',
      'TLS Error: TLS handshake failed',
      'SIGUSR1[soft,ping-restart] received, process restarting',
      'net_iface_mtu_set: mtu 1500 for cw12t',
      'VERIFY ERROR: depth=0, error=certificate has expired: CN=vpn.example.org',
    ],
    read: (text) =>
      text
        .split('\n')
        .flatMap((line) => [
          parseLogLine(line),
          parseLogLine(line, 'x'),
          logFailure(line),
          withoutTimestamp(line),
        ]),
  },
  {
    name: 'options that a server pushes',
    seeds: [
      'dhcp-option DNS 10.0.0.1,dhcp-option DOMAIN example.org,ifconfig 10.8.0.2 255.255.255.0,cipher AES-256-GCM',
      'dns server 0 address 10.0.0.1:53 [2001:db8::1]:53,dns search-domains a.example b.example',
    ],
    read: (text) => [readPushedDns(text.split(',')), readPushedOptions(text.split(','))],
  },
  {
    name: 'a configuration of OpenVPN',
    seeds: [
      portalProfile({
        ca: createTestAuthority().certificate,
        remotes: ['vpn.example.org 1194 udp', 'b.example 443 tcp'],
      }),
    ],
    read: (text) => [readProfile(text, 'linux'), redactConfiguration(text)],
  },
  {
    name: 'a configuration of WireGuard',
    seeds: [
      wireGuardText(),
      wireGuardText({ Endpoint: '127.0.0.1:51820', ProxyEndpoint: 'https://guard.example.org/x' }),
    ],
    read: (text) =>
      (['udp', 'tcp'] as const).map((transport) => outcomeOf(() => parseConfiguration(text, transport))),
  },
  {
    name: 'the messages of OpenVPN’s service on Windows',
    seeds: ['0x00000000\n0x00001234\nProcess ID', '0x20000000\nstartup data\nMessage'],
    read: (text) => [readStart(text), readFailure(text)],
  },
  {
    name: 'the messages of the tunnel lock',
    seeds: [
      { nonce: 'n'.repeat(40), proof: 'p' },
      { pid: 12, kind: 'window', since: 1_795_000_000_000, home: '/home/ann', connection: { state: 'idle' } },
      { ask: 'disconnect', by: { kind: 'terminal', takesOver: true } },
    ].map((each) => JSON.stringify(each)),
    read: (text) => [parseHello(text), parseWelcome(text), parseHolder(text), parseRequest(text)],
  },
  {
    name: 'a policy',
    seeds: [
      JSON.stringify({
        settings: { theme: { value: 'dark', locked: true }, killSwitch: true },
        instances: [{ address: 'https://vpn.example.org/', name: 'Example' }],
      }),
    ],
    read: parsePolicy,
  },
  {
    name: 'the settings file, and a value for each setting',
    seeds: [
      JSON.stringify({ theme: 'dark', killSwitch: true, openvpnPath: '/usr/sbin/openvpn', future: 1 }),
      'killSwitch=true',
      'theme=dark',
      'remoteStrategy=2',
      'openvpnPath=/usr/sbin/openvpn',
    ],
    regressions: ['{"openvpnPath":"//sbin/openvpn"}', 'openvpnPath=//sbin/openvpn'],
    read: (text) => {
      const stored = settingsFile.safeParse(parse(text))
      const [name = '', value = ''] = text.split('=')
      const set = outcomeOf(() => withSetting(defaults, checkedName(name), value))
      // No program of a server or of the working directory is ever run. Two slashes are one, except on Windows.
      const local = process.platform === 'win32' ? /^(?:$|[A-Za-z]:[\\/])/ : /^(?:$|\/)/
      for (const path of [stored.data?.openvpnPath, set === 'refused' ? '' : (set as Settings).openvpnPath])
        expect(path ?? '').toMatch(local)
      return stored.success || set !== 'refused' ? stored : 'refused'
    },
  },
  {
    name: 'the proxies of the system',
    seeds: [
      'http://user:word@proxy.example.org:3128',
      'PROXY proxy.example.org:3128; DIRECT',
      'localhost,.example.org',
    ],
    read: (text) => [
      proxyFromVariables({ https_proxy: text, no_proxy: text }, listed),
      proxyFromSystem(text, listed),
    ],
  },
  {
    name: 'times in headers',
    seeds: ['Fri, 20 Nov 2026 12:00:00 GMT', '120'],
    read: (text) => [parseHttpDate(text), retryAfterSeconds(new ReceivedHeaders({ 'retry-after': text }), 0)],
  },
  {
    name: 'the answers of attachments',
    seeds: [
      { items: [{ id: 'a', filename: 'b.pdf', size: 1, created: '2026-11-20T12:00:00Z' }], total: 1 },
      { id: 'a', filename: 'b.pdf', url: 'https://storage.example.org/x' },
    ].map((each) => JSON.stringify(each)),
    read: (text) => [
      outcomeOf(() => readPage(response(text))),
      outcomeOf(() => readAttachmentOrUpload(response(text), [200])),
    ],
  },
  {
    name: 'the records of news and organizations',
    seeds: [
      { id: 1, firstName: 'A', lastName: 'B', email: 'a@example.org' },
      { id: 1, title: 'x', date: '2026-11-20', body: '<p>x</p>' },
      { id: 1, name: 'An organization', address: { city: 'x' } },
      [{ orgId: 1, userId: 2, email: 'a@example.org', login: 'a', role: 'Viewer' }],
    ].map((each) => JSON.stringify(each)),
    read: (text) => {
      const value = parse(text)
      return [entry, newsItem, tweet, user, organization, organizationUsers].map((schema) =>
        schema.safeParse(value),
      )
    },
  },
]

/** Characters that could change what a person reads. */
const hostileCharacters = /\\u00[01]|[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns what the work returns; `refused` if it throws a CausewayError with a name of its own. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error
    expect(error.code).not.toMatch(/^internal/)
    return 'refused'
  }
}

/** Returns whether something was read. */
function isRead(outcome: unknown): boolean {
  if (Array.isArray(outcome)) return outcome.some(isRead)
  const isFailure =
    typeof outcome === 'object' && outcome !== null && 'success' in outcome && outcome.success !== true
  return !isFailure && outcome !== 'refused'
}

const hostileText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '\0',
      '\r\n',
      '\u202e',
      '\ud800',
      '"',
      '\\',
      '{',
      '[',
      ']}',
      '__proto__',
      'constructor',
      '#',
      ',',
      '=',
    ],
    ...[
      '-1',
      '1e999',
      '99999999999999999999',
      'null',
      'NaN',
      '../..',
      'javascript:alert(1)',
      'https://user@h/',
      '0x',
    ],
    ...[
      '127.0.0.1',
      '::1',
      '0.0.0.0/0',
      '%00',
      '&state=x',
      '<ca>',
      '</ca>',
      'a'.repeat(3000),
      '['.repeat(2000),
    ],
  ),
  anyText({ maxLength: 12 }),
)
const edit = fc.tuple(fc.nat(4000), fc.nat(60), hostileText)
const hostileValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    -1,
    1e300,
    [],
    {},
    'x'.repeat(5000),
    ['a'],
    { ok: true },
    '\u202e\n',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  hostileText,
)
const change = fc.tuple(fc.array(fc.nat(20), { maxLength: 6 }), hostileValue)

/** Replaces the value at a path, whose steps choose among the keys there. */
function replaced(value: unknown, [step, ...others]: readonly number[], by: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[step % Math.max(keys.length, 1)]
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], others, by)
  return copy
}

function edited(text: string, edits: readonly (readonly [number, number, string])[]): string {
  return edits.reduce((from, [at, length, by]) => {
    const start = at % (from.length + 1)
    return from.slice(0, start) + by + from.slice(start + length)
  }, text)
}

describe('any input', { timeout: isNightly ? 600_000 : 20_000 }, () => {
  it('covers every border in the list', () => {
    expect(borders.map(({ name }) => name)).toEqual(suites[0].what)
  })

  it.each(borders)('is read or refused with a name: $name', ({ name, seeds, regressions = [], read }) => {
    expect(seeds.map((seed) => outcomeOf(() => read(seed))).some(isRead)).toBe(true)
    for (const each of regressions) outcomeOf(() => read(each))
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(change, { maxLength: 3 }),
        fc.array(edit, { maxLength: 3 }),
        (seed, changes, edits) => {
          const value = parse(seed)
          const changed =
            typeof value === 'object' && value !== null
              ? JSON.stringify(changes.reduce<unknown>((from, [path, by]) => replaced(from, path, by), value))
              : seed
          outcomeOf(() => read(edited(changed, edits)))
        },
      ),
      cases(name),
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
