import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { CausewayError } from '../../errors'
import { cases } from '../../../scripts/fuzzing'
import { isNightly } from '../../../scripts/nightly-tests'
import { parseConfiguration, printConfiguration } from './configuration'
import { configurationText, serverKey } from './configuration.testing'
import { anyText } from '../../../scripts/any-text'

function refusal(text: string, transport: 'udp' | 'tcp' = 'udp'): CausewayError | undefined {
  try {
    parseConfiguration(text, transport)
    return undefined
  } catch (error) {
    if (error instanceof CausewayError) return error
    throw error
  }
}

it('reads the text of a portal', () => {
  expect(parseConfiguration(configurationText(), 'udp')).toEqual({
    addresses: ['10.43.0.2/24', 'fd43::2/64'],
    dns: { servers: ['10.43.0.1'], domains: ['vpn.example.org'] },
    peer: serverKey,
    allowed: ['0.0.0.0/0', '::/0'],
    endpoint: { host: 'node.example.org', port: 51_820 },
    keepalive: 25,
    notes: [],
  })
})

it('reads comments, CRLF, any case, repeated networks and an address as endpoint', () => {
  const text = [
    '# Portal: https://vpn.example.org/ =\u00A0[Peer]',
    '; another comment',
    '[INTERFACE]',
    'address=10.43.0.2/24 # mine',
    'mtu = 576',
    '[peer]',
    `PUBLICKEY=${serverKey}`,
    'allowedips = 10.1.2.3/8',
    'AllowedIPs = 10.0.0.0/8, 2001:DB8:0:0::1',
    'Endpoint = [2001:db8::1]:1',
    'PersistentKeepalive = 0',
  ].join('\r\n')
  expect(parseConfiguration(text, 'udp')).toMatchObject({
    dns: { servers: [], domains: [] },
    mtu: 576,
    allowed: ['10.0.0.0/8', '2001:db8::1/128'],
    endpoint: { host: '2001:db8::1', port: 1 },
    keepalive: 0,
  })
})

it('reads a text of a mebibyte', () => {
  const text = configurationText({}, { peer: ['#'] })
  const filled = text.replace('#', '#'.padEnd(1024 * 1024 - text.length + 1, 'x'))
  expect(filled).toHaveLength(1024 * 1024)
  expect(parseConfiguration(filled, 'udp')).toMatchObject({ peer: serverKey })
})

it("routes the interface's own networks if the text names none", () => {
  expect(parseConfiguration(configurationText({ AllowedIPs: undefined }), 'udp').allowed).toEqual([
    '10.43.0.0/24',
    'fd43::/64',
  ])
})

it('reads the form for ProxyGuard, and only that form', () => {
  const text = configurationText({
    Endpoint: '127.0.0.1:51820',
    ProxyEndpoint: 'https://vpn.example.org/proxyguard/node?a=1,2',
  })
  expect(parseConfiguration(text, 'tcp').proxy?.href).toBe('https://vpn.example.org/proxyguard/node?a=1,2')
  expect(refusal(text, 'udp')?.details).toMatchObject({ directive: 'ProxyEndpoint' })
  expect(refusal(configurationText(), 'tcp')).toMatchObject({
    code: 'profile-configuration/incomplete',
    details: { directive: 'ProxyEndpoint' },
  })
})

const tooMany = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(',')

