import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Launch, LaunchRequest, ProgramExit, TunnelProgram } from '../../privilege/helper-client'
import { rehearseWindows, type RehearsedWindows } from '../../privilege/own-service.testing'
import { createPrivilege } from '../../privilege/privilege'
import type { TunnelEvent } from '../tunnel'
import { buildConfiguration } from './configuration'
import { startLoopbackServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import { serversOf, withAddresses, withKillSwitch } from './windows-kill-switch'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { authority, clientKeyPair, serverKeyPair, standIn, tlsCrypt } from './windows-tunnel.testing'

function configurationOf(remotes: readonly string[], extra: readonly string[] = []) {
  const profile = portalProfile({ ca: authority.certificate, tlsCrypt, remotes, extra })
  return buildConfiguration(profile, clientKeyPair, { platform: 'win32', mode: 'full' })
}

const service = (windows: RehearsedWindows) =>
  ({ helper: windows.helper()[0], elevation: 'service' }) as const

const request: LaunchRequest = {
  command: 'run',
  configuration: 'remote vpn.example.org 1194 udp\n',
  killSwitch: true,
}

/** An OpenVPN that only notes what was up when it started. */
function launchNothing(windows: RehearsedWindows) {
  const started: { readonly firewall: string; readonly configuration: string }[] = []
  let end: (exit: ProgramExit) => void = () => undefined
  const exited = new Promise<ProgramExit>((resolve) => (end = resolve))
  const program: TunnelProgram = {
    followLog: async () => void (await exited),
    end: () => {
      end({ exitCode: 0 })
    },
    exited,
  }
  const launch: Launch = async ({ configuration }) => {
    started.push({ firewall: await windows.state('firewall'), configuration: configuration.toString() })
    return program
  }
  return { launch, started }
}

/** Returns the id of the running call of the service. */
async function callOf(windows: RehearsedWindows): Promise<number> {
  const [path] = windows.helper()
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    if (line === `${path}\0call\0openvpn\0`) return Number(id)
  }
  throw new Error('The service is not called.')
}

