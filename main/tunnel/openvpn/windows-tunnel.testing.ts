import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { expect, inject, onTestFinished, vi } from 'vitest'

import { createTestAuthority } from './certificates.testing'
import { buildConfiguration } from './configuration'
import { type LoopbackServerOptions, newStaticKey, startLoopbackServer } from './loopback-server.testing'
import { portalProfile } from './profile.testing'
import { createStartTunnel } from './start-openvpn.testing'
import type { OpenVpnConfiguration } from './configuration'
import type { Given } from './launch-service.testing'
import type { Tunnel, TunnelEvent } from '../tunnel'
import { createWindowsServiceLauncher, type WindowsServiceLauncherOptions } from './windows-service-launcher'
import { type Saying, type StandInService, startStandInService } from './windows-service.testing'

export const authority = createTestAuthority('VPN authority')
export const serverKeyPair = authority.issue({ commonName: 'vpn.example.org', usage: 'serverAuth' })
export const clientKeyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
export const tlsCrypt = newStaticKey()

export async function serve(options: Partial<LoopbackServerOptions> = {}): Promise<OpenVpnConfiguration> {
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

export function configurationFor(port: number, extra: readonly string[] = []): OpenVpnConfiguration {
  const remotes = [`127.0.0.1 ${port} tcp`]
  const profile = portalProfile({ ca: authority.certificate, tlsCrypt, remotes, extra })
  return buildConfiguration(profile, clientKeyPair, { platform: 'win32', mode: 'full' })
}

export async function standIn(saying?: Saying): Promise<StandInService> {
  const service = await startStandInService(saying)
  onTestFinished(() => service.stop())
  return service
}

interface Run {
  readonly tunnel: Tunnel
  readonly events: TunnelEvent[]
}

export async function start(
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

export async function waitForEvent(run: Run, event: TunnelEvent['event']): Promise<void> {
  await vi.waitFor(() => {
    expect(run.events.map((each) => each.event)).toContain(event)
  })
}

/** Writes lines to the log as its OpenVPN would. */
export async function playOpenVpn(service: StandInService, ...lines: readonly string[]): Promise<void> {
  await appendFile(path.join(service.folder, 'openvpn.log'), lines.map((line) => `${line}\r\n`).join(''))
}

/** Starts a Causeway that can be killed, with a running OpenVPN. */
export async function startCauseway(service: StandInService) {
  const given: Given = {
    service: { pipe: service.pipe, folder: service.folder },
    owner: service.helper('exit-event', 'NAME'),
    configuration: configurationFor(9).text,
  }
  const causeway = execa(process.execPath, [inject('programs').processes.launchService], {
    env: { GIVEN: JSON.stringify(given) },
    reject: false,
    timeout: 60_000,
  })
  let output = ''
  causeway.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await vi.waitFor(() => {
    expect(output).toMatch(/^up\n/)
  })
  await vi.waitFor(async () => {
    expect(await service.files()).not.toContain('tunnel.ovpn')
  })
  expect(service.runs()).toBe(true)
  // Wrapped in an object, because the process is also a promise of its exit.
  return { causeway }
}
