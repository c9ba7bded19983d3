import { createPrivateKey } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createTestAuthority, type IssuedKeyPair, type TestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { type LoopbackServerOptions, newStaticKey, startLoopbackServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-tunnel'
import type { OpenVpnConfiguration, Tunnel, TunnelEvent } from './tunnel'
import { hostileTexts } from './hostile-configurations.testing'
import { findWindowsLauncher, isServiceThere, withoutKillSwitch } from './windows-service'
import { createWindowsServiceLauncher, type WindowsServiceLauncherOptions } from './windows-service-launcher'
import { startupMessage } from './windows-service-messages'
import {
  errorMessage,
  type Saying,
  type StandInService,
  startMessage,
  startStandInService,
  utf16,
} from './windows-service.testing'

const patient = { timeout: 20_000 }
vi.setConfig({ testTimeout: 40_000 })

let authority: TestAuthority
let serverKeyPair: IssuedKeyPair
let clientKeyPair: IssuedKeyPair
const tlsCrypt = newStaticKey()

beforeAll(() => {
  authority = createTestAuthority('VPN authority')
  serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
  clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
})

async function serve(options: Partial<LoopbackServerOptions> = {}): Promise<OpenVpnConfiguration> {
  const server = await startLoopbackServer({
    protocol: 'tcp',
    ca: authority.certificate,
    keyPair: serverKeyPair,
    tlsCrypt,
    ...options,
  })
  onTestFinished(() => server.stop())
  return configurationFor(server.port)
}

function configurationFor(port: number, extra: readonly string[] = []): OpenVpnConfiguration {
  const remotes = [`127.0.0.1 ${port} tcp`]
  const profile = portalProfile({ ca: authority.certificate, tlsCrypt, remotes, extra })
  return buildConfiguration(profile, clientKeyPair, { platform: 'win32', mode: 'full' })
}

async function standIn(saying?: Saying): Promise<StandInService> {
  const service = await startStandInService(saying)
  onTestFinished(() => service.stop())
  return service
}

interface Run {
  readonly tunnel: Tunnel
  readonly events: TunnelEvent[]
}

async function start(
  service: StandInService,
  configuration: OpenVpnConfiguration,
  options: Partial<WindowsServiceLauncherOptions> = {},
): Promise<Run> {
  const events: TunnelEvent[] = []
  const startTunnel = createStartTunnel({
    findPrivileged: () => Promise.resolve(createWindowsServiceLauncher({ ...service, ...options })),
  })
  const tunnel = await startTunnel({
    configuration,
    mode: 'full',
    onEvent: (event) => events.push(event),
  })
  return { tunnel, events }
}

async function seen(run: Run, event: TunnelEvent['event']): Promise<void> {
  await vi.waitFor(() => {
    expect(run.events.map((each) => each.event)).toContain(event)
  }, patient)
}

/** What its OpenVPN does, played by the test. */
async function playOpenVpn(service: StandInService, ...lines: readonly string[]): Promise<void> {
  await appendFile(path.join(service.folder, 'openvpn.log'), lines.map((line) => `${line}\r\n`).join(''))
}

/** A Causeway that can be killed, with an OpenVPN that has begun. */
async function startCauseway(service: StandInService) {
  const script = `
    import { createWindowsServiceLauncher } from './main/openvpn/windows-service-launcher'
    const { service, owner, configuration } = JSON.parse(process.env.GIVEN)
    const eventOwner = (name) => owner.map((word) => word.replaceAll('NAME', name))
    const launched = await createWindowsServiceLauncher({ ...service, eventOwner }).launch({ configuration, mode: 'full', killSwitch: false })
    await launched.followLog((line) => line.startsWith('TCP/UDP: ') && console.log('up'))
  `
  const causeway = execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: {
      GIVEN: JSON.stringify({
        service: { pipe: service.pipe, folder: service.folder },
        owner: service.eventOwner('NAME', undefined),
        configuration: configurationFor(9).text,
      }),
    },
    reject: false,
    timeout: 60_000,
  })
  let said = ''
  causeway.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await vi.waitFor(() => {
    expect(said).toMatch(/^up\n/)
  }, patient)
  expect(service.runs()).toBe(true)
  // In an object, for the process is also a promise of its end.
  return { causeway }
}

