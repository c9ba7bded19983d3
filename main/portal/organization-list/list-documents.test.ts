import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOrganizationList, parseServerList } from './list-documents'

const source = new URL('https://lists.example.org/v2/server_list.json')
const local = new URL('http://127.0.0.1:5006/discovery/server_list.json')
const servers = (list: readonly unknown[], from = source) =>
  parseServerList(JSON.stringify({ v: 3, server_list: list, extra: true }), from).servers
const organizations = (list: readonly unknown[]) =>
  parseOrganizationList(JSON.stringify({ v: 3, organization_list: list }), source).organizations

const institute = {
  server_type: 'institute_access',
  base_url: 'https://vpn.example.org/',
  display_name: { en: 'Example', nl: 'Voorbeeld' },
}
const secure = { server_type: 'secure_internet', base_url: 'https://nl.example.org', country_code: 'NL' }
const organization = {
  display_name: 'Example',
  org_id: 'https://idp.example.org/metadata',
  secure_internet_home: 'https://nl.example.org/',
}

describe('parseServerList', () => {
  it('treats two spellings of an address as one server', () => {
    const spelled = { ...institute, base_url: 'https://VPN.example.org.:443//' }
    expect(servers([spelled, institute]).map(({ baseUrl }) => baseUrl)).toEqual(['https://vpn.example.org/'])
  })

  it('reads both kinds of servers and ignores unknown fields', () => {
    expect(
      servers([
        { ...institute, keyword_list: 'words', support_contact: ['mailto:help@example.org'], future: 1 },
        {
          ...secure,
          public_key_list: ['k7.pub.x.y'],
          authentication_url_template: 'https://nl.example.org/?r=@RETURN_TO@&o=@ORG_ID@',
        },
      ]),
    ).toEqual([
      {
        type: 'institute_access',
        baseUrl: 'https://vpn.example.org/',
        displayName: { en: 'Example', nl: 'Voorbeeld' },
        keywords: 'words',
        supportContacts: ['mailto:help@example.org'],
      },
      {
        type: 'secure_internet',
        baseUrl: 'https://nl.example.org/',
        countryCode: 'NL',
        supportContacts: [],
        authenticationTemplate: 'https://nl.example.org/?r=@RETURN_TO@&o=@ORG_ID@',
      },
    ])
  })

  it.each([
    ['a kind that there is not', { ...institute, server_type: 'other' }],
    ['no name', { ...institute, display_name: undefined }],
    ['an empty name', { ...institute, display_name: { en: ' \u202e ' } }],
    ['plain http', { ...institute, base_url: 'http://vpn.example.org/' }],
    ['plain http to this computer', { ...institute, base_url: 'http://127.0.0.1:1/' }],
    ['a password', { ...institute, base_url: 'https://a:b@vpn.example.org/' }],
    ['a query', { ...institute, base_url: 'https://vpn.example.org/?a' }],
    ['an empty part of its name', { ...institute, base_url: 'https://vpn..example.org/' }],
    [
      'an address that is too long when it is written out',
      { ...institute, base_url: `https://vpn.example.org/${'é'.repeat(1000)}` },
    ],
    ['no address', { ...institute, base_url: 'vpn.example.org' }],
    ['no country', { ...secure, country_code: undefined }],
    ['an invalid country', { ...secure, country_code: 'Netherlands' }],
    ['a number', 5],
    ['null', null],
  ])('leaves out an entry with %s, and keeps the others', (_what, bad) => {
    expect(servers([bad, institute]).map(({ baseUrl }) => baseUrl)).toEqual(['https://vpn.example.org/'])
  })

  it('accepts a loopback address only from a list on this computer', () => {
    expect(servers([{ ...institute, base_url: 'http://127.0.0.1:1/' }], local)).toHaveLength(1)
  })

  it('keeps an entry without its invalid optional fields', () => {
    const [first, second] = servers([
      { ...institute, keyword_list: { en: [] }, support_contact: 'javascript:alert(1)' },
      { ...secure, authentication_url_template: 'javascript:alert(1)' },
    ])
    expect(first).toMatchObject({ keywords: undefined, supportContacts: [] })
    expect(second).toMatchObject({ authenticationTemplate: undefined })
  })

  it('keeps only the contacts that can be used', () => {
    const kept = [
      'mailto:help@example.org',
      'tel:+31 20 1234567',
      'https://example.org/help',
      'http://example.org/',
      `https://example.org/${'a'.repeat(480)}`,
    ]
    const bad = [
      'javascript:alert(1)',
      'mailto:a@example.org?body=x',
      'file:///etc/passwd',
      'https://a:b@example.org/',
      'tel:call me',
      `https://example.org/${'a'.repeat(481)}`,
      7,
    ]
    expect(servers([{ ...institute, support_contact: [...bad, ...kept] }])[0]?.supportContacts).toEqual(kept)
  })

  it('removes control and direction characters from texts', () => {
    expect(servers([{ ...institute, display_name: 'Ex\u202eam\u0007ple\nOrg' }])[0]).toMatchObject({
      displayName: 'Ex am ple Org',
    })
  })

  it('keeps the first of two servers with the same address', () => {
    const [only, ...more] = servers([institute, { ...institute, display_name: 'Other' }])
    expect(only).toMatchObject({ displayName: institute.display_name })
    expect(more).toEqual([])
  })

  it.each([
    'not JSON',
    '[]',
    '{}',
    '{"v":1}',
    '{"server_list":[]}',
    '{"v":"1","server_list":[]}',
    '{"v":-1,"server_list":[]}',
    '{"v":1.5,"server_list":[]}',
    '{"v":99999999999999999999,"server_list":[]}',
    '{"v":1,"server_list":{}}',
    JSON.stringify({ v: 1, server_list: Array.from({ length: 20_001 }, () => 0) }),
  ])('refuses an invalid document', (text) => {
    expect(() => parseServerList(text, source)).toThrow(
      expect.objectContaining({ code: 'organization-list/invalid-document' }) as Error,
    )
  })

  it('throws nothing for any entries', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (list) => {
        expect(servers([...list, institute])).not.toEqual([])
        expect(organizations([...list, organization])).not.toEqual([])
      }),
    )
  })
})

describe('parseOrganizationList', () => {
  it('reads organizations with any id', () => {
    expect(
      organizations([
        { ...organization, keyword_list: { en: 'words' } },
        { ...organization, org_id: 'no address' },
      ]),
    ).toEqual([
      {
        orgId: 'https://idp.example.org/metadata',
        displayName: 'Example',
        keywords: { en: 'words' },
        home: 'https://nl.example.org/',
      },
      { orgId: 'no address', displayName: 'Example', keywords: undefined, home: 'https://nl.example.org/' },
    ])
  })

  it.each([
    { org_id: '' },
    { org_id: 'a\nb' },
    { secure_internet_home: 'http://nl.example.org/' },
    { display_name: {} },
  ])('leaves out an organization with %j', (change) => {
    expect(organizations([{ ...organization, ...change }])).toEqual([])
  })
})
