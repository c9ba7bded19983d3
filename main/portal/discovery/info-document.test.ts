import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { parseInfoDocument } from './info-document'

const source = new URL('https://vpn.example.org/info.json')
const local = new URL('http://127.0.0.1:5006/info.json')
const key = 'http://eduvpn.org/api#2'

const entry = {
  api_base_uri: 'https://vpn.example.org/api/vpn/',
  authorization_endpoint: 'https://vpn.example.org/oauth/authorize',
  token_endpoint: 'https://vpn.example.org/oauth/token',
}

const parse = (document: unknown, from = source): unknown => parseInfoDocument(JSON.stringify(document), from)

describe('the version key', () => {
  const other = { ...entry, token_endpoint: 'https://other.example.org/token' }

  it.each([
    ['any that ends in #2', { 'https://vendor.example/vpn#2': entry }],
    ['the known one before others', { 'https://vendor.example/vpn#2': other, [key]: entry }],
    ['the first of several unknown ones', { 'https://a.example/#2': entry, 'https://b.example/#2': other }],
    [
      '#2 beside #3, whose fields are others',
      { 'http://eduvpn.org/api#3': { api_endpoint: 'x' }, [key]: entry },
    ],
  ])('is %s', (_name, api) => {
    expect(parse({ api, v: '2.4.5' })).toEqual({
      apiVersion: 2,
      apiBaseUri: 'https://vpn.example.org/api/vpn',
      authorizationEndpoint: entry.authorization_endpoint,
      tokenEndpoint: entry.token_endpoint,
      services: {},
    })
  })

  it('is unsupported if a service has only other versions; other services do not count as versions', () => {
    const others = { 'http://eduvpn.org/api#12': entry, 'http://eduvpn.org/api#4': {} }
    const api = { ...others, 'https://causeway.example/organizations#1': { base_uri: 'https://example.org' } }
    expect(() => parse({ api })).toThrow(
      expect.objectContaining({
        code: 'discovery/unsupported-version',
        details: { host: 'vpn.example.org', versions: [4, 12] },
      }),
    )
  })

  it.each([{}, { 'http://eduvpn.org/api': entry, 'https://causeway.example/organizations#1': {} }])(
    'is missed in %j',
    (api) => {
      expect(() => parse({ api })).toThrow(expect.objectContaining({ code: 'discovery/no-vpn-api' }))
    },
  )
})

describe('version 3', () => {
  const key3 = 'http://eduvpn.org/api#3'
  const { api_base_uri: _base, ...endpoints } = entry
  const entry3 = { api_endpoint: 'https://vpn.example.org/vpn-user-portal/api/v3', ...endpoints }

  it('is preferred to version 2', () => {
    expect(parse({ api: { [key]: entry, [key3]: entry3 }, v: '2.4.5' })).toEqual({
      apiVersion: 3,
      apiBaseUri: entry3.api_endpoint,
      authorizationEndpoint: entry.authorization_endpoint,
      tokenEndpoint: entry.token_endpoint,
      messagesBaseUri: 'https://vpn.example.org/api/vpn',
      services: {},
    })
  })

  it.each([
    ['is missing', {}],
    ['is at another origin', { [key]: { ...entry, api_base_uri: 'https://other.example.org/api' } }],
    ['is not valid', { [key]: { ...entry, token_endpoint: 'http://vpn.example.org/token' } }],
  ])('has no messages where version 2 %s', (_what, older) => {
    expect(parse({ api: { ...older, [key3]: entry3 } })).not.toHaveProperty('messagesBaseUri')
  })

  it.each([
    ['2.4.5', false],
    ['3.0.0-1.fc34', false],
    ['3.1.0', true],
    ['3.13.1', true],
    ['10.0', true],
    ['unknown', false],
    [undefined, false],
    [3, false],
  ])('of portal %s sends an issuer: %s', (v, expected) => {
    const sendsIssuer = expected || undefined
    expect(parse({ api: { [key3]: entry3 }, v })).toMatchObject({ apiVersion: 3, sendsIssuer })
    expect(parse({ api: { [key]: entry }, v })).toMatchObject({ apiVersion: 2, sendsIssuer })
  })

  it.each([
    ['https://vendor.example/vpn#3', entry3],
    ['https://vendor.example/vpn#2', entry],
  ])('at the key of a vendor, %s, says nothing by its version about an issuer', (vendorKey, theirs) => {
    for (const v of ['9.9.9', '3.8.2'])
      expect(parse({ api: { [vendorKey]: theirs }, v })).toMatchObject({ sendsIssuer: undefined })
  })

  it.each([
    ['plain http', { api_endpoint: 'http://vpn.example.org/api' }],
    ['a local address', { token_endpoint: 'http://127.0.0.1/' }],
    ['a query', { api_endpoint: 'https://vpn.example.org/?x' }],
  ])('is invalid with %s', (_what, wrong) => {
    expect(() => parse({ api: { [key3]: { ...entry3, ...wrong } } })).toThrow(
      expect.objectContaining({ code: 'discovery/invalid-document' }),
    )
  })
})

