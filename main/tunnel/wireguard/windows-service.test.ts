import { describe, expect, it } from 'vitest'

import { windowsRoutes } from '../../platform/routes/windows-routes'
import { helperLauncher } from '../../privilege/helper-client'
import { rehearseWindows } from '../../privilege/own-service.testing'
import { createPrivilege } from '../../privilege/privilege'
import { createTunnelBackend } from '../open-tunnel'
import type { TunnelEvent, WireGuardTunnel } from '../tunnel'
import { configurationText } from './configuration.testing'
import { wireGuard } from './wireguard'

const notUsed = () => Promise.reject(new Error('not used'))

function grant(changes: Parameters<typeof configurationText>[0] = {}): WireGuardTunnel {
  const privateKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7))
  const namedBy = 'https://vpn.example.org/api/v3'
  return { protocol: 'wireguard', transport: 'udp', profile: configurationText(changes), namedBy, privateKey }
}

/** Tunnels of a modelled Windows, through its service. */
async function tunnelsOnWindows({ killSwitch = false, blocksLocal = false }) {
  const windows = await rehearseWindows()
  const privilege = createPrivilege({
    platform: 'win32',
    findService: windows.findService,
    killSwitch: () => Promise.resolve(killSwitch),
    blocksLocal: () => Promise.resolve(blocksLocal),
    reporter: { notice: () => undefined },
  })
  const protocol = wireGuard({ secureContext: notUsed })
  const notices: unknown[] = []
  const backend = createTunnelBackend({
    privilege,
    openVpnPath: () => Promise.resolve(undefined),
    routes: windowsRoutes(windows.helper),
    onNotice: (notice) => notices.push(notice),
    protocols: { openvpn: notUsed, wireguard: () => Promise.resolve(protocol) },
  })
  const open = async (tunnel: WireGuardTunnel) => {
    const events: TunnelEvent[] = []
    let connect: (details: Extract<TunnelEvent, { event: 'connected' }>['details']) => void = () => undefined
    const connected = new Promise<Parameters<typeof connect>[0]>((resolve) => (connect = resolve))
    const running = await backend.openTunnel(tunnel, {
      target: { instanceId: 'vpn.example.org', profileId: 'internet' },
      mode: 'full',
      preferTcp: false,
      avoid: [],
      onEvent: (event) => {
        events.push(event)
        if (event.event === 'connected') connect(event.details)
      },
    })
    return { running, events, connected }
  }
  return { windows, privilege, backend, open, notices }
}

describe.runIf(process.platform === 'linux')('a tunnel through the service of Windows', () => {
  it.each([false, true])(
    'is made, says what it carries, and is undone; kill switch: %s',
    async (killSwitch) => {
      const { windows, privilege, open, notices } = await tunnelsOnWindows({ killSwitch })
      const { running, connected } = await open(grant())
      expect(await connected).toMatchObject({
        device: expect.stringMatching(/^cw\d+t$/) as unknown,
        remote: { address: '192.0.2.1', port: 51_820, protocol: 'udp' },
        dns: { applied: true, way: 'NRPT' },
        allTraffic: true,
      })
      expect(await windows.state('device')).toMatch(/^cw\d+t 0\.0\.0\.0\/0 ::\/0$/)
      expect(await windows.state('names')).toBe('[10.43.0.1] [vpn.example.org] true')
      expect(await windows.state('firewall')).toBe(killSwitch ? 'rules' : '')
      await running.stop()
      expect(await running.ended).toEqual({ end: 'stopped' })
      expect(await windows.state('device')).toBe('')
      expect(await windows.state('firewall')).toBe(killSwitch ? 'rules' : '')
      await privilege.afterwards(true)
      expect(await windows.state('firewall')).toBe('')
      expect(notices).toEqual([])
    },
  )

  it('leaves the network around this computer open, and names it', async () => {
    const { windows, open, notices } = await tunnelsOnWindows({})
    const { running, connected } = await open(grant())
    expect(await connected).toMatchObject({ allTraffic: true, local: ['192.168.1.0/24'] })
    await running.stop()
    expect(await windows.state('local-network')).toBe('')
    expect(notices).toEqual([])
  })

  it.each([{ blocksLocal: true }, { killSwitch: true }, { blocksLocal: true, killSwitch: true }])(
    'blocks the network around this computer, and does not say otherwise: %o',
    async (wanted) => {
      const { windows, open, notices } = await tunnelsOnWindows(wanted)
      const { running, connected } = await open(grant())
      const details = await connected
      expect(details.allTraffic).toBe(true)
      expect(details).not.toHaveProperty('local')
      expect(await windows.state('local-network')).toBe('rules')
      await running.stop()
      expect(await windows.state('local-network')).toBe('')
      expect(notices).toEqual([])
    },
  )

  it('says that a split tunnel carries a part', async () => {
    const { open } = await tunnelsOnWindows({})
    const { running, connected } = await open(grant({ AllowedIPs: '10.0.0.0/8' }))
    expect(await connected).toMatchObject({ allTraffic: false, routes: ['10.0.0.0/8'] })
    await running.stop()
  })

  it('is made by a call that waits for its configuration', async () => {
    const { backend, open } = await tunnelsOnWindows({})
    backend.getReady('wireguard', 'full')
    const { running, connected } = await open(grant())
    await connected
    await running.stop()
    expect(await running.ended).toEqual({ end: 'stopped' })
  })

  it('is tried again after the call was killed, with the kill switch still up', async () => {
    const { windows, open } = await tunnelsOnWindows({ killSwitch: true })
    const { running, connected } = await open(grant())
    process.kill(Number(/\d+/.exec((await connected).device ?? '')?.[0]), 'SIGKILL')
    expect(await running.ended).toMatchObject({
      end: 'failed',
      error: { code: 'wireguard/stopped-unexpectedly', failureClass: 'retry' },
    })
    expect(await windows.state('firewall')).toBe('rules')
  })

  it('is refused with the reason of the service, which checks the request again', async () => {
    const { windows } = await tunnelsOnWindows({})
    const launch = helperLauncher({ helper: windows.helper()[0], elevation: 'service' })
    const request = { command: 'wireguard', configuration: 'PostUp calc.exe\n', killSwitch: false } as const
    const refused = await launch(request)
    await refused.followLog(() => undefined)
    expect(await refused.exited).toMatchObject({
      error: { code: 'helper/refused', details: { directive: 'unknown' } },
    })
    await windows.setService({ installed: false })
    const missing = await launch(request)
    await missing.followLog(() => undefined)
    expect(await missing.exited).toMatchObject({
      error: { code: 'helper/not-installed', variant: 'service' },
    })
    const gone = await helperLauncher({ helper: '/no/such/program', elevation: 'service' })(request)
    await gone.followLog(() => undefined)
    expect(await gone.exited).toMatchObject({ error: { code: 'helper/windows-helper-unusable' } })
  })
})
