import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cases } from '../../../scripts/fuzzing'
import { hasCode } from '../../errors'
import { parseAddress } from './address'

describe('valid addresses', () => {
  it.each([
    ['vpn.example.org', 'vpn.example.org', 'https://vpn.example.org/'],
    ['  vpn.example.org \n', 'vpn.example.org', 'https://vpn.example.org/'],
    ['VPN.Example.ORG/', 'vpn.example.org', 'https://vpn.example.org/'],
    ['vpn.example.org.', 'vpn.example.org', 'https://vpn.example.org/'],
    ['vpn.example.org:8443', 'vpn.example.org:8443', 'https://vpn.example.org:8443/'],
    ['https://vpn.example.org:443', 'vpn.example.org', 'https://vpn.example.org/'],
    ['https://vpn.example.org/portal', 'vpn.example.org/portal', 'https://vpn.example.org/portal/'],
    ['https://vpn.example.org/portal//', 'vpn.example.org/portal', 'https://vpn.example.org/portal/'],
    ['https://vpn.example.org/info.json', 'vpn.example.org', 'https://vpn.example.org/'],
    ['vpn.example.org/portal/info.json', 'vpn.example.org/portal', 'https://vpn.example.org/portal/'],
    ['http://127.0.0.1:5006/', '127.0.0.1:5006', 'http://127.0.0.1:5006/'],
    ['127.0.0.1:5006', '127.0.0.1:5006', 'http://127.0.0.1:5006/'],
    ['localhost:5006', 'localhost:5006', 'http://localhost:5006/'],
    ['https://localhost/', 'localhost', 'https://localhost/'],
    ['[::1]:5006', '[::1]:5006', 'http://[::1]:5006/'],
    ['::1', '[::1]', 'http://[::1]/'],
    ['fe80::1', '[fe80::1]', 'https://[fe80::1]/'],
    ['[2001:db8::1]', '[2001:db8::1]', 'https://[2001:db8::1]/'],
    ['https://[2001:db8::1]:8443/x', '[2001:db8::1]:8443/x', 'https://[2001:db8::1]:8443/x/'],
    ['bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example/'],
    ['intranet', 'intranet', 'https://intranet/'],
    ['https://vpn.example.org/?profile=x', 'vpn.example.org', 'https://vpn.example.org/'],
    ['vpn.example.org#top?', 'vpn.example.org', 'https://vpn.example.org/'],
    ['vpn.example.org/portal?a=b#c', 'vpn.example.org/portal', 'https://vpn.example.org/portal/'],
  ])('%j', (text, id, address) => {
    expect(parseAddress(text)).toEqual({ id, address })
  })
})

/** Ways in which people paste this address. */
const pasted: readonly string[] = [
  'https://https://vpn.example.org/portal',
  'https://http://vpn.example.org/portal',
  'http://https://vpn.example.org/portal',
  'HTTPS://HTTPS://vpn.example.org/portal',
  'https:https://vpn.example.org/portal',
  'https://https//vpn.example.org/portal',
  'https//vpn.example.org/portal',
  'https://https://https://vpn.example.org/portal',
  '"https://vpn.example.org/portal"',
  "'vpn.example.org/portal'",
  '`vpn.example.org/portal`',
  '“https://vpn.example.org/portal”',
  '„vpn.example.org/portal“',
  '« https://vpn.example.org/portal »',
  '<https://vpn.example.org/portal>',
  '<URL:https://vpn.example.org/portal>',
  'URL: https://vpn.example.org/portal',
  '(https://vpn.example.org/portal).',
  '[https://vpn.example.org/portal]',
  '[vpn.example.org/portal],',
  '"<vpn.example.org/portal>".',
  'https://vpn.example.org/portal,',
  'https://vpn.example.org/portal.',
  'https://vpn.example.org/portal/;',
  'https://vpn.example.org/portal/?"',
  'https://vpn.example.org/portal!',
  'https://vpn.example.org/portal…',
  '• vpn.example.org/portal',
  '\u00a0vpn.example.org/portal\u3000',
  '\ufeffhttps://vpn.example.org/portal',
  'https://vpn.\u200bexample.org/portal\u200b',
  'vpn\u00ad.example\u2060.org/portal',
  '\u202ahttps://vpn.example.org/portal\u202c',
  '\u200ehttps://\u200fvpn.example.org/portal',
  'https://vpn。example。org/portal',
]

