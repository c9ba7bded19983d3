import type { TunnelDetails } from '../../../contract/connection'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { execa } from 'execa'
import { beforeAll, describe, expect, inject, it, type TestContext, vi } from 'vitest'

import { createTestAuthority, type IssuedKeyPair, type TestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import {
  closedPort,
  type LoopbackServer,
  type LoopbackServerOptions,
  newStaticKey,
  startLoopbackServer,
} from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import type { OpenVpnConfiguration } from './configuration'
import type { Tunnel, TunnelEvent } from '../tunnel'

let authority: TestAuthority
let stranger: TestAuthority
let serverKeyPair: IssuedKeyPair
let clientKeyPair: IssuedKeyPair
let rejectedKeyPair: IssuedKeyPair
const tlsCrypt = newStaticKey()

beforeAll(() => {
  authority = createTestAuthority('VPN authority')
  stranger = createTestAuthority('Another authority')
  serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
  clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  rejectedKeyPair = stranger.issue({ commonName: 'client', usage: 'clientAuth' })
})

async function startServer(
  test: TestContext,
  options: Pick<LoopbackServerOptions, 'protocol'> & Partial<LoopbackServerOptions>,
): Promise<LoopbackServer> {
  const server = await startLoopbackServer({
    ca: authority.certificate,
    keyPair: serverKeyPair,
    tlsCrypt,
    ...options,
  })
  test.onTestFinished(() => server.stop())
  return server
}

interface Run {
  readonly tunnel: Tunnel
  readonly events: TunnelEvent[]
  readonly connected: Promise<TunnelDetails>
}

interface Attempt {
  readonly keyPair?: IssuedKeyPair
  readonly ca?: string
  readonly tlsCrypt?: string
}

function configurationFor(remotes: readonly string[], attempt: Attempt = {}): OpenVpnConfiguration {
  const profile = portalProfile({
    ca: attempt.ca ?? authority.certificate,
    tlsCrypt: attempt.tlsCrypt ?? tlsCrypt,
    remotes,
  })
  return buildConfiguration(profile, attempt.keyPair ?? clientKeyPair, {
    platform: 'linux',
    mode: 'handshake-only',
  })
}

function connect(
  test: TestContext,
  {
    remotes,
    binary,
    ...attempt
  }: Attempt & { readonly remotes: readonly string[]; readonly binary?: string },
): Promise<Run> {
  return run(test, configurationFor(remotes, attempt), binary)
}

async function run(test: TestContext, configuration: OpenVpnConfiguration, binary?: string): Promise<Run> {
  const events: TunnelEvent[] = []
  const { promise: connected, resolve } = withResolver<TunnelDetails>()
  const tunnel = await createStartTunnel({ binary })({
    configuration,
    mode: 'handshake-only',
    onEvent: (event) => {
      events.push(event)
      if (event.event === 'connected') {
        resolve(event.details)
      }
    },
  })
  test.onTestFinished(() => tunnel.stop())
  return { tunnel, events, connected }
}

function withResolver<T>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function failureOf({ tunnel }: Run) {
  const end = await tunnel.ended
  return end.end === 'failed' ? { code: end.error.code, details: end.error.details } : end
}

describe.concurrent('a handshake with a real server', () => {
  it.for(['udp', 'tcp'] as const)(
    'connects over %s, and reports the negotiated parameters',
    async (protocol, test) => {
      const { port } = await startServer(test, { protocol })
      const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} ${protocol}`] })

      expect(await attempt.connected).toEqual({
        addresses: { ipv4: '10.88.0.10', ipv6: 'fd88::1000' },
        remote: { address: '127.0.0.1', port, protocol },
        cipher: 'AES-256-GCM',
      })
      const remote = { host: '127.0.0.1', address: '127.0.0.1', port, protocol }
      expect(attempt.events.filter(({ event }) => event !== 'log')).toEqual([
        { event: 'phase', phase: 'starting' },
        { event: 'phase', phase: 'contacting', remote },
        { event: 'phase', phase: 'verifying', remote },
        { event: 'phase', phase: 'authenticating', remote },
        { event: 'phase', phase: 'configuring', remote },
        expect.objectContaining({ event: 'connected' }),
      ])

      const before = performance.now()
      await attempt.tunnel.stop()
      // After 5 s it would be killed.
      expect(performance.now() - before).toBeLessThan(4500)
      expect(await attempt.tunnel.ended).toEqual({ end: 'stopped' })
    },
  )

  it('keeps keys out of the log', async (test) => {
    const { port } = await startServer(test, { protocol: 'tcp', extra: ['push "auth-token SECRETTOKEN"'] })
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`] })
    await attempt.connected

    const log = attempt.events.flatMap((event) => (event.event === 'log' ? [event.line] : [])).join('\n')
    expect(log).toContain('Initialization Sequence Completed')
    expect(log).not.toMatch(/SECRETTOKEN|PRIVATE KEY|CERTIFICATE/)
    expect(log).not.toContain(clientKeyPair.privateKey.split('\n')[1])
    expect(log).not.toContain(tlsCrypt.split('\n')[5])
  })

  const push = (option: string) => `push "${option.replace(/["\\]/g, '\\$&')}"`

  // Unknown forms would be no less dangerous than known ones: the log is what routes are undone by, and it is stored.
  it.for([
    'verb 0',
    'verb 9',
    '"verb" 0',
    '"verb" 9',
    "'verb' 9",
    "  'verb' 9",
    ' "verb" "9"',
    'mute 1',
    '"mute" 1',
    'errors-to-stderr',
    '\\verb 9',
  ])('ignores a pushed %s: the log is neither silent nor full of keys', async (option, test) => {
    const { port } = await startServer(test, {
      protocol: 'tcp',
      extra: [
        push(option),
        push('auth-token SECRETTOKEN'),
        push("'auth-token' SECRETTOKEN"),
        push('echo SECRETTOKEN'),
      ],
    })
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`] })
    await attempt.connected
    await attempt.tunnel.stop()

    const log = attempt.events.flatMap((event) => (event.event === 'log' ? [event.line] : [])).join('\n')
    expect(log).toContain('Initialization Sequence Completed')
    expect(log).not.toMatch(/SECRETTOKEN|[0-9a-f]{8} [0-9a-f]{8} [0-9a-f]{8}|pre_master/i)
    expect(log.split('\n').length).toBeLessThan(120)
  })

  it.for(['compress stub-v2', 'compress stub', 'compress', 'comp-lzo no'])(
    'accepts %s, which only frames packets',
    async (option, test) => {
      const { port } = await startServer(test, { protocol: 'tcp', extra: [push(option)] })
      const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`] })
      expect(await attempt.connected).toMatchObject({ cipher: 'AES-256-GCM' })
    },
  )

  it('tries the next remote when one does not answer, and when a name is unknown', async (test) => {
    const { port } = await startServer(test, { protocol: 'udp' })
    const attempt = await connect(test, {
      remotes: ['no-such-host.invalid 1194 udp', `127.0.0.1 ${closedPort} tcp`, `127.0.0.1 ${port} udp`],
    })

    expect((await attempt.connected).remote).toEqual({ address: '127.0.0.1', port, protocol: 'udp' })
  })
})

