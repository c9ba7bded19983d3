import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { ErrorReport } from '../../../contract/error-codes'
import { openVpnLine } from '../../../contract/error-text'
import { englishTexts } from '../../../contract/locales/texts'
import { toErrorReport } from '../../errors'
import { installTestHelper, mayMakeNamespaces } from '../../privilege/helper.testing'
import type { IssuedKeyPair } from './certificates.testing'
import { buildConfiguration, type OpenVpnConfiguration } from './configuration'
import { findOpenVpn } from './find-openvpn'
import { logFailure, logFailures } from './log-failures'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import { TwoComputers } from './two-computers.testing'

describe('the table of reasons', () => {
  it('has no line that an earlier one covers', () => {
    for (const [line, kind, variant] of logFailures) {
      expect(logFailure(line.replaceAll('…', 'x')), line).toEqual(
        variant === undefined ? { kind } : { kind, variant },
      )
    }
  })

  it('has a sentence and what helps for each', () => {
    for (const [line, kind, variant] of logFailures) {
      const text: { readonly variants?: object } = englishTexts.errors[`openvpn/${kind}`]
      if (variant !== undefined) expect(text.variants, line).toHaveProperty(variant)
    }
  })

  it('is in the documentation', async () => {
    const text = await readFile(path.join(import.meta.dirname, '../../../docs/faults.md'), 'utf8')
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, 3)
          .map((cell) => cell.trim()),
      )
    const documented = new Set(rows.map((cells) => cells.join(' ')))
    const missing = logFailures
      .map(
        ([line, kind, variant]) =>
          `\`${line}\` \`openvpn/${kind}\`${variant === undefined ? '' : `, ${variant}`}`,
      )
      .filter((row) => !documented.has(row))
    expect(missing).toEqual([])
  })
})