describe('a tunnel through the Windows service, with the real OpenVPN', () => {
  it('connects, leaves no configuration behind, and ends in order without being killed', async () => {
    const service = await standIn()
    const killed: number[] = []
    const run = await start(service, await serve(), { kill: (pid) => killed.push(pid) })
    await seen(run, 'connected')
    expect(run.events.find(({ event }) => event === 'connected')).toMatchObject({
      details: { addresses: { ipv4: '10.88.0.10' }, remote: { protocol: 'tcp' } },
    })
    await vi.waitFor(async () => {
      expect(await service.files()).toEqual(['exit-event', 'openvpn.log'])
    }, patient)
    const log = await readFile(path.join(service.folder, 'openvpn.log'), 'utf8')
    expect(log).toContain('Initialization Sequence Completed')
    expect(log).not.toContain(service.asked[0]?.input.trim())
    expect(log).not.toMatch(/PRIVATE KEY|CERTIFICATE|Static key/)

    await run.tunnel.stop()
    expect(await run.tunnel.ended).toEqual({ end: 'stopped' })
    expect(killed).toEqual([])
    expect([...service.events.values()]).toMatchObject([{ isSet: true }])
    expect(service.runs()).toBe(false)
    expect(await service.files()).toEqual([])
  })

  it('gets a lost tunnel back, though the passphrase of the key was given once', async () => {
    const service = await standIn()
    const server = await startLoopbackServer({
      protocol: 'tcp',
      ca: authority.certificate,
      keyPair: serverKeyPair,
      tlsCrypt,
    })
    const run = await start(service, configurationFor(server.port))
    await seen(run, 'connected')
    await server.stop()
    await seen(run, 'restarting')
    const again = await startLoopbackServer({
      protocol: 'tcp',
      ca: authority.certificate,
      keyPair: serverKeyPair,
      tlsCrypt,
      extra: [`port ${server.port}`],
    })
    onTestFinished(() => again.stop())
    await vi.waitFor(() => {
      expect(run.events.filter(({ event }) => event === 'connected')).toHaveLength(2)
    }, patient)
    await run.tunnel.stop()
  })

  it('ends with Causeway when that is killed', async () => {
    const service = await standIn()
    const { causeway } = await startCauseway(service)
    causeway.kill('SIGKILL')
    await causeway
    await vi.waitFor(() => {
      expect(service.runs()).toBe(false)
    }, patient)
    // What is left is deleted by the next connection.
    expect(await service.files()).toEqual(['exit-event', 'openvpn.log'])
  })

  it('is ended by the next one where it was left by a Causeway that was killed together with who ends it', async () => {
    const service = await standIn()
    const { causeway } = await startCauseway(service)
    const [[name, { owner }] = ['', { owner: 0 }]] = service.events
    causeway.kill('SIGSTOP')
    process.kill(owner, 'SIGKILL')
    causeway.kill('SIGKILL')
    await causeway
    expect(service.runs()).toBe(true)
    expect(service.events.get(name)?.isSet).toBe(false)

    const run = await start(service, configurationFor(9))
    expect(service.events.get(name)?.isSet).toBe(true)
    await vi.waitFor(() => {
      expect(run.events).toContainEqual(expect.objectContaining({ event: 'phase', phase: 'contacting' }))
    }, patient)
    await run.tunnel.stop()
    expect(service.runs()).toBe(false)
  })

  it('says why where OpenVPN does not take the configuration, which it says in its first lines only', async () => {
    const service = await standIn()
    const run = await start(service, configurationFor(9, ['data-ciphers NOPE-256']))
    expect(await run.tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/configuration-refused' },
    })
    expect(await service.files()).toEqual([])
  })

  it('says that OpenVPN stopped where that was killed', async () => {
    const service = await standIn()
    const run = await start(service, configurationFor(9))
    await seen(run, 'log')
    service.killOpenVpn()
    expect(await run.tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'openvpn/stopped-unexpectedly' },
    })
  })
})

