import { describe, expect, it, onTestFinished } from 'vitest'

import { mayPassService } from './helper-client'
import { killSwitchHere } from './kill-switch'
import { ServiceRecord } from './kill-switch-record'
import { findOwnService, type OwnService, readOwnService } from './own-service'
import { rehearseWindows } from './own-service.testing'
import { createPrivilege } from './privilege'
import { TrafficBlock } from './traffic-block'
import { runnableProtocols } from './wireguard-here'

/** The service's own code runs on Linux, over a model of Windows. */
const canRehearse = process.platform === 'linux'

const missing: Partial<OwnService> = { installed: false }

function privilegeOn(
  windows: Awaited<ReturnType<typeof rehearseWindows>>,
  { killSwitch = true, trafficBlock }: { killSwitch?: boolean; trafficBlock?: TrafficBlock } = {},
) {
  const notices: unknown[] = []
  const privilege = createPrivilege({
    platform: 'win32',
    findService: windows.findService,
    killSwitch: () => Promise.resolve(killSwitch),
    reporter: { notice: (notice) => notices.push(notice) },
    trafficBlock,
  })
  return { privilege, notices }
}

const trafficBlockOn = ({ helper, findService }: Awaited<ReturnType<typeof rehearseWindows>>) =>
  new TrafficBlock({ record: new ServiceRecord(helper), probe: () => mayPassService(findService) })

describe.runIf(canRehearse)('the service of Windows', () => {
  it.each<[string, Partial<OwnService>, boolean]>([
    ['that starts on demand', {}, true],
    ['that runs', { running: true, mayStart: false }, true],
    ['that is not installed', missing, false],
    ['that is turned off', { disabled: true }, false],
    ['that this user may not start', { mayStart: false }, false],
    ['without its program', { program: false }, false],
    ["without Wintun's library", { library: false }, false],
  ])('runs WireGuard, and has the kill switch: one %s', async (_which, service, isUsable) => {
    const { helper, findService } = await rehearseWindows(service)
    const runnable = await runnableProtocols({ platform: 'win32' }, () => readOwnService(helper))
    expect(runnable).toEqual(isUsable ? ['openvpn', 'wireguard'] : ['openvpn'])
    expect(await killSwitchHere({ platform: 'win32', findService })).toBe(
      isUsable ? 'available' : 'no-service',
    )
    expect(await findService()).toEqual(isUsable ? { helper: helper()[0], elevation: 'service' } : undefined)
  })

  it('is not used if the helper does not run', async () => {
    expect(await findOwnService(() => ['/no/such/program'])).toBeUndefined()
    expect(await runnableProtocols({ platform: 'win32' }, () => Promise.resolve(undefined))).toEqual([
      'openvpn',
    ])
  })

  it('is needed for the kill switch', async () => {
    const windows = await rehearseWindows()
    const { privilege } = privilegeOn(windows)
    expect(await privilege.wantsKillSwitch()).toBe(true)
    const code = 'helper/kill-switch-not-offered'
    await windows.setService(missing)
    await expect(privilege.wantsKillSwitch()).rejects.toMatchObject({ code })
    await expect(privilege.release()).rejects.toMatchObject({ code, variant: 'cannot-release' })
    const { privilege: without } = privilegeOn(windows, { killSwitch: false })
    expect(await without.wantsKillSwitch()).toBe(false)
  })

  it('lifts the kill switch', async () => {
    const windows = await rehearseWindows()
    const { privilege } = privilegeOn(windows)
    await windows.set('kill-switch', 'S-1-5-21-1')
    await windows.set('firewall', 'rules')
    expect(await privilege.release()).toBe('released')
    expect(await windows.state('firewall')).toBe('')
    expect(await privilege.release()).toBe('none')
  })

  it("lifts the kill switch without Wintun's library, which only tunnels need", async () => {
    const windows = await rehearseWindows({ library: false })
    const { privilege } = privilegeOn(windows)
    await windows.set('kill-switch', 'S-1-5-21-1')
    await windows.set('firewall', 'rules')
    const block = trafficBlockOn(windows)
    expect(await block.check()).toBe(true)
    expect(await privilege.findHelper()).toBeUndefined()
    expect(await privilege.release()).toBe('released')
    expect(await windows.state('firewall')).toBe('')
    // Another program has emptied the firewall.
    await windows.set('kill-switch', 'S-1-5-21-1')
    expect(await block.check()).toBe(false)
  })

  it('tells from the record and the firewall whether traffic is blocked', async () => {
    const windows = await rehearseWindows()
    const block = trafficBlockOn(windows)
    expect(await block.check()).toBe(false)
    await windows.set('kill-switch', 'S-1-5-21-1')
    await windows.set('firewall', 'rules')
    expect(await block.check()).toBe(true)
    expect(block.isOn()).toBe(true)
    // Another program has emptied it.
    await windows.set('firewall', '')
    expect(await block.check()).toBe(false)
    // What can't be asked stays as it is recorded.
    await windows.setService(missing)
    expect(await block.check()).toBe(true)
  })

  it('tells of a kill switch that another process raises', async () => {
    const windows = await rehearseWindows()
    const block = trafficBlockOn(windows)
    const raised = new Promise<void>((resolve) => {
      onTestFinished(
        block.watch(() => {
          if (block.isOn()) resolve()
        }),
      )
    })
    await windows.set('firewall', 'rules')
    await windows.set('kill-switch', 'S-1-5-21-1')
    await raised
    expect(await block.check()).toBe(true)
  })
})