describe('refuses', () => {
  it.each<readonly [string, string]>([
    ['PreUp', 'touch /tmp/x'],
    ['PostUp', 'touch /tmp/x'],
    ['PreDown', 'touch /tmp/x'],
    ['PostDown', 'touch /tmp/x'],
    ['PrivateKey', serverKey],
    ['Unknown', 'value'],
    ['constructor', 'value'],
    ['__proto__', 'value'],
    ['Post Up', 'value'],
  ])('the key %s in the interface', (key, value) => {
    const error = refusal(configurationText({}, { interface: [`${key} = ${value}`] }))
    expect(error).toMatchObject({
      code: 'profile-configuration/forbidden-directive',
      details: { directive: key.replace(' ', '?'), line: 4 },
    })
    expect(JSON.stringify(error?.details)).not.toContain(value)
  })

  it.each(['Address', 'DNS', 'MTU', 'FwMark'])('the key %s in the peer', (key) => {
    expect(refusal(configurationText({}, { peer: [`${key} = 10.0.0.1/8`] }))?.code).toBe(
      'profile-configuration/forbidden-directive',
    )
  })

  it.each<readonly [string, string]>([
    ['Address', ''],
    ['Address', '10.43.0.2/33'],
    ['Address', '10.43.0.2/0'],
    ['Address', '64.0.0.9/7'],
    ['Address', 'fd43::2/31'],
    ['Address', '10.43.0.2/24,10.44.0.2/24'],
    ['Address', '10.43.0.2/24,fd43::2/64,fd44::2/64'],
    ['Address', '010.43.0.2/24'],
    ['Address', '127.0.0.2/8'],
    ['Address', '224.0.0.1/24'],
    ['Address', '0.0.0.0/24'],
    ['Address', '::1/64'],
    ['Address', '::/64'],
    ['Address', 'ff02::1/64'],
    ['Address', '::ffff:10.0.0.1/120'],
    ['Address', 'fd43::2%eth0/64'],
    ['DNS', 'bad_name!'],
    // Whoever answers there asks the network in the clear.
    ['DNS', '127.0.0.53'],
    ['DNS', '10.43.0.1, ::1'],
    ['DNS', '169.254.1.53'],
    ['DNS', 'fe80::53'],
    ['DNS', '0.0.0.53'],
    ['DNS', '224.0.0.251'],
    ['DNS', 'ff02::fb'],
    ['DNS', '255.255.255.255'],
    ['DNS', '10.43.0.1;id'],
    ['DNS', '10.43.0.1/32'],
    ['DNS', '~.'],
    ['DNS', '10.43.0.256'],
    ['DNS', '10.43.0.1, 10.43.1'],
    ['DNS', '0x0A2B0001'],
    ['DNS', tooMany(9, (index) => `10.43.1.${String(index)}`)],
    ['DNS', tooMany(17, (index) => `d${String(index)}.example.org`)],
    ['MTU', '0x500'],
    ['MTU', '1420,1420'],
    ['PublicKey', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['PublicKey', serverKey.replace(/.=$/, 'd=')],
    ['PublicKey', serverKey.slice(4)],
    ['PublicKey', `${serverKey},${serverKey}`],
    ['AllowedIPs', ''],
    ['AllowedIPs', '127.0.0.0/8'],
    ['AllowedIPs', '127.1.2.3'],
    ['AllowedIPs', '::1'],
    ['AllowedIPs', '224.0.0.0/4'],
    ['AllowedIPs', '239.1.1.0/24'],
    ['AllowedIPs', 'ff02::/16'],
    ['AllowedIPs', '::ffff:127.0.0.0/104'],
    ['AllowedIPs', '10.0.0.0/8/8'],
    ['AllowedIPs', 'example.org'],
    ['AllowedIPs', tooMany(5001, (index) => `10.0.${String(index >> 8)}.${String(index & 255)}`)],
    ['Endpoint', 'node.example.org'],
    ['Endpoint', 'node.example.org:0'],
    ['Endpoint', 'node.example.org:65536'],
    ['Endpoint', 'node.example.org:1194 '.concat('x')],
    ['Endpoint', '2001:db8::1:51820'],
    ['Endpoint', '[node.example.org]:51820'],
    ['Endpoint', '127.0.0.1:51820'],
    ['Endpoint', '127.9.9.9:51820'],
    ['Endpoint', 'localhost:51820'],
    ['Endpoint', 'a.LocalHost:51820'],
    ['Endpoint', '127.1:51820'],
    ['Endpoint', '0x7f000001:51820'],
    ['Endpoint', '2130706433:51820'],
    ['Endpoint', '0.0.0.0:51820'],
    ['Endpoint', '255.255.255.255:51820'],
    ['Endpoint', '224.0.0.1:51820'],
    ['Endpoint', '[::1]:51820'],
    ['Endpoint', '[::]:51820'],
    ['Endpoint', '[ff02::1]:51820'],
    ['Endpoint', '[::ffff:127.0.0.1]:51820'],
    ['Endpoint', '-oProxyCommand=x:22'],
    ['PersistentKeepalive', '65536'],
    ['PersistentKeepalive', '-1'],
    ['PersistentKeepalive', '025'],
  ])('%s = %s', (key, value) => {
    const error = refusal(configurationText({ [key]: value }))
    expect(error).toMatchObject({
      code: 'profile-configuration/invalid-argument',
      details: { directive: key },
    })
    expect(Object.keys(error?.details ?? {}).toSorted()).toEqual(['directive', 'line'])
  })

  it.each([
    'http://vpn.example.org/proxyguard',
    'https:vpn.example.org',
    'https:///vpn.example.org',
    'https://user@vpn.example.org/',
    'https://user:secret@vpn.example.org/',
    'https://vpn.example.org/a b',
    `https://vpn.example.org/?${'q'.repeat(2048)}`,
    'ftp://vpn.example.org/',
    'https://127.0.0.1:9443/admin',
    'https://[::1]/',
    'https://localhost/',
    'vpn.example.org',
  ])('ProxyEndpoint = %s', (value) => {
    const text = configurationText({ Endpoint: '127.0.0.1:51820', ProxyEndpoint: value })
    const error = refusal(text, 'tcp')
    expect(error?.code).toBe('profile-configuration/invalid-argument')
    expect(JSON.stringify(error?.details)).not.toContain('secret')
  })

  it.each(['[::1]:51820', 'localhost:51820', '127.0.0.2:51820'])(
    'Endpoint = %s in the form for ProxyGuard',
    (value) => {
      const text = configurationText({ Endpoint: value, ProxyEndpoint: 'https://vpn.example.org/' })
      expect(refusal(text, 'tcp')?.details).toMatchObject({ directive: 'Endpoint' })
    },
  )

  it.each(['Address', 'PublicKey', 'Endpoint'])('a text without %s', (key) => {
    expect(refusal(configurationText({ [key]: undefined }))).toMatchObject({
      code: 'profile-configuration/incomplete',
      details: { directive: key },
    })
  })

  it.each(['MTU = 1400', 'mtu = 1392'])('%s, a second time', (line) => {
    expect(refusal(configurationText({ MTU: '1392' }, { interface: [line] }))).toMatchObject({
      variant: 'twice',
    })
  })

  const text = configurationText()
  it.each<readonly [string, string]>([
    ['no text', ''],
    ['another text', '<!doctype html>'],
    ['a key before a section', `MTU = 1400\n${text}`],
    ['two interfaces', `[Interface]\n${text}`],
    ['two peers', `${text}[Peer]\n`],
    ['a peer alone', text.slice(text.indexOf('[Peer]'))],
    ['an unknown section', `${text}[Other]\n`],
    ['no peer', text.slice(0, text.indexOf('[Peer]'))],
    ['a line without a value', `${text}AllowedIPs\n`],
    ['a key without a name', `${text}= x\n`],
    ['a NUL', `${text}# \0\n`],
    ['a lone carriage return', text.replace('DNS', '\rDNS')],
    ['an escape in a comment', `${text}# \u001B[2J\n`],
    ['U+2028', `${text}# \u2028PostUp = x\n`],
    ['U+2029', `${text}# \u2029PostUp = x\n`],
    ['U+0085', `${text}# \u0085PostUp = x\n`],
    ['a byte order mark', `\uFEFF${text}`],
    ['another space', text.replace('DNS = ', 'DNS\u00A0= ')],
    ['more than 1 MiB', `${text}#${'x'.repeat(1024 * 1024)}\n`],
  ])('%s', (_what, hostile) => {
    expect(refusal(hostile)?.code).toMatch(/^profile-configuration\//)
  })
})

it('reads a hostile text without delay', () => {
  const spaces = ' '.repeat(500_000)
  for (const line of [
    `a${spaces}b`,
    `a=${spaces}b`,
    `AllowedIPs = ${'::/0,'.repeat(100_000)}::`,
    `[${spaces}]`,
  ])
    expect(refusal(`${configurationText()}${line}\n`)?.code ?? 'accepted').toMatch(/^profile|^accepted/)
})

describe('for any text', { timeout: isNightly ? 900_000 : 20_000 }, () => {
  const keys = [
    'Address',
    'DNS',
    'MTU',
    'PublicKey',
    'AllowedIPs',
    'Endpoint',
    'PersistentKeepalive',
    'ProxyEndpoint',
    'ListenPort',
    'PostUp',
  ]
  const anyValue = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.domain(),
    fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(130)).map(([ip, length]) => `${ip}/${String(length)}`),
    fc
      .tuple(fc.oneof(fc.domain(), fc.ipV4()), fc.nat(70_000))
      .map(([host, port]) => `${host}:${String(port)}`),
    fc.nat(70_000).map(String),
    fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
    fc.constantFrom(serverKey, '', '#', 'a,b'),
    anyText(),
  )
  const anyTransport = fc.constantFrom('udp' as const, 'tcp' as const)
  const anyList = fc.array(anyValue, { minLength: 1, maxLength: 3 }).map((values) => values.join(','))

  it('accepts only values that come out the same when they are printed and read again', () => {
    fc.assert(
      fc.property(
        anyTransport,
        fc.dictionary(fc.constantFrom(...keys), anyList, { maxKeys: 3 }),
        (transport, changes) => {
          // Otherwise the form for TCP would be refused for its endpoint almost always.
          const text = configurationText(
            transport === 'tcp' ? { Endpoint: '127.0.0.1:1', ...changes } : changes,
          )
          const error = refusal(text, transport)
          expect(error?.code ?? 'profile-configuration/').toMatch(/^profile-configuration\//)
          if (error !== undefined) return
          const configuration = parseConfiguration(text, transport)
          const printed = printConfiguration(configuration)
          expect(printed).toMatch(/^[\n -~]*$/)
          const withoutKey = printed.replace('PrivateKey = [private key]\n', '')
          expect(parseConfiguration(withoutKey, transport)).toEqual({ ...configuration, notes: [] })
        },
      ),
      cases('fields of a configuration of WireGuard'),
    )
  })

  it('throws nothing but refusals', () => {
    const damaged = fc
      .tuple(fc.nat(400), anyText({ maxLength: 20 }), fc.nat(40))
      .map(([at, inserted, cut]) => {
        const text = configurationText()
        return text.slice(0, at) + inserted + text.slice(at + cut)
      })
    fc.assert(
      fc.property(anyTransport, damaged, (transport, text) => {
        const error = refusal(text, transport)
        expect(error?.code ?? 'profile-configuration/').toMatch(/^profile-configuration\//)
      }),
      cases('a damaged configuration of WireGuard'),
    )
  })
})

it('prints the text without a key', () => {
  expect(printConfiguration(parseConfiguration(configurationText({ MTU: '1392' }), 'udp'))).toBe(
    [
      '[Interface]',
      'PrivateKey = [private key]',
      'Address = 10.43.0.2/24, fd43::2/64',
      'DNS = 10.43.0.1, vpn.example.org',
      'MTU = 1392',
      '',
      '[Peer]',
      `PublicKey = ${serverKey}`,
      'AllowedIPs = 0.0.0.0/0, ::/0',
      'Endpoint = node.example.org:51820',
      'PersistentKeepalive = 25',
      '',
    ].join('\n'),
  )
})
