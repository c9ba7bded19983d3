import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { CausewayError } from '../../errors'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import { cases } from '../../../scripts/fuzzing'
import { isNightly } from '../../../scripts/nightly-tests'
import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { portalProfile } from './profile.testing'
import { anyText } from '../../../scripts/any-text'

const authority = createTestAuthority()
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
const ca = authority.certificate

/** Returns the configuration for a profile with these lines, or undefined if it is rejected with a CausewayError. */
function build(lines: readonly string[], mode: 'full' | 'handshake-only' = 'full'): string | undefined {
  const profile = portalProfile({ ca, remotes: ['vpn.example.org 1194 udp'], extra: lines })
  try {
    return buildConfiguration(profile, keyPair, { platform: 'linux', mode }).text
  } catch (error) {
    expect(error).toBeInstanceOf(CausewayError)
    expect((error as CausewayError).code).toMatch(/^profile-configuration\//)
    return undefined
  }
}

/** Written by hand from openvpn.md, independent of the table in the code. */
const mayComeOut =
  /^(client|dev tun|remote|remote-random|nobind|float|remote-cert-tls server|verify-x509-name|tls-version-min|tls-version-max|tls-cipher|tls-ciphersuites|tls-groups|ecdh-curve|push-peer-info|passtos|allow-compression no|compress( stub| stub-v2| migrate)?|comp-lzo no|link-mtu|tls-cert-profile|cipher|data-ciphers|ncp-ciphers|data-ciphers-fallback|auth|key-direction|reneg-sec|reneg-bytes|reneg-pkts|hand-window|tran-window|tls-timeout|replay-window|server-poll-timeout|connect-retry|resolv-retry|keepalive|ping|ping-restart|explicit-exit-notify|tun-mtu|mssfix|fragment|mtu-disc|sndbuf|rcvbuf|topology|route|route-ipv6|route-gateway|route-metric|redirect-gateway|block-ipv6|dhcp-option|dns|persist-key|persist-tun|socket-flags TCP_NODELAY)( [^\s"'\\#;][^\s"'\\]*)*$/
/** One word in quotes, in which no quotation mark and no backslash is left alone. */
const quotedMayComeOut =
  /^(verify-x509-name|setenv UV_\w+) "([^"\\\p{Cc}]|\\["\\])+"( (subject|name|name-prefix))?$|^setenv UV_\w+$/u
const blockMayComeOut = /^<(ca|cert|key|tls-crypt|tls-auth|tls-crypt-v2)>$/

/** Returns the unexpected lines of a configuration, with a parser that is as simple as possible. */
function unexpectedLines(text: string): string[] {
  const unexpected: string[] = []
  let block: string | undefined
  for (const line of text.split('\n').filter((each) => each !== '')) {
    if (block === undefined) {
      block = blockMayComeOut.exec(line)?.[1]
      if (line === '<connection>' || line === '</connection>') continue
      if (
        block === undefined &&
        ((!mayComeOut.test(line) && !quotedMayComeOut.test(line)) || Buffer.byteLength(line) > 253)
      ) {
        unexpected.push(line)
      }
    } else if (line === `</${block}>`) {
      block = undefined
    } else if (!/^(-----(BEGIN|END) [A-Za-z0-9 -]+-----|[A-Za-z0-9+/=]{1,64})$/.test(line)) {
      unexpected.push(line)
    }
  }
  return unexpected
}

describe('for any text', { timeout: isNightly ? 900_000 : 20_000 }, () => {
  const names = [
    ...Object.keys(table.keep),
    ...Object.keys(table.rewrite),
    ...table.drop,
    ...table.inline,
    ...['up', 'plugin', 'config', 'connection', 'script-security', 'log', 'auth-user-pass'],
  ]
  const name = fc.constantFrom(...names)
  const word = fc.oneof(
    fc.constantFrom(
      '1',
      '10',
      'tcp',
      'udp',
      'server',
      '/bin/sh',
      'AES-256-GCM',
      '"x y"',
      "'#'",
      '\\ ',
      '</ca>',
      'up',
    ),
    fc.string({ maxLength: 12 }),
  )
  const line = fc
    .tuple(
      fc.constantFrom('', ' ', '--', '"', '<', '</', '#', '\\', '\t'),
      name,
      fc.array(word, { maxLength: 4 }),
      fc.constantFrom('', '"', '>', '\r', ' \\'),
    )
    .map(([before, first, rest, after]) => [`${before}${first}${after}`, ...rest].join(' '))
  const welcome = fc.constantFrom(
    'float',
    '--ping 10',
    '"cipher" \'AES-256-GCM\'',
    'redirect-gateway "def1"\tipv6 # up /x',
    '\\ tls-version-min 1.2',
    'setenv opt up /x',
    '; up /x',
    'proto tcp',
    'remote "b.example" 443',
    'verify-x509-name "C=DE, CN=\\"ü\\"" subject',
    'comp-lzo no',
    '<connection>\nremote c.example 443 tcp\nfragment 0\n</connection>',
  )
  const anyLine = fc.oneof(
    { weight: 12, arbitrary: welcome },
    { weight: 4, arbitrary: line },
    { weight: 1, arbitrary: anyText({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.constantFrom('<ca>', '</ca>', '  </ca>junk', ...ca.split('\n').slice(0, 3)) },
  )

  it('writes only allowed directives, and rejects everything else with a CausewayError', () => {
    let built = 0
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 5 }),
        fc.constantFrom('full' as const, 'handshake-only' as const),
        (lines, mode) => {
          const text = build(lines, mode)
          if (text !== undefined) {
            built += 1
            const own = mode === 'full' ? [] : ['dev null', 'ifconfig-noexec', 'route-noexec']
            expect(unexpectedLines(text).filter((each) => !own.includes(each))).toEqual([])
          }
        },
      ),
      cases('lines of a configuration of OpenVPN'),
    )
    expect(built).toBeGreaterThan(100)
  })

  it('writes a kept directive with equivalent arguments, or not at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(table.keep)),
        fc.array(word, { maxLength: 4 }),
        (directive, rest) => {
          expect(unexpectedLines(build([[directive, ...rest].join(' ')]) ?? '')).toEqual([])
        },
      ),
      cases('arguments of each directive'),
    )
  })
})
