import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { CausewayError } from '../../errors'
import table from '../../../helper/allowed-directives.json' with { type: 'json' }
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import { isOpenVpn25 } from '../../privilege/openvpn-version.testing'
import { buildConfiguration } from './configuration'
import { inline, newStaticKey } from './loopback-server.testing'
import { startPlainOpenVpn } from './plain-openvpn.testing'
import { TwoComputers } from './two-computers.testing'

/** `silent`: connected, but no packet comes back. */
type Outcome = 'passes' | 'silent' | 'refused'

interface Row {
  /** The lines of the profile. */
  readonly profile: readonly string[]
  /** The server's own lines; by default those of the profile. */
  readonly server?: readonly string[]
  /** The outcome with OpenVPN alone, since 2.6. */
  readonly plain: Outcome
  /** The outcome with Causeway; the directive, if it refuses the profile. */
  readonly ours: Outcome | { readonly refuses: string }
}

const tlsAuth = inline('tls-auth', newStaticKey())
const same = (plain: Outcome, ...profile: string[]): Row => ({ profile, plain, ours: plain })
const compressing = (...profile: string[]): Row => ({
  profile,
  plain: 'passes',
  ours: { refuses: profile[0]?.split(' ')[0] ?? '' },
})

/** Directives that both ends share, as neither of them is pushed. */
const shared: readonly Row[] = [
  same('passes', 'compress'),
  same('passes', 'compress stub'),
  same('passes', 'compress stub-v2'),
  same('passes', 'comp-lzo no'),
  {
    profile: ['"compress" "stub" # no compression'],
    server: ['compress stub'],
    plain: 'passes',
    ours: 'passes',
  },
  { profile: ['setenv opt comp-lzo no'], server: ['comp-lzo no'], plain: 'passes', ours: 'passes' },
  ...(isOpenVpn25 ? [] : [{ ...same('passes', 'compress migrate'), server: [] }]),
  { profile: ['allow-compression no', 'compress'], server: ['compress'], plain: 'passes', ours: 'passes' },
  // What OpenVPN itself doesn't carry, Causeway doesn't either.
  { profile: ['compress'], server: ['comp-lzo no'], plain: 'silent', ours: 'silent' },
  compressing('compress lzo'),
  compressing('compress lz4'),
  compressing('compress lz4-v2'),
  compressing('comp-lzo'),
  compressing('comp-lzo yes'),
  compressing('comp-lzo adaptive', 'comp-noadapt'),
  { profile: ['allow-compression yes'], server: [], plain: 'passes', ours: { refuses: 'allow-compression' } },
  {
    profile: ['allow-compression asym'],
    server: [],
    plain: 'passes',
    ours: { refuses: 'allow-compression' },
  },
  same('passes', 'fragment 1200'),
  {
    profile: ['<connection>', 'remote 192.168.77.1 1194 udp', 'fragment 1200', '</connection>'],
    server: ['fragment 1200'],
    plain: 'passes',
    ours: 'passes',
  },
  same('passes', 'tun-mtu 1400', 'mssfix 1300'),
  same('passes', 'cipher AES-128-CBC', 'data-ciphers AES-128-CBC', 'auth SHA512'),
  {
    profile: ['cipher AES-256-CBC', 'ncp-disable'],
    server: ['data-ciphers AES-256-CBC'],
    plain: 'refused',
    ours: 'passes',
  },
  { profile: ['cipher AES-256-GCM', 'keysize 256'], server: [], plain: 'refused', ours: 'passes' },
  {
    profile: ['cipher AES-256-GCM', 'keysize 128'],
    server: [],
    plain: 'refused',
    ours: { refuses: 'keysize' },
  },
  { profile: ['ncp-disable'], server: [], plain: 'refused', ours: { refuses: 'ncp-disable' } },
  {
    profile: ['tls-auth [inline] 1', tlsAuth],
    server: ['key-direction 0', tlsAuth],
    plain: 'passes',
    ours: 'passes',
  },
  {
    profile: ['secret /x', 'ifconfig 10.1.0.1 10.1.0.2'],
    server: [],
    plain: 'refused',
    ours: { refuses: 'secret' },
  },
]

