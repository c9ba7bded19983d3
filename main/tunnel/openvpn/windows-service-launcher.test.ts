import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { startLoopbackServer } from './loopback-server.testing'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { startMessage } from './windows-service.testing'
import {
  authority,
  configurationFor,
  playOpenVpn,
  waitForEvent,
  serve,
  serverKeyPair,
  standIn,
  start,
  startCauseway,
  tlsCrypt,
} from './windows-tunnel.testing'

// On Windows itself: scripts/windows/tunnel.test.ts.
describe.skipIf(process.platform === 'win32')(
  'a tunnel through the Windows service, with the real OpenVPN',
  () => {
    it('connects, leaves no configuration behind, and exits in order', async () => {
      const service = await standIn()
      const killed: number[] = []
      const run = await start(service, await serve(), { kill: (pid) => killed.push(pid) })
      await waitForEvent(run, 'connected')
      expect(run.events.find(({ event }) => event === 'connected')).toMatchObject({
        details: { addresses: { ipv4: '10.88.0.10' }, remote: { protocol: 'tcp' } },
      })
      await vi.waitFor(async () => {
        expect(await service.files()).toEqual(['exit-event', 'openvpn.log'])
      })
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

    it("reconnects a lost tunnel, although the key's passphrase was sent only once", async () => {
      const service = await standIn()
      const server = await startLoopbackServer({
        protocol: 'tcp',
        ca: authority.certificate,
        keyPair: serverKeyPair,
        tlsCrypt,
      })
      const run = await start(service, configurationFor(server.port))
      await waitForEvent(run, 'connected')
      await server.stop()
      await waitForEvent(run, 'restarting')
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
      })
      await run.tunnel.stop()
    })

    it('ends when Causeway is killed', async () => {
      const service = await standIn()
      const { causeway } = await startCauseway(service)
      causeway.kill('SIGKILL')
      await causeway
      await vi.waitFor(() => {
        expect(service.runs()).toBe(false)
      })
      // The next connection deletes remaining files.
      expect(await service.files()).toEqual(['exit-event', 'openvpn.log'])
    })

    it("is ended by the next Causeway if the last one was killed together with the event's owner", async () => {
      const service = await standIn()
      const { causeway } = await startCauseway(service)
      const [event] = service.events
      if (event === undefined) throw new Error('There is no event.')
      const [name, { owner }] = event
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
      })
      await run.tunnel.stop()
      expect(service.runs()).toBe(false)
    })

    it('reports that OpenVPN rejects the configuration, which only its first lines say', async () => {
      const service = await standIn()
      const run = await start(service, configurationFor(9, ['data-ciphers NOPE-256']))
      expect(await run.tunnel.ended).toMatchObject({
        end: 'failed',
        error: { code: 'openvpn/no-shared-cipher', variant: 'unsupported' },
      })
      expect(await service.files()).toEqual([])
    })

    it('reports that OpenVPN was killed', async () => {
      const service = await standIn()
      const run = await start(service, configurationFor(9))
      await waitForEvent(run, 'log')
      service.killOpenVpn()
      expect(await run.tunnel.ended).toMatchObject({
        end: 'failed',
        error: { code: 'openvpn/stopped-unexpectedly' },
      })
    })
  },
)

describe('an OpenVPN that is known only by its log', () => {
  it('is killed if it does not exit in order', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    const killed: number[] = []
    const kill = (pid: number) => {
      killed.push(pid)
      void service.stop()
    }
    const launcher = createWindowsServiceLauncher({ ...service, kill, gentleMs: 10 })
    const { text: configuration } = configurationFor(9)
    const launched = await launcher({ command: 'run', configuration, killSwitch: false })
    const received: string[] = []
    const log = launched.followLog((line) => received.push(line))
    await playOpenVpn(service, 'a line')
    await vi.waitFor(() => {
      expect(received).toEqual(['a line'])
    })
    launched.end({ hasBegun: true })
    await log
    expect(killed).toEqual([4242])
    expect(await launched.exited).toEqual({ exitCode: 0 })
  })

  it('is given up with an error if it stays although it was killed', async () => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    const run = await start(service, configurationFor(9), {
      kill: () => {
        throw new Error('EPERM')
      },
      gentleMs: 10,
      goneMs: 10,
    })
    await run.tunnel.stop()
    expect(await run.tunnel.ended).toMatchObject({
      end: 'failed',
      error: { code: 'helper/failed', variant: 'not-ended' },
    })
    // Another process sets it.
    await vi.waitFor(() => {
      expect([...service.events.values()].map(({ isSet }) => isSet)).toEqual([true])
    })
    expect(await service.files()).toEqual([])
  })

  // Its OpenVPN is this computer's own. On Windows: scripts/windows/tunnel.test.ts.
  it.skipIf(process.platform === 'win32')("is ended when the event's owner is killed", async () => {
    const service = await standIn()
    const launcher = createWindowsServiceLauncher({
      ...service,
      // Reports that it is ready, and exits.
      helper: (_word, name = '') => {
        const [node, , , events] = service.helper()
        const script = `
          const socket = require('node:net').connect(${JSON.stringify(events)}, () => socket.write('make ${name}\\n'))
          socket.once('data', () => console.log('ready'))
          process.stdin.once('data', () => process.exit())
        `
        return [node, '-e', script]
      },
    })
    const { text: configuration } = configurationFor(9)
    const launched = await launcher({ command: 'run', configuration, killSwitch: false })
    await launched.followLog(() => undefined)
    expect(service.runs()).toBe(false)
  })

  it('is ended if the service does not answer in time', async () => {
    const service = await standIn({ chunks: [], close: false })
    const launcher = createWindowsServiceLauncher({ ...service, timeoutMs: 50 })
    const { text: configuration } = configurationFor(9)
    await expect(launcher({ command: 'run', configuration, killSwitch: false })).rejects.toThrow()
    await vi.waitFor(() => {
      expect([...service.events.values()].map(({ isSet }) => isSet)).toEqual([true])
    })
  })

  it.each([
    ['there is no such program', '/nonexistent/causeway-helper.exe', ''],
    ['it ends at once', process.execPath, 'process.exit(1)'],
    ['it says something else', process.execPath, 'console.log("readyish"); process.stdin.resume()'],
  ])('is not started without an owner of the event: %s', async (_, program, script) => {
    const service = await standIn()
    const launcher = createWindowsServiceLauncher({
      ...service,
      helper: () => [program, '-e', script],
      ownerTimeoutMs: 500,
    })
    const { text: configuration } = configurationFor(9)
    await expect(launcher({ command: 'run', configuration, killSwitch: false })).rejects.toMatchObject({
      code: 'helper/windows-helper-unusable',
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
  ])('reports DNS servers that %s', async (_, line, applied) => {
    const service = await standIn({ chunks: [startMessage(4242)], close: false })
    const run = await start(service, configurationFor(9))
    await playOpenVpn(
      service,
      "PUSH: Received control message: 'PUSH_REPLY,dhcp-option DNS 10.88.0.1,ifconfig 10.88.0.10 255.255.255.0'",
      line,
      'Initialization Sequence Completed',
    )
    await waitForEvent(run, 'connected')
    expect(run.events.at(-1)).toMatchObject({ details: { dns: { servers: ['10.88.0.1'], applied } } })
  })
})