describe.runIf(process.platform === 'linux')('the kill switch around OpenVPN on Windows', () => {
  it('is up before OpenVPN starts, lets it reach its server alone, and stays until the user disconnects', async () => {
    const windows = await rehearseWindows()
    const openVpn = await standIn()
    const server = await startLoopbackServer({
      protocol: 'tcp',
      ca: authority.certificate,
      keyPair: serverKeyPair,
      tlsCrypt,
    })
    onTestFinished(() => server.stop())
    const privilege = createPrivilege({
      platform: 'win32',
      findService: windows.findService,
      killSwitch: () => Promise.resolve(true),
      reporter: { notice: () => undefined },
    })
    const events: TunnelEvent[] = []
    const startTunnel = createStartTunnel({
      privilege,
      findPrivileged: async () => {
        const found = await privilege.findHelper()
        return found && withKillSwitch(createWindowsServiceLauncher(openVpn), found)
      },
    })
    const tunnel = await startTunnel({
      configuration: configurationOf([
        'gone.example.org 1194 udp',
        `here.example.org ${String(server.port)} tcp`,
      ]),
      mode: 'full',
      onEvent: (event) => events.push(event),
    })
    await vi.waitFor(() => {
      expect(events.map(({ event }) => event)).toContain('connected')
    })
    expect(events.find(({ event }) => event === 'connected')).toMatchObject({
      details: { remote: { address: '127.0.0.1', port: server.port, protocol: 'tcp' } },
    })
    expect(await windows.state('firewall')).toBe(`openvpn [{127.0.0.1:${String(server.port)} true 0}]`)
    await tunnel.stop()
    expect(await tunnel.ended).toEqual({ end: 'stopped' })
    // OpenVPN passes no more, and nothing else does.
    expect(await windows.state('firewall')).toBe('rules')
    await privilege.afterwards(true)
    expect(await windows.state('firewall')).toBe('')
  })

  it('is there when OpenVPN starts, with addresses in place of names', async () => {
    const windows = await rehearseWindows()
    const { launch, started } = launchNothing(windows)
    const program = await withKillSwitch(launch, service(windows))(request)
    expect(started).toEqual([
      { firewall: 'openvpn [{192.0.2.1:1194 false 0}]', configuration: 'remote 192.0.2.1 1194 udp\n' },
    ])
    program.end({ hasBegun: true })
    expect(await program.exited).toEqual({ exitCode: 0 })
    expect(await windows.state('kill-switch')).not.toBe('')
  })

  it.each<[string, Parameters<RehearsedWindows['setService']>[0], string, string]>([
    [
      'there is no service',
      { installed: false },
      'remote vpn.example.org 1194 udp\n',
      'helper/not-installed',
    ],
    ['it finds no server', {}, 'remote gone.example.org 1194 udp\n', 'helper/failed'],
    ['it refuses the request', {}, 'remote vpn..org 1194 udp\n', 'helper/refused'],
  ])('starts no OpenVPN if %s', async (_why, changes, configuration, code) => {
    const windows = await rehearseWindows()
    await windows.setService(changes)
    const { launch, started } = launchNothing(windows)
    const starting = withKillSwitch(launch, service(windows))({ ...request, configuration })
    await expect(starting).rejects.toMatchObject({ code })
    expect(started).toEqual([])
    expect(await windows.state('firewall')).toBe('')
  })

  it('ends a tunnel whose service has ended, and stays', async () => {
    const windows = await rehearseWindows()
    const { launch } = launchNothing(windows)
    const program = await withKillSwitch(launch, service(windows))(request)
    process.kill(await callOf(windows), 'SIGKILL')
    expect(await program.exited).toMatchObject({ error: { code: 'helper/failed', variant: 'own-service' } })
    expect(await windows.state('firewall')).not.toBe('')
  })

  it('stays when OpenVPN fails to start', async () => {
    const windows = await rehearseWindows()
    const launch: Launch = () => Promise.reject(new Error('no OpenVPN'))
    await expect(withKillSwitch(launch, service(windows))(request)).rejects.toThrow('no OpenVPN')
    await expect(callOf(windows)).rejects.toThrow('not called')
    expect(await windows.state('firewall')).toBe('rules')
  })
})

describe('a configuration behind the kill switch', () => {
  const addresses = new Map([
    [0, ['192.0.2.1', '2001:db8::1']],
    [2, ['192.0.2.3']],
  ])

  const remotes = ['a.example.org 1194 udp', 'b.example.org 443 tcp', 'c.example.org 1195 udp4']

  it('names each address of its servers, and no server without one', () => {
    const { text } = configurationOf(remotes)
    expect(serversOf(text)).toEqual(remotes)
    expect(serversOf(withAddresses(text, addresses))).toEqual([
      '192.0.2.1 1194 udp',
      '2001:db8::1 1194 udp',
      '192.0.2.3 1195 udp4',
    ])
  })

  it('keeps the options of each server', () => {
    const blocks = remotes.flatMap((remote, number) => [
      '<connection>',
      `remote ${remote}`,
      `tun-mtu 130${String(number)}`,
      '</connection>',
    ])
    const { text } = configurationOf([], blocks)
    expect(serversOf(text)).toEqual(remotes)
    const written = withAddresses(text, addresses)
    expect(/<connection>[^]*<\/connection>/.exec(written)?.[0].split('\n')).toEqual(
      [
        ['192.0.2.1 1194 udp', '1300'],
        ['2001:db8::1 1194 udp', '1300'],
        ['192.0.2.3 1195 udp4', '1302'],
      ].flatMap(([remote, mtu]) => [
        '<connection>',
        `remote ${String(remote)}`,
        `tun-mtu ${String(mtu)}`,
        '</connection>',
      ]),
    )
  })

  it('contacts its proxy alone', () => {
    const text = 'remote a.example.org 443 tcp\nhttp-proxy proxy.example.org 3128 auto\n'
    expect(serversOf(text)).toEqual(['proxy.example.org 3128 tcp'])
    expect(withAddresses(text, addresses)).toBe(
      'remote a.example.org 443 tcp\nhttp-proxy 192.0.2.1 3128 auto\n',
    )
  })
})
