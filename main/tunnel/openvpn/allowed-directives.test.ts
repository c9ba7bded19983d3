import { describe, expect, it, vi } from 'vitest'

import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import { isOpenVpn25 } from '../../privilege/openvpn-version.testing'
import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'

/** A directive of each kept name, with its maximum number of arguments. */
const examples = [
  'remote-random',
  'float',
  'persist-key',
  'block-ipv6',
  'verify-x509-name vpn.example.org name',
  'tls-version-min 1.2 or-highest',
  'tls-version-max 1.3',
  'tls-cipher TLS-ECDHE-ECDSA-WITH-AES-256-GCM-SHA384:TLS-ECDHE-RSA-WITH-AES-256-GCM-SHA384',
  'tls-ciphersuites TLS_AES_256_GCM_SHA384',
  'tls-groups X25519:P-256',
  'ecdh-curve secp256r1',
  'tls-cert-profile preferred',
  'cipher AES-256-GCM',
  'data-ciphers AES-256-GCM:?CHACHA20-POLY1305',
  'ncp-ciphers AES-256-GCM:AES-128-GCM',
  'data-ciphers-fallback AES-256-CBC',
  'auth SHA512',
  'key-direction 1',
  'reneg-sec 3600 60',
  'reneg-bytes 0',
  'reneg-pkts 0',
  'tran-window 3600',
  'tls-timeout 2',
  'replay-window 64 15',
  'keepalive 10 60',
  'ping 10',
  'ping-restart 60',
  'explicit-exit-notify 1',
  'push-peer-info',
  'passtos',
  'setenv UV_A "b c"',
  'allow-compression no',
  'compress stub-v2',
  'comp-lzo no',
  'tun-mtu 1400',
  'link-mtu 1500',
  'mssfix 1300 mtu',
  'mtu-disc yes',
  'sndbuf 65536',
  'rcvbuf 65536',
  'topology subnet',
  'route 10.9.0.0 255.255.255.0 vpn_gateway 5',
  'route-ipv6 fd99::/64 fd88::1 5',
  'route-gateway 10.88.0.1',
  'route-metric 7',
  'redirect-gateway def1 bypass-dhcp ipv6',
  'dhcp-option DNS 10.0.0.1',
  'dhcp-option DOMAIN-SEARCH example.org',
  'dns server 1 address 10.0.0.1 fd88::1',
  'dns search-domains example.org',
  'fragment 1200',
]
/** What Ubuntu's OpenVPN 2.5 refuses. */
const newer = ['mssfix 1300 mtu', 'mtu-disc yes', ...examples.filter((line) => line.startsWith('dns '))]
const refusedBy25 = { udp: newer, tcp: [...newer, 'explicit-exit-notify 1'] }
const nameOf = (line: string) => line.split(' ')[0] ?? ''
const onlyOnLinux = Object.keys(table.keepOnLinux)
const onlyWithUdp = ['fragment']

const authority = createTestAuthority()
const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })

it('has an example for each directive that it keeps', () => {
  const kept = [...Object.keys(table.keep), ...onlyOnLinux]
  expect([...new Set(examples.map(nameOf))].sort()).toEqual(kept.sort())
})

it('contains no directive twice', () => {
  const names = [
    ...[table.keep, table.keepOnLinux, table.keepOnWindows, table.rewrite, table.interpret].flatMap(
      Object.keys,
    ),
    ...table.inline,
    ...table.drop,
  ]
  expect(names).toEqual([...new Set(names)])
})

it('uses only POSIX regular expressions', () => {
  const expressions = [
    table.keep,
    table.keepOnLinux,
    table.keepOnWindows,
    table.rewrite,
    table.interpret,
  ].flatMap((part): string[] => Object.values(part))
  for (const expression of expressions) {
    // Classes, look-around, lazy quantifiers and back references are not POSIX.
    expect(expression).not.toMatch(/\\[^.]|\(\?|[*+?}]\?/)
  }
})

const notHere = process.platform === 'linux' ? [] : onlyOnLinux

// OpenVPN accepts either `keepalive` or its expansion, and either `tun-mtu` or `link-mtu`.
describe.each([
  { protocol: 'udp' as const, without: ['keepalive', 'link-mtu', ...notHere] },
  { protocol: 'tcp' as const, without: ['ping', 'ping-restart', 'tun-mtu', ...onlyWithUdp, ...notHere] },
])('OpenVPN accepts all kept directives over $protocol', ({ protocol, without }) => {
  const refused = isOpenVpn25 ? refusedBy25[protocol] : []
  const extra = examples.filter((line) => !without.includes(nameOf(line)) && !refused.includes(line))

  it.each(['full', 'handshake-only'] as const)('%s', async (mode) => {
    // Two, because a single one that refuses the connection ends the attempt at once.
    const remotes = [`127.0.0.1 9 ${protocol}`, `127.0.0.1 13 ${protocol}`]
    const profile = portalProfile({ ca: authority.certificate, remotes, extra })
    const configuration = buildConfiguration(profile, keyPair, { platform: process.platform, mode })
    const used = extra.filter((line) => mode === 'full' || !['dhcp-option', 'dns'].includes(nameOf(line)))
    for (const line of used) {
      expect(configuration.text).toContain(`\n${line}\n`)
    }

    const phases: string[] = []
    // No server answers, so no device is opened: starting either configuration is safe.
    const tunnel = await createStartTunnel()({
      configuration,
      mode: 'handshake-only',
      onEvent: (event) => {
        if (event.event === 'phase') {
          phases.push(event.phase)
        }
      },
    })
    await vi.waitUntil(() => phases.includes('contacting'), { interval: 10 })
    await tunnel.stop()
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
  })
})