describe.concurrent('the failure of a connection', () => {
  it('is a rejected certificate over TCP, at once', async (test) => {
    const { port } = await startServer(test, { protocol: 'tcp' })
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`], keyPair: rejectedKeyPair })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/certificate-rejected' })
  })

  it('is a rejected certificate over UDP, within 12 s', async (test) => {
    const { port } = await startServer(test, { protocol: 'udp' })
    const before = performance.now()
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} udp`], keyPair: rejectedKeyPair })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/certificate-rejected' })
    expect(performance.now() - before).toBeLessThan(12_000)
  })

  it.for(['udp', 'tcp'] as const)(
    'is an unverified server of another authority over %s',
    async (protocol, test) => {
      const { port } = await startServer(test, { protocol, ca: stranger.certificate })
      const attempt = await connect(test, {
        remotes: [`127.0.0.1 ${port} ${protocol}`],
        ca: stranger.certificate,
        keyPair: rejectedKeyPair,
      })

      expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/server-not-verified' })
    },
  )

  it('is a port that refuses the connection', async (test) => {
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${closedPort} tcp`] })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/unreachable' })
  })

  it('is an unreachable server, not a rejected certificate, for a wrong tls-crypt key', async (test) => {
    const { port } = await startServer(test, { protocol: 'tcp' })
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`], tlsCrypt: newStaticKey() })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/unreachable' })
  })

  it('is an unknown name', async (test) => {
    const attempt = await connect(test, { remotes: ['no-such-host.invalid 1194 udp'] })

    expect(await failureOf(attempt)).toMatchObject({
      code: 'openvpn/name-not-resolved',
      details: { reason: 'no-such-host.invalid' },
    })
  })

  it.for([
    ['compress lz4-v2', 'compress'],
    ['compress  "lz4"', 'compress'],
    ['comp-lzo adaptive', 'comp-lzo'],
    ['comp-lzo', 'comp-lzo'],
  ] as const)('is a server that pushes %s', async ([option, reason], test) => {
    const extra = [`push "${option.replaceAll('"', '\\"')}"`]
    const { port } = await startServer(test, { protocol: 'tcp', extra })
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`] })
    expect(await failureOf(attempt)).toEqual({ code: 'openvpn/option-refused', details: { reason } })
  })

  it('is a configuration that OpenVPN rejects', async (test) => {
    const mismatched = { ...clientKeyPair, privateKey: rejectedKeyPair.privateKey }
    const own = configurationFor(['127.0.0.1 1194 udp'], { keyPair: mismatched })
    expect(await failureOf(await run(test, own))).toMatchObject({ code: 'openvpn/configuration-refused' })

    const unknownOption = { ...own, text: own.text.replace('nobind', 'no-such-option') }
    expect(await failureOf(await run(test, unknownOption))).toMatchObject({
      code: 'openvpn/configuration-refused',
    })
  })
})

describe.concurrent('the process', () => {
  /** Creates an OpenVPN that first records its process id. */
  async function wrapper(test: TestContext): Promise<{ binary: string; pid: () => Promise<number> }> {
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
    test.onTestFinished(() => rm(folder, { recursive: true }))
    const binary = path.join(folder, 'openvpn')
    const pidFile = path.join(folder, 'pid')
    await writeFile(binary, `#!/bin/sh\necho $$ > ${pidFile}\nexec openvpn "$@"\n`)
    await chmod(binary, 0o755)
    return { binary, pid: async () => Number(await readFile(pidFile, 'utf8')) }
  }

  it.skipIf(process.platform === 'win32')('is reported when it is killed while connected', async (test) => {
    const { port } = await startServer(test, { protocol: 'tcp' })
    const { binary, pid } = await wrapper(test)
    const attempt = await connect(test, { remotes: [`127.0.0.1 ${port} tcp`], binary })
    await attempt.connected
    process.kill(await pid(), 'SIGKILL')

    expect(await failureOf(attempt)).toEqual({
      code: 'openvpn/stopped-unexpectedly',
      details: { signal: 'SIGKILL' },
    })
  })

  it('can be stopped at any time, even before it handles signals', async (test) => {
    const attempt = await connect(test, { remotes: ['127.0.0.1 9 udp'] })
    const before = performance.now()
    await Promise.all([attempt.tunnel.stop(), attempt.tunnel.stop()])

    // After 5 s it would be killed.
    expect(performance.now() - before).toBeLessThan(4500)
    expect(await attempt.tunnel.ended).toEqual({ end: 'stopped' })
  })

  it.skipIf(process.platform === 'win32')(
    'gets options that turn off scripts of newer versions',
    async (test) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
      test.onTestFinished(() => rm(folder, { recursive: true }))
      const binary = path.join(folder, 'openvpn')
      await writeFile(
        binary,
        `#!/bin/sh\n[ "$1" != --version ] || { echo 'OpenVPN 2.7.6'; exit; }\nprintf '%s\\n' "$@" >${folder}/words\n`,
      )
      await chmod(binary, 0o755)
      const { tunnel } = await connect(test, { remotes: ['127.0.0.1 9 udp'], binary })
      await tunnel.ended
      const words = await readFile(path.join(folder, 'words'), 'utf8')
      const own = ['--config', 'stdin', '--script-security', '1', '--ignore-unknown-option', 'dns-updown']
      expect(words.split('\n').slice(0, 8)).toEqual([...own, '--dns-updown', 'disable'])
      expect(words).toMatch(/--pull-filter\nignore\n\n$/)
    },
  )

  it('reports a missing program', async (test) => {
    await expect(
      connect(test, { remotes: ['127.0.0.1 9 udp'], binary: '/no/such/openvpn' }),
    ).rejects.toMatchObject({ code: 'openvpn/not-found' })
  })

  it('is not started for a tunnel without permission', async (test) => {
    const { binary, pid } = await wrapper(test)
    const startTunnel = createStartTunnel({ binary, mayConfigureNetwork: () => Promise.resolve(false) })
    const configuration = configurationFor(['127.0.0.1 9 udp'])

    await expect(
      startTunnel({ configuration, mode: 'full', onEvent: () => undefined }),
    ).rejects.toMatchObject({ code: 'helper/not-installed' })
    await expect(pid(), 'it was never started').rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.runIf(process.platform === 'linux')('ends when Causeway is killed', async (test) => {
    const { binary, pid } = await wrapper(test)
    const parent = execa(process.execPath, [inject('programs').processes.startTunnel, binary], {
      // Two, because a single one that refuses the connection ends the attempt at once.
      input: JSON.stringify(configurationFor(['127.0.0.1 9 udp', '127.0.0.1 13 udp'])),
      reject: false,
      timeout: 60_000,
    })
    await once(parent.stdout, 'data')
    const openVpn = await pid()
    expect(await isRunning(openVpn)).toBe(true)
    parent.kill('SIGKILL')

    await vi.waitUntil(async () => !(await isRunning(openVpn)), { interval: 10 })
    expect((await parent).signal).toBe('SIGKILL')
  })
})

it('does not connect without the kill switch that is on, although it may configure the network itself', async () => {
  const start = createStartTunnel({
    binary: '/no/such/openvpn',
    mayConfigureNetwork: () => Promise.resolve(true),
    findPrivileged: () => Promise.resolve(undefined),
    killSwitch: () => Promise.resolve(true),
  })
  const options = { configuration: configurationFor(['192.0.2.1 1194 udp']), onEvent: () => undefined }
  await expect(start({ ...options, mode: 'full' })).rejects.toMatchObject({
    code: 'helper/needed-for-kill-switch',
  })
  // Its handshake alone opens nothing.
  await expect(start({ ...options, mode: 'handshake-only' })).rejects.toMatchObject({
    code: 'openvpn/not-found',
  })
})

/** Returns true if a process runs; a zombie does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    return !/^State:\s+[ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