it.each(pasted)('understands %j as people paste it', (text) => {
  expect(parseAddress(text)).toEqual({
    id: 'vpn.example.org/portal',
    address: 'https://vpn.example.org/portal/',
  })
})

it.each(['"[2001:db8::1]:8443"', '<https://[2001:db8::1]:8443/>', '[2001:db8::1]:8443,'])(
  'understands %j',
  (text) => {
    expect(parseAddress(text).id).toBe('[2001:db8::1]:8443')
  },
)

it.each([
  'vpn.example.org,vpn.example.net',
  'vpn.example.org;vpn.example.net',
  'vpn.example.org\nvpn.example.net',
  'vpn example org',
  'https;//vpn.example.org',
  'https//',
  'https',
  'https://https',
  'https://https/vpn.example.org',
  'vpn,example,org',
  'vpn.example.org/"><b>x',
  'href="https://vpn.example.org"',
  '[vpn](https://vpn.example.org)',
  'vpn.example.org&gt;',
  '*.example.org',
  '$HOST',
  '${HOST}',
  'vpn.example.org|',
  '-vpn.example.org',
  '12345',
  '0x7f000001',
  '1.2.3',
  '☎vpn.example.org',
  'vpn.“example”.org',
  `${'a'.repeat(64)}.example.org`,
])('refuses %j as an address, instead of looking it up', (text) => {
  expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'discovery/invalid-address' }))
})

describe('invalid addresses', () => {
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['not an address', 'characters'],
    ['vpn.example.org\u0000', 'characters'],
    ['https:\\\\vpn.example.org', 'characters'],
    ['?profile=x', 'empty'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://vpn.example.org/', 'scheme'],
    ['mailto:someone@example.org', 'scheme'],
    ['https:vpn.example.org', 'scheme'],
    ['https://', 'scheme'],
    ['https:///etc', 'scheme'],
    ['/etc/passwd', 'no-host'],
    ['//vpn.example.org', 'no-host'],
    ['https://vpn.example.org:99999/', 'malformed'],
    ['vpn.example.org..', 'malformed'],
    ['vpn..example.org', 'malformed'],
    ['2001:db8::1:zz', 'malformed'],
    ['https://vpn exam', 'characters'],
    ['https://user:secret@vpn.example.org/', 'credentials'],
    ['user@vpn.example.org', 'credentials'],
    [`vpn.example.org/${'x'.repeat(3000)}`, 'too-long'],
  ])('%j', (text, reason) => {
    expect(() => parseAddress(text)).toThrow(
      expect.objectContaining({ code: 'discovery/invalid-address', details: { reason } }),
    )
  })

  it.each(['http://vpn.example.org/', 'http://192.168.1.1/'])('%s, which is not encrypted', (text) => {
    expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'discovery/insecure-address' }))
  })

  it('are refused without repeating a pasted password', () => {
    expect(() => parseAddress('https://user:secret@vpn.example.org/')).not.toThrow(/secret/)
  })
})

it('returns an address that it parses to itself, or throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
      try {
        const parsed = parseAddress(text)
        expect(parseAddress(parsed.address)).toEqual(parsed)
        expect(new URL('info.json', parsed.address).href).toBe(`${parsed.address}info.json`)
      } catch (error) {
        if (!hasCode(error, 'discovery/invalid-address', 'discovery/insecure-address')) throw error
      }
    }),
    cases('the address of a service'),
  )
})