describe('what the service is asked', () => {
  it('holds no secret but the passphrase of a key that is in the user’s own folder, encrypted', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    await start(service, configurationFor(9))
    const [asked] = service.asked
    expect(asked).toEqual({
      folder: service.folder,
      options: expect.stringMatching(
        /^--log openvpn\.log --config tunnel\.ovpn --service causeway-[0-9a-f]{32} 0$/,
      ) as string,
      input: expect.stringMatching(/^[0-9a-f]{64}\n$/) as string,
    })
    const text = await readFile(path.join(service.folder, 'tunnel.ovpn'), 'utf8')
    expect(text).not.toContain('BEGIN PRIVATE KEY')
    const key = /<key>\n([^]*)\n<\/key>/.exec(text)?.[1] ?? ''
    const passphrase = asked?.input.trim() ?? ''
    expect(createPrivateKey({ key, passphrase }).export({ type: 'pkcs8', format: 'pem' })).toBe(
      createPrivateKey(clientKeyPair.privateKey).export({ type: 'pkcs8', format: 'pem' }),
    )
    expect(text).not.toContain(passphrase)
    // What Causeway adds overrules what is in the profile.
    expect(text.split('\n').slice(-8)).toEqual([
      'script-security 1',
      'verb 3',
      'suppress-timestamps',
      'pull-filter ignore verb',
      'pull-filter ignore mute',
      'persist-key',
      'askpass stdin',
      '',
    ])
  })

  it('is nothing where a directive of a hostile configuration is in it', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: true })
    const launcher = createWindowsServiceLauncher(service)
    const { text: good } = configurationFor(9)
    expect(hostileTexts.length).toBeGreaterThanOrEqual(150)
    for (const text of hostileTexts) {
      const launching = launcher.launch({
        configuration: `${text}\n${good}`,
        mode: 'full',
        killSwitch: false,
      })
      await expect(launching, text).rejects.toMatchObject({
        code: expect.stringMatching(/^(profile-configuration|certificate)\//) as string,
      })
    }
    expect(service.messages).toEqual([])
    expect(await service.files()).toEqual([])
  })

  it('is nothing where a text would be taken for the next, or the message is too long', () => {
    expect(() => startupMessage({ folder: 'C:\\a\0--plugin x', options: '', input: '' })).toThrow()
    expect(() => startupMessage({ folder: '', options: 'x'.repeat(4094), input: '' })).toThrow()
    expect(startupMessage({ folder: 'C:\\é', options: '-', input: '' }).toString('hex')).toBe(
      '43003a005c00e90000002d0000000000',
    )
  })
})

