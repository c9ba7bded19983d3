import { describe, expect, it } from 'vitest'
import { isLoopbackHost, readUrl, type UrlPurpose } from './safe-url'

describe('isLoopbackHost', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.255.1.2/',
    'http://127.1/',
    'http://[::1]:80/',
    'http://LOCALHOST/',
  ])('accepts this computer: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(true)
  })

  it.each([
    'http://128.0.0.1/',
    'http://127.0.0.1.example.org/',
    'http://localhost.example.org/',
    'http://127example.org/',
    'http://[::2]/',
    'http://10.0.0.1/',
  ])('rejects hosts of the network: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(false)
  })
})

const remote = new URL('https://vpn.example.org/')
const here = new URL('http://127.0.0.1:5000/')
const hereSecurely = new URL('https://localhost:5001/')

const purposes: readonly UrlPurpose[] = [
  'request',
  'redirect',
  'endpoint',
  'base',
  'listed',
  'typed',
  'file',
  'picture',
  'page',
  'proxy',
]

/** Which purposes allow the address; all others refuse it. */
it.each<[text: string, from: URL, allowed: readonly UrlPurpose[]]>([
  ['https://other.example.net/a', remote, purposes],
  ['HTTPS://other.example.net', remote, purposes],
  ['https://other.example.net/a?b', remote, purposes.filter((p) => !['base', 'typed', 'proxy'].includes(p))],
  ['https://other.example.net/?', remote, purposes.filter((p) => !['base', 'typed', 'proxy'].includes(p))],
  ['https://other.example.net/#b', remote, ['request', 'redirect', 'listed', 'file', 'picture', 'page']],
  ['https://u:p@other.example.net/', remote, ['proxy']],
  ['http://other.example.net/', remote, ['page', 'proxy']],
  ['http://other.example.net/', here, ['page', 'proxy']],
  ['http://localhost/', remote, ['request', 'typed', 'page', 'proxy']],
  ['http://localhost/', hereSecurely, purposes.filter((p) => p !== 'redirect')],
  ['http://[::1]/', here, purposes],
  ['http://10.0.0.1/', here, ['page', 'proxy']],
  ['/relative', remote, ['redirect', 'listed']],
  ['//other.example.net/relative', remote, ['redirect', 'listed']],
  ['ftp://127.0.0.1/', here, []],
  ['file:///etc/passwd', here, []],
  ['javascript:alert(1)', here, []],
  ['https:other.example.net', remote, []],
  ['https:///other.example.net', remote, []],
  ['https://', remote, []],
  ['https://other.exa\nmple.net/', remote, []],
  ['https://other.example.net/\u202e', remote, []],
])('%s, named by %s, is for %j', (text, from, allowed) => {
  const found = purposes.filter((purpose) => readUrl(purpose, text, from) instanceof URL)
  expect(found).toEqual(allowed)
})

it('says what is wrong with an address', () => {
  expect(readUrl('typed', 'nowhere')).toBe('malformed')
  expect(readUrl('typed', 'ftp://vpn.example.org/')).toBe('scheme')
  expect(readUrl('typed', 'https://u@vpn.example.org/')).toBe('userinfo')
  expect(readUrl('typed', 'https://vpn.example.org/?a')).toBe('query')
  expect(readUrl('typed', 'https://vpn.example.org/#a')).toBe('fragment')
  expect(readUrl('typed', 'http://vpn.example.org/')).toBe('insecure')
})