/** A line of each directive that Causeway leaves out or replaces, and that OpenVPN has here: none of them changes a packet. */
const leftOut = [
  ...[
    'verb 4',
    'mute 20',
    'mute-replay-warnings',
    'disable-dco',
    'route-delay 1',
    'max-routes 100',
    'auth-nocache',
  ],
  ...[
    'auth-retry nointeract',
    'comp-noadapt',
    'disable-occ',
    'fast-io',
    'ping-timer-rem',
    'prng none',
    'tun-ipv6',
  ],
  ...[
    'tun-mtu-extra 32',
    'preresolve',
    'persist-local-ip',
    'persist-remote-ip',
    'txqueuelen 1000',
    'nice 1',

    'user root',
    'group root',
    'setenv FORWARD_COMPATIBLE 1',
    'setenv CLIENT_CERT 0',
  ],
  ...[
    'ignore-unknown-option block-outside-dns other',
    'other thing',
    'nobind',
    'persist-tun',
    'socket-flags TCP_NODELAY',
  ],
  ...[
    'hand-window 30',
    'connect-timeout 20',
    'connect-retry 1 5',
    'connect-retry-max 2',
    'resolv-retry infinite',
  ],
]
/** On other systems only, or by an older OpenVPN only. */
const elsewhere = [
  // Over TCP only, and with a right that a container lacks.
  ...['tcp-nodelay', 'mlock'],
  ...[
    'register-dns',
    'ip-win32',
    'dhcp-renew',
    'dhcp-release',
    'dhcp-pre-release',
    'tap-sleep',
    'show-net-up',
  ],
  ...['windows-driver', 'route-method'],
]
/** `tun-mtu-max`: not together with the `tun-mtu` of the server that this test starts. */
const untried = ['tun-mtu-max']

/** Needs root, for two private network namespaces. */
describe.runIf(await mayMakeNamespaces())('what goes over the wire', () => {
  let computers: TwoComputers

  beforeAll(async () => {
    computers = await TwoComputers.make('causeway-wire')
  })
  afterAll(() => computers.remove())

  async function outcomeOf(configuration: string): Promise<Outcome> {
    const completed = /^Initialization Sequence Completed/
    const openVpn = await startPlainOpenVpn(configuration, completed, computers.onClient)
    try {
      if (!openVpn.reached) return 'refused'
      return (await computers.pings()) ? 'passes' : 'silent'
    } finally {
      await openVpn.stop()
    }
  }

  async function compare({ profile, server: own = profile, plain, ours }: Row): Promise<void> {
    const text = [
      ...['client', 'dev tun', 'nobind', 'remote-cert-tls server', 'remote 192.168.77.1 1194 udp'],
      ...profile,
      inline('ca', computers.authority.certificate),
      inline('cert', computers.keyPair.certificate),
      inline('key', computers.keyPair.privateKey),
    ].join('\n')
    const stop = await computers.startServer(own)
    try {
      if (!isOpenVpn25) expect(await outcomeOf(text)).toBe(plain)
      const built = buildOrRefuse(text)
      expect(typeof built === 'string' ? await outcomeOf(built) : built).toEqual(ours)
    } finally {
      await stop()
    }
  }

  function buildOrRefuse(text: string): string | { refuses: unknown } {
    try {
      return buildConfiguration(text, computers.keyPair, { platform: 'linux', mode: 'full' }).text
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error
      expect(error.details?.line, error.message).toEqual(expect.any(Number))
      return { refuses: error.details?.directive }
    }
  }

  it.each(shared.map((row) => [row.profile.join(' | ').slice(0, 60), row] as const))('%s', (_, row) =>
    compare(row),
  )

  it('stays the same without what is left out or replaced', async () => {
    await compare({ profile: leftOut, server: [], plain: 'passes', ours: 'passes' })
  })

  it('nothing else is left out', () => {
    const tried = new Set([...leftOut, ...elsewhere, ...untried].map((line) => line.split(' ')[0]))
    expect(table.drop.filter((name) => !tried.has(name))).toEqual([])
  })
})
