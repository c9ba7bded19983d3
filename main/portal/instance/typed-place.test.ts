import { describe, expect, it } from 'vitest'
import { linkedAddress, organizationOf, portalHosts, readPlace } from './typed-place'

/** Links that a web page or a mail could hold. */
const hostileLinks = [
  'causeway://add/',
  'causeway://add',
  'causeway://remove/vpn.example.org',
  'causeway://connect/',
  'causeway://add/http://vpn.example.org/',
  'causeway://add/javascript:alert(1)',
  'causeway://add/javascript://vpn.example.org/%250aalert(1)',
  'causeway://add/file:///etc/passwd',
  'causeway://add/data:text/html,x',
  'causeway://add/https://user:secret@vpn.example.org/',
  'causeway://add/vpn.example.org@evil.example.com',
  'causeway://add/vpn.example.org?connect=1',
  'causeway://add/vpn.example.org%3Fconnect=1',
  'causeway://add/vpn.example.org#connect',
  'causeway://add/vpn.example.org%0d%0aconnect',
  'causeway://add/%00vpn.example.org',
  'causeway://add/%E2%80%AEgro.elpmaxe.npv',
  'causeway://add/v%D1%80n.example.org',
  'causeway://add/%',
  'causeway://add/--connect',
  `causeway://add/${'a'.repeat(5000)}.example.org`,
  'causeway://add/%252e%252e/vpn.example.org',
  'causeway://add/..%5c..%5cvpn',
  'causeway:add/vpn.example.org',
  'causeway:///add/vpn.example.org',
  ' causeway://add/vpn.example.org --connect',
  'https://add/vpn.example.org',
]

describe('what a person typed', () => {
  it.each([
    ['name@student.example.edu', 'student.example.edu'],
    [' Name.Surname+vpn@Example.EDU ', 'example.edu'],
    ['mailto:name@example.edu', 'example.edu'],
    ['Name Surname <name@example.edu>', 'example.edu'],
    ['<name@example.edu>,', 'example.edu'],
    ['a@b@example.edu', 'example.edu'],
    ['example.edu', 'example.edu'],
    ['www.example.co.uk.', 'www.example.co.uk'],
    ['name@bücher.example', 'xn--bcher-kva.example'],
    ['http://www.example.edu/about', 'www.example.edu'],
    ['vpn.internal', 'vpn.internal'],
  ])('is a domain: %s', async (typed, domain) => {
    expect(await readPlace(typed)).toEqual({ kind: 'domain', domain })
  })

  it.each([
    ['https://www.example.edu/students', 'www.example.edu'],
    ['example.edu/portal', 'example.edu'],
    ['https://vpn.example.edu:8443/', undefined],
    ['https://name@vpn.example.edu/', undefined],
    ['127.0.0.1:5006', undefined],
    ['127.0.0.1', undefined],
    ['http://127.0.0.1:5006/', undefined],
    ['[::1]:5006', undefined],
    ['::1', undefined],
    ['localhost', undefined],
    ['localhost:5006', undefined],
    ['name@example.edu:8443', undefined],
    ['ftp://example.edu/', undefined],
  ])('is an address: %s', async (typed, domain) => {
    expect(await readPlace(typed)).toEqual(
      domain === undefined ? { kind: 'address' } : { kind: 'address', domain },
    )
  })

  it.each([
    '',
    '@',
    'Example University',
    'St. Example',
    'example',
    'name@',
    'name@localhost',
    'name@edu',
    'name@co.uk',
    'github.io',
    'name@127.0.0.1',
    'name@[127.0.0.1]',
    'name@0x7f.1',
    'name@2130706433',
    'name@example.edu/../vpn',
    'name@example.edu?x',
    'name@ex%61mple.edu',
    'name@example..edu',
    'name@-.edu',
    'javascript:alert(1)',
    'name@example.edu\nvpn.example.org',
  ])('is nothing to ask anyone about: %j', async (typed) => {
    expect(await readPlace(typed)).toEqual({ kind: 'name' })
  })
})

it.each([
  ['vpn.student.example.edu', 'example.edu'],
  ['a.example.co.uk', 'example.co.uk'],
  ['a.b.github.io', 'b.github.io'],
  ['co.uk', undefined],
  ['10.0.0.1', undefined],
])('one organization has registered the domain of %s: %s', async (host, organization) => {
  expect(await organizationOf(host)).toBe(organization)
})

it('looks at the domain itself, then before it and its parents, and never above the organization', async () => {
  expect(await portalHosts('student.example.edu')).toEqual([
    'student.example.edu',
    'vpn.student.example.edu',
    'eduvpn.student.example.edu',
    'vpn.example.edu',
    'eduvpn.example.edu',
  ])
  expect(await portalHosts('example.co.uk')).toEqual([
    'example.co.uk',
    'vpn.example.co.uk',
    'eduvpn.example.co.uk',
  ])
  expect(await portalHosts('vpn.example.edu')).toEqual(['vpn.example.edu', 'eduvpn.example.edu'])
  expect(await portalHosts('someone.github.io')).not.toContain('vpn.github.io')
  expect((await portalHosts(`${'a.'.repeat(50)}example.edu`)).length).toBeLessThan(12)
})

describe('a causeway: link', () => {
  it.each([
    ['causeway://add/vpn.example.org', 'vpn.example.org'],
    ['causeway://add/https://vpn.example.org/portal/', 'https://vpn.example.org/portal/'],
    ['causeway://add/https%3A%2F%2Fvpn.example.org%2F', 'https://vpn.example.org/'],
    ['causeway://add/127.0.0.1:5006', '127.0.0.1:5006'],
  ])('offers an address: %s', (link, address) => {
    expect(linkedAddress(link)).toBe(address)
  })

  it.each(hostileLinks)('offers nothing: %s', (link) => {
    expect(linkedAddress(link)).toBeUndefined()
  })
})