describe('what the service answers', () => {
  const refusal = errorMessage(
    0x20000001,
    'You have specified a config file location (tunnel.ovpn relative to C:\\x) that requires admin approval. This error may be avoided by adding your account to the "OpenVPN Administrators" group',
    'no such text\r\n',
  )
  it.each<[string, readonly Buffer[], string, object]>([
    [
      'that the user may not',
      [refusal],
      'helper/service-refused',
      { reason: expect.stringContaining('admin approval') as string },
    ],
    [
      'that it did not understand',
      [errorMessage(0x20000001, 'GetStartupData')],
      'helper/failed',
      { reason: 'service-error', code: '0x20000001', what: 'GetStartupData' },
    ],
    [
      'that Windows did not start OpenVPN',
      [errorMessage(2, 'CreateProcessAsUser', 'Not found.\r\n')],
      'helper/failed',
      { code: '0x00000002', what: 'CreateProcessAsUser' },
    ],
    [
      'an error with control characters',
      [errorMessage(5, 'a\u001b[31m\u0007b', '')],
      'helper/failed',
      { what: 'a?[31m?b' },
    ],
    ['nothing', [], 'helper/failed', { reason: 'unreadable-answer' }],
    [
      'half an answer',
      [startMessage(4242).subarray(0, 31)],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'in another encoding',
      [Buffer.from('0x00000000\n0x00001092\nProcess ID')],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'no number',
      [utf16('0x00000000\n0xzzzzzzzz\nProcess ID')],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    [
      'the number of a process of the system',
      [startMessage(4)],
      'helper/failed',
      { reason: 'unreadable-answer' },
    ],
    ['no error and no process', [errorMessage(0, 'x')], 'helper/failed', { reason: 'unreadable-answer' }],
    ['too much', [utf16('x'.repeat(20_000))], 'helper/failed', { reason: 'unreadable-answer' }],
  ])('%s', async (_, chunks, code, details) => {
    const service = await standIn({ chunks, close: true })
    const launching = start(service, configurationFor(9))
    await expect(launching).rejects.toMatchObject({ code, details })
    expect(await service.files()).toEqual([])
  })

  it('in pieces of a byte', async () => {
    const bytes = [...startMessage(4242)].map((byte) => Buffer.from([byte]))
    const service = await standIn({ chunks: bytes, close: false })
    const killed: number[] = []
    const run = await start(service, configurationFor(9), {
      gentleMs: 10,
      kill: (pid) => {
        killed.push(pid)
        void service.stop()
      },
    })
    await run.tunnel.stop()
    expect(killed).toEqual([4242])
    expect(await service.files()).toEqual([])
  })

  it('never', async () => {
    const service = await standIn({ chunks: [], close: false })
    const launcher = createWindowsServiceLauncher({ ...service, patienceMs: 50 })
    const launching = launcher.launch({
      configuration: configurationFor(9).text,
      mode: 'full',
      killSwitch: false,
    })
    await expect(launching).rejects.toMatchObject({ code: 'helper/failed', details: { reason: 'silent' } })
    expect(await service.files()).toEqual([])
  })

  it('is not asked for where the files of the connection cannot be written', async () => {
    const service = await standIn()
    const launcher = createWindowsServiceLauncher({ ...service, folder: path.join(service.pipe, 'tunnel') })
    const { text: configuration } = configurationFor(9)
    await expect(launcher.launch({ configuration, mode: 'full', killSwitch: false })).rejects.toMatchObject({
      code: 'data/unwritable',
    })
    expect(service.messages).toEqual([])
  })

  it('not at all where it does not run', async () => {
    const service = await standIn()
    await expect(
      start(service, configurationFor(9), { pipe: `${service.pipe}-of-nobody` }),
    ).rejects.toMatchObject({
      code: 'helper/service-missing',
    })
  })
})

describe('an OpenVPN that only its log is known of', () => {
  it('is ended at once where it does not end in order', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    const killed: number[] = []
    const kill = (pid: number) => {
      killed.push(pid)
      void service.stop()
    }
    const launcher = createWindowsServiceLauncher({ ...service, kill, gentleMs: 10 })
    const { text: configuration } = configurationFor(9)
    const launched = await launcher.launch({ configuration, mode: 'full', killSwitch: false })
    const told: string[] = []
    const log = launched.followLog((line) => told.push(line))
    await playOpenVpn(service, 'a line')
    await vi.waitFor(() => {
      expect(told).toEqual(['a line'])
    }, patient)
    launched.end({ hasBegun: true })
    await log
    expect(killed).toEqual([4242])
    expect(await launched.exited).toEqual({ exitCode: 0 })
  })

  it('is ended where the process is killed that would end it after Causeway', async () => {
    const service = await standIn()
    const launcher = createWindowsServiceLauncher({
      ...service,
      // Says that it is ready, and goes.
      eventOwner: (name) => {
        const [node, , , events] = service.eventOwner(name, undefined)
        const script = `
          const socket = require('node:net').connect(${JSON.stringify(events)}, () => socket.write('make ${name}\\n'))
          socket.once('data', () => console.log('ready'))
          process.stdin.once('data', () => process.exit())
        `
        return [node, '-e', script]
      },
    })
    const { text: configuration } = configurationFor(9)
    const launched = await launcher.launch({ configuration, mode: 'full', killSwitch: false })
    await launched.followLog(() => undefined)
    expect(service.runs()).toBe(false)
  })

  it('does not run on where the service did not say in time that it runs', async () => {
    const service = await standIn({ chunks: [], close: false })
    const launcher = createWindowsServiceLauncher({ ...service, patienceMs: 50 })
    const { text: configuration } = configurationFor(9)
    await expect(launcher.launch({ configuration, mode: 'full', killSwitch: false })).rejects.toThrow()
    await vi.waitFor(() => {
      expect([...service.events.values()].map(({ isSet }) => isSet)).toEqual([true])
    }, patient)
  })

  it.each([
    ['there is no such program', '/nonexistent/cmd.exe', ''],
    ['it may not run scripts', process.execPath, 'process.exit(1)'],
    ['it says something else', process.execPath, 'console.log("readyish"); process.stdin.resume()'],
  ])('is not started where nobody would end it after Causeway, since %s', async (_, program, script) => {
    const service = await standIn()
    const launcher = createWindowsServiceLauncher({
      ...service,
      eventOwner: () => [program, '-e', script],
      ownerPatienceMs: 500,
    })
    const { text: configuration } = configurationFor(9)
    await expect(launcher.launch({ configuration, mode: 'full', killSwitch: false })).rejects.toMatchObject({
      code: 'helper/powershell-refused',
    })
    expect(service.messages).toEqual([])
    expect(await service.files()).toEqual([])
  })

  it.each([
    [
      'the service could not set',
      'TUN: setting IPv4 dns failed using service: Access denied. [status=5 if_name=tun]',
      false,
    ],
    ['the service has set', 'IPv4 dns servers set using service', true],
  ])('tells of name servers that %s', async (_, line, applied) => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    const run = await start(service, configurationFor(9))
    await playOpenVpn(
      service,
      "PUSH: Received control message: 'PUSH_REPLY,dhcp-option DNS 10.88.0.1,ifconfig 10.88.0.10 255.255.255.0'",
      line,
      'Initialization Sequence Completed',
    )
    await seen(run, 'connected')
    expect(run.events.at(-1)).toMatchObject({ details: { dns: { servers: ['10.88.0.1'], applied } } })
  })
})

describe('the choice of a launcher on Windows', () => {
  const there = (names: readonly string[]) => () => isServiceThere(() => Promise.resolve(names))

  it('is the service where it runs, and otherwise this process’s own rights', async () => {
    const no = () => Promise.resolve(false)
    const yes = () => Promise.resolve(true)
    const names = ['InitShutdown', 'openvpn\\service']
    expect((await findWindowsLauncher('x', there(names), no))?.name).toBe('windows-service')
    expect(await findWindowsLauncher('x', there(['lsass']), yes)).toBeUndefined()
    await expect(findWindowsLauncher('x', there(['lsass']), no)).rejects.toMatchObject({
      code: 'helper/service-missing',
    })
    expect(await isServiceThere(() => Promise.reject(new Error('EINVAL')))).toBe(false)
  })

  it('connects nothing where a kill switch is wanted, which there is none of', async () => {
    await expect(withoutKillSwitch(() => Promise.resolve(true))()).rejects.toMatchObject({
      code: 'helper/kill-switch-not-offered',
    })
    expect(await withoutKillSwitch(() => Promise.resolve(false))()).toBe(false)
  })
})