describe('a document that is not valid', () => {
  it.each([
    ['no object', [], undefined],
    ['no api', { v: '2' }, undefined],
    ['api of another type', { api: 'x' }, undefined],
    ['an entry of another type', { api: { [key]: 'x' } }, undefined],
    ['a missing field', { api: { [key]: { ...entry, token_endpoint: undefined } } }, 'token_endpoint'],
    ['a field of another type', { api: { [key]: { ...entry, token_endpoint: 7 } } }, 'token_endpoint'],
    ['a relative address', { api: { [key]: { ...entry, api_base_uri: '/api' } } }, 'api_base_uri'],
    ['plain http', { api: { [key]: { ...entry, api_base_uri: 'http://vpn.example.org/' } } }, 'https://'],
    ['a local address', { api: { [key]: { ...entry, token_endpoint: 'http://127.0.0.1/' } } }, 'https://'],
    ['another scheme', { api: { [key]: { ...entry, authorization_endpoint: 'javascript:1' } } }, 'https://'],
    [
      'credentials',
      { api: { [key]: { ...entry, token_endpoint: 'https://u:p@vpn.example.org/' } } },
      'password',
    ],
    [
      'a fragment',
      { api: { [key]: { ...entry, token_endpoint: 'https://vpn.example.org/#x' } } },
      'fragment',
    ],
    ['a query', { api: { [key]: { ...entry, api_base_uri: 'https://vpn.example.org/?x' } } }, 'query'],
  ])('is refused: %s', (_name, document, problem) => {
    expect(() => parse(document)).toThrow(
      expect.objectContaining({
        code: 'discovery/invalid-document',
        details: {
          host: 'vpn.example.org',
          problems: [expect.stringContaining(problem ?? '') as string],
        },
      }),
    )
  })

  it('is refused as not being JSON', () => {
    expect(() => parseInfoDocument('<html>', source)).toThrow(
      expect.objectContaining({ code: 'discovery/not-json' }),
    )
  })

  it('always throws one of these errors', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.anything(), (text, value) => {
        for (const candidate of [text, JSON.stringify({ api: { [key]: value } })]) {
          try {
            parseInfoDocument(candidate, source)
          } catch (error) {
            if (!(error instanceof CausewayError) || !error.code.startsWith('discovery/')) throw error
          }
        }
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})

it('may have http addresses on this computer if it comes from this computer', () => {
  const base = 'http://127.0.0.1:5006'
  const api = {
    [key]: { api_base_uri: `${base}/api`, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t` },
  }
  expect(parse({ api }, local)).toMatchObject({ apiBaseUri: `${base}/api` })
})

describe('services around the VPN', () => {
  it('are found at the addresses in the document', () => {
    const api = {
      [key]: entry,
      'https://causeway.example/attachments#2.0.0': { base_uri: 'https://media.example.org/v2.0.0' },
      'https://causeway.example/content#2.3': { base_uri: 'https://news.example.org/' },
      'https://causeway.example/organizations#1': { base_uri: 'https://org.example.org/x/' },
    }
    expect(parse({ api })).toMatchObject({
      services: {
        attachments: 'https://media.example.org/v2.0.0',
        content: 'https://news.example.org',
        organizations: 'https://org.example.org/x',
      },
    })
  })

  it('do not make the VPN unusable if their entries are not valid', () => {
    const api = {
      [key]: entry,
      'https://causeway.example/attachments#2.0.0': { base_uri: 'http://media.example.org/' },
      'https://causeway.example/content#2.3': 'x',
    }
    expect(parse({ api })).toMatchObject({ apiBaseUri: 'https://vpn.example.org/api/vpn', services: {} })
  })
})
