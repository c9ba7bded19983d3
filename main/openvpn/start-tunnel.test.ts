import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { createTestAuthority, type IssuedKeyPair, type TestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import {
  freePort,
  type LoopbackServer,
  type LoopbackServerOptions,
  newStaticKey,
  startLoopbackServer,
} from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-tunnel'
import type { Tunnel, TunnelDetails, TunnelEvent } from './tunnel'

let authority: TestAuthority
let stranger: TestAuthority
let serverKeyPair: IssuedKeyPair
let clientKeyPair: IssuedKeyPair
let rejectedKeyPair: IssuedKeyPair
const tlsCrypt = newStaticKey()

const running: { stop(): Promise<void> }[] = []

beforeAll(() => {
  authority = createTestAuthority('VPN authority')
  stranger = createTestAuthority('Another authority')
  serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
  clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  rejectedKeyPair = stranger.issue({ commonName: 'client', usage: 'clientAuth' })
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})

async function startServer(
  options: Pick<LoopbackServerOptions, 'protocol'> & Partial<LoopbackServerOptions>,
): Promise<LoopbackServer> {
  const server = await startLoopbackServer({
    ca: authority.certificate,
    keyPair: serverKeyPair,
    tlsCrypt,
    ...options,
  })
  running.push(server)
  return server
}

interface Run {
  readonly tunnel: Tunnel
  readonly events: TunnelEvent[]
  readonly connected: Promise<TunnelDetails>
}

async function connect(options: {
  readonly remotes: readonly string[]
  readonly keyPair?: IssuedKeyPair
  readonly ca?: string
  readonly tlsCrypt?: string
  readonly binary?: string
}): Promise<Run> {
  const configuration = buildConfiguration(
    portalProfile({
      ca: options.ca ?? authority.certificate,
      tlsCrypt: options.tlsCrypt ?? tlsCrypt,
      remotes: options.remotes,
    }),
    options.keyPair ?? clientKeyPair,
    { platform: 'linux', mode: 'handshake-only' },
  )
  return run(configuration, options.binary)
}

async function run(configuration: ReturnType<typeof buildConfiguration>, binary?: string): Promise<Run> {
  const events: TunnelEvent[] = []
  const { promise: connected, resolve } = withResolver<TunnelDetails>()
  const tunnel = await createStartTunnel(binary === undefined ? {} : { binary })({
    configuration,
    mode: 'handshake-only',
    onEvent: (event) => {
      events.push(event)
      if (event.event === 'connected') {
        resolve(event.details)
      }
    },
  })
  running.push(tunnel)
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

describe('a handshake with a real server', () => {
  it.each(['udp', 'tcp'] as const)('connects over %s, and says what was agreed', async (protocol) => {
    const { port } = await startServer({ protocol })
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} ${protocol}`] })

    expect(await attempt.connected).toEqual({
      addresses: { ipv4: '10.88.0.10', ipv6: 'fd88::1000' },
      remote: { address: '127.0.0.1', port, protocol },
      cipher: 'AES-256-GCM',
    })
    const remote = { host: '127.0.0.1', address: '127.0.0.1', port, protocol }
    expect(attempt.events.filter(({ event }) => event !== 'log')).toEqual([
      { event: 'phase', phase: 'starting' },
      { event: 'phase', phase: 'contacting', remote },
      { event: 'phase', phase: 'tls', remote },
      { event: 'phase', phase: 'authenticating', remote },
      { event: 'phase', phase: 'configuring', remote },
      expect.objectContaining({ event: 'connected' }),
    ])

    const before = performance.now()
    await attempt.tunnel.stop()
    expect(performance.now() - before).toBeLessThan(1000)
    expect(await attempt.tunnel.ended).toEqual({ end: 'stopped' })
  })

  it('keeps every key out of the log', async () => {
    const { port } = await startServer({ protocol: 'tcp', extra: ['push "auth-token SECRETTOKEN"'] })
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} tcp`] })
    await attempt.connected

    const log = attempt.events.flatMap((event) => (event.event === 'log' ? [event.line] : [])).join('\n')
    expect(log).toContain('Initialization Sequence Completed')
    expect(log).not.toMatch(/SECRETTOKEN|PRIVATE KEY|CERTIFICATE/)
    expect(log).not.toContain(clientKeyPair.privateKey.split('\n')[1])
    expect(log).not.toContain(tlsCrypt.split('\n')[5])
  })

  it('goes on to the next remote when one does not answer, and when a name is not known', async () => {
    const { port } = await startServer({ protocol: 'udp' })
    const refused = await freePort('tcp')
    const attempt = await connect({
      remotes: ['no-such-host.invalid 1194 udp', `127.0.0.1 ${refused} tcp`, `127.0.0.1 ${port} udp`],
    })

    expect((await attempt.connected).remote).toEqual({ address: '127.0.0.1', port, protocol: 'udp' })
  })

  it('shows a server that stays silent to a push request no success', async () => {
    const { port } = await startServer({ protocol: 'tcp' })
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} tcp`] })
    await attempt.tunnel.stop()
    expect(attempt.events.some(({ event }) => event === 'connected')).toBe(false)
    expect(await attempt.tunnel.ended).toEqual({ end: 'stopped' })
  })
})

describe('why a connection failed', () => {
  it('tells a rejected certificate over TCP at once', async () => {
    const { port } = await startServer({ protocol: 'tcp' })
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} tcp`], keyPair: rejectedKeyPair })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/certificate-rejected' })
  })

  it('tells a rejected certificate over UDP within 12 s', { timeout: 15_000 }, async () => {
    const { port } = await startServer({ protocol: 'udp' })
    const before = performance.now()
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} udp`], keyPair: rejectedKeyPair })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/certificate-rejected' })
    expect(performance.now() - before).toBeLessThan(12_000)
  })

  it.each(['udp', 'tcp'] as const)('tells a server of another authority over %s', async (protocol) => {
    const { port } = await startServer({ protocol, ca: stranger.certificate })
    const attempt = await connect({
      remotes: [`127.0.0.1 ${port} ${protocol}`],
      ca: stranger.certificate,
      keyPair: rejectedKeyPair,
    })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/server-not-verified' })
  })

  it('tells a port where nobody listens', async () => {
    const attempt = await connect({ remotes: [`127.0.0.1 ${await freePort('tcp')} tcp`] })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/unreachable' })
  })

  it('takes a wrong tls-crypt key for an unreachable server, not for a rejected certificate', async () => {
    const { port } = await startServer({ protocol: 'tcp' })
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} tcp`], tlsCrypt: newStaticKey() })

    expect(await failureOf(attempt)).toMatchObject({ code: 'openvpn/unreachable' })
  })

  it('tells a name that nobody knows', async () => {
    const attempt = await connect({ remotes: ['no-such-host.invalid 1194 udp'] })

    expect(await failureOf(attempt)).toMatchObject({
      code: 'openvpn/name-not-resolved',
      details: { reason: 'no-such-host.invalid' },
    })
  })

  it('tells a configuration that OpenVPN does not take', async () => {
    const own = buildConfiguration(
      portalProfile({ ca: authority.certificate, remotes: ['127.0.0.1 1194 udp'] }),
      { certificate: clientKeyPair.certificate, privateKey: rejectedKeyPair.privateKey },
      { platform: 'linux', mode: 'handshake-only' },
    )
    expect(await failureOf(await run(own))).toMatchObject({ code: 'openvpn/configuration-refused' })

    const unknownOption = { ...own, text: own.text.replace('nobind', 'no-such-option') }
    expect(await failureOf(await run(unknownOption))).toMatchObject({
      code: 'openvpn/configuration-refused',
    })
  })
})

