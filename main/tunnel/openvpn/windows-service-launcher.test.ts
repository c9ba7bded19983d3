import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { startLoopbackServer } from './loopback-server.testing'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { startMessage } from './windows-service.testing'
import {
  authority,
  configurationFor,
  patient,
  playOpenVpn,
  seen,
  serve,
  serverKeyPair,
  standIn,
  start,
  startCauseway,
  tlsCrypt,
} from './windows-tunnel.testing'

vi.setConfig({ testTimeout: 40_000 })

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