/** Needs root, for two private network namespaces. */
describe.runIf(await mayMakeNamespaces())('the reason why a tunnel fails', () => {
  let computers: TwoComputers
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    computers = await TwoComputers.make('causeway-log')
  })
  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
  })
  afterAll(() => computers.remove())

  async function serve(lines: readonly string[], keyPair?: IssuedKeyPair): Promise<void> {
    running.push(await computers.startServer(lines, keyPair))
  }

  /** Connects from the client, and returns the error and the notices. */
  async function connect({
    extra = [],
    keyPair = computers.keyPair,
    ca = computers.authority.certificate,
    before = '',
    change = (text) => text,
  }: {
    readonly extra?: readonly string[]
    readonly keyPair?: IssuedKeyPair
    readonly ca?: string
    readonly before?: string
    readonly change?: (text: string) => string
  } = {}): Promise<{ error?: ErrorReport; notices: readonly ErrorReport[] }> {
    const profile = portalProfile({ ca, remotes: ['192.168.77.1 1194 udp'], extra })
    const built = buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
    const configuration: OpenVpnConfiguration = { ...built, text: change(built.text) }
    const notices: ErrorReport[] = []
    let onConnected: () => void = () => undefined
    const connected = new Promise<undefined>((resolve) => {
      onConnected = () => {
        resolve(undefined)
      }
    })
    const tunnel = await createStartTunnel({
      binary: await computers.openVpn(before),
      onNotice: (notice) => notices.push(notice),
    })({
      configuration,
      mode: 'full',
      onEvent: (event) => {
        if (event.event === 'connected') onConnected()
      },
    })
    running.push(() => tunnel.stop())
    const end = await Promise.race([connected, tunnel.ended])
    return end?.end === 'failed' ? { error: toErrorReport(end.error), notices } : { notices }
  }

  it('is no shared cipher, said by the server', async () => {
    await serve(['data-ciphers AES-128-CBC'])
    const { error } = await connect()
    expect(error).toMatchObject({ code: 'openvpn/no-shared-cipher' })
    expect(error && openVpnLine(error)).toContain('Data channel cipher negotiation failed')
  })

  it('is no shared cipher, found by the client', async () => {
    // The server picks what an older client supports.
    await serve(['data-ciphers AES-256-GCM:AES-128-CBC', 'data-ciphers-fallback AES-128-CBC'])
    const { error } = await connect({
      change: (text) => text.replace(/^(ncp-ciphers|cipher) .*\n/gm, '$1 AES-256-CBC\n'),
    })
    expect(error).toMatchObject({ code: 'openvpn/no-shared-cipher' })
  })

  it('is a cipher that OpenVPN does not have', async () => {
    const { error } = await connect({ extra: ['data-ciphers AES-256-GCM:NO-SUCH-CIPHER'] })
    expect(error).toMatchObject({ code: 'openvpn/no-shared-cipher', variant: 'unsupported' })
  })

  it("is the server's certificate, signed with SHA-1", async () => {
    const weak = computers.authority.issue({ commonName: 'weak', usage: 'serverAuth', digest: 'sha1' })
    await serve(['tls-cert-profile insecure'], weak)
    const { error } = await connect()
    expect(error).toMatchObject({ code: 'openvpn/weak-certificate' })
    expect(error?.variant).toBeUndefined()
  })

  it("is the user's certificate, signed with SHA-1", async () => {
    const keyPair = computers.authority.issue({ commonName: 'weak', usage: 'clientAuth', digest: 'sha1' })
    // Since 2.7, OpenVPN leaves the refusal to the server.
    const isRefusedHere = /^2\.[56]\./.test((await findOpenVpn()).version)
    if (!isRefusedHere) await serve([])
    const { error } = await connect({ keyPair })
    expect(error).toMatchObject(
      isRefusedHere
        ? { code: 'openvpn/weak-certificate', variant: 'own' }
        : { code: 'openvpn/certificate-rejected' },
    )
  })

  it('is a key that belongs to another certificate', async () => {
    const { privateKey } = computers.authority.issue({ commonName: 'other', usage: 'clientAuth' })
    const { error } = await connect({ keyPair: { ...computers.keyPair, privateKey } })
    expect(error).toMatchObject({ code: 'openvpn/configuration-refused', variant: 'key-pair' })
  })

  it('is an option that this OpenVPN does not know', async () => {
    const { error } = await connect({ change: (text) => text.replace('nobind', 'no-such-option') })
    expect(error).toMatchObject({ code: 'openvpn/configuration-refused', variant: 'unknown-option' })
    expect(error && openVpnLine(error)).toMatch(/^Options error: Unrecognized option .* no-such-option/)
  })

  it('is IPv6, which the kernel has turned off', async () => {
    await serve(['push "ifconfig-ipv6 fd88::1000/64 fd88::1"'])
    const [program, ...words] = computers.onClient
    const set = (value: number) =>
      execa(program, [...words, 'sysctl', '-qw', `net.ipv6.conf.default.disable_ipv6=${value}`])
    await set(1)
    try {
      expect((await connect()).error).toMatchObject({ code: 'openvpn/device-unavailable', variant: 'ipv6' })
    } finally {
      await set(0)
    }
  })

  it('is a kernel without TUN', async () => {
    await serve([])
    const before = `unshare -m sh -c 'mount -t tmpfs none /dev/net && exec "$@"' sh`
    const { error } = await connect({ before })
    expect(error).toMatchObject({ code: 'openvpn/device-unavailable' })
    expect(error?.variant).toBeUndefined()
    expect(error && openVpnLine(error)).toContain('/dev/net/tun')
  })

  it('is a right that the system keeps', async () => {
    await serve([])
    const { error } = await connect({ before: 'setpriv --bounding-set -net_admin' })
    expect(error).toMatchObject({ code: 'openvpn/not-permitted', variant: 'system' })
  })

  it('is a right that the system keeps from the helper', async () => {
    const within = 'env SUDO_UID=65534 setpriv --bounding-set -net_admin'
    const installed = await installTestHelper('', within)
    running.push(() => installed.remove())
    const profile = portalProfile({ ca: computers.authority.certificate, remotes: ['192.168.77.1'] })
    const tunnel = await createStartTunnel({
      privilege: {
        findHelper: () => Promise.resolve({ helper: installed.helper, elevation: 'root' }),
        wantsKillSwitch: () => Promise.resolve(false),
      },
    })({
      configuration: buildConfiguration(profile, computers.keyPair, { platform: 'linux', mode: 'full' }),
      mode: 'full',
      onEvent: () => undefined,
    })
    expect(await tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/not-permitted', variant: 'system' },
    })
  })

  it('is a fatal line that is not in the table, as it is', async () => {
    const { error } = await connect({ change: (text) => `user no-such-user\n${text}` })
    expect(error).toMatchObject({ code: 'openvpn/stopped-unexpectedly', details: { exitCode: 1 } })
    expect(error && openVpnLine(error)).toBe('failed to find UID for user no-such-user')
  })

  it('is not a pushed option that OpenVPN leaves out, but a route among them is said', async () => {
    await serve([
      'push "route-ipv6 2001:db8:2::/48 net_gateway_ipv6"',
      'push "ifconfig-ipv6 fd88::1000/64 fd88::1"',
      'push "no-such-option"',
    ])
    const { error, notices } = await connect()
    expect(error).toBeUndefined()
    expect(notices).toEqual([expect.objectContaining({ code: 'openvpn/route-not-set' })])
    expect(notices[0] && openVpnLine(notices[0])).toContain('net_gateway_ipv6')
  })
})