describe('the process', () => {
  it('is reported when it is killed while connected', async () => {
    const { port } = await startServer({ protocol: 'tcp' })
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-'))
    const binary = path.join(folder, 'openvpn')
    const pidFile = path.join(folder, 'pid')
    await writeFile(binary, `#!/bin/sh\necho $$ > ${pidFile}\nexec openvpn "$@"\n`)
    await chmod(binary, 0o755)
    const attempt = await connect({ remotes: [`127.0.0.1 ${port} tcp`], binary })
    await attempt.connected
    const { readFile } = await import('node:fs/promises')
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')

    expect(await failureOf(attempt)).toEqual({
      code: 'openvpn/stopped-unexpectedly',
      details: { signal: 'SIGKILL' },
    })
    await rm(folder, { recursive: true })
  })

  it('can be stopped at any moment, also before it listens to signals', async () => {
    const attempt = await connect({ remotes: ['127.0.0.1 9 udp'] })
    const before = performance.now()
    await Promise.all([attempt.tunnel.stop(), attempt.tunnel.stop()])

    expect(performance.now() - before).toBeLessThan(1000)
    expect(await attempt.tunnel.ended).toEqual({ end: 'stopped' })
  })

  it('is not found where there is none', async () => {
    await expect(connect({ remotes: ['127.0.0.1 9 udp'], binary: '/no/such/openvpn' })).rejects.toMatchObject(
      {
        code: 'openvpn/not-found',
      },
    )
  })
})
