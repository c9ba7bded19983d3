import { describe, expect, it } from 'vitest'
import { Launchers, type LaunchersOptions } from './launchers'

const helper = { helper: '/nowhere/causeway-helper', elevation: 'root' } as const

/** Launchers of a computer with Linux, without the helper and without rights. */
function launchersWith(options: Partial<LaunchersOptions> = {}): Launchers {
  return new Launchers({
    privilege: { findHelper: () => Promise.resolve(undefined) },
    openVpnPath: () => Promise.resolve(undefined),
    tunnelFolder: '/nowhere',
    mayConfigureNetwork: () => Promise.resolve(false),
    platform: 'linux',
    ...options,
  })
}

const withHelper = { privilege: { findHelper: () => Promise.resolve(helper) } }

describe('what starts a tunnel', () => {
  it('is the helper where there is one, also for a program that has the rights itself', async () => {
    const launchers = launchersWith({ ...withHelper, mayConfigureNetwork: () => Promise.resolve(true) })
    expect(await launchers.find('run', 'full', true)).not.toBe(launchers.direct)
    expect(await launchers.find('wireguard', 'full', false)).not.toBe(launchers.direct)
  })

  it('is this process for a handshake, which needs no rights', async () => {
    const launchers = launchersWith(withHelper)
    expect(await launchers.find('run', 'handshake-only', false)).toBe(launchers.direct)
  })

  it('is this process if it has the rights, which it looks for once', async () => {
    let looked = 0
    const launchers = launchersWith({ mayConfigureNetwork: () => Promise.resolve((looked += 1) > 0) })
    expect(await launchers.find('run', 'full', false)).toBe(launchers.direct)
    expect(await launchers.find('run', 'full', false)).toBe(launchers.direct)
    expect(looked).toBe(1)
  })

  it('is nothing without rights, for WireGuard without the helper, and for the kill switch without it', async () => {
    const mayConfigure = { mayConfigureNetwork: () => Promise.resolve(true) }
    await expect(launchersWith().find('run', 'full', false)).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: undefined,
    })
    await expect(launchersWith(mayConfigure).find('wireguard', 'full', false)).rejects.toMatchObject({
      code: 'helper/not-installed',
    })
    await expect(launchersWith(mayConfigure).find('run', 'full', true)).rejects.toMatchObject({
      code: 'helper/needed-for-kill-switch',
    })
  })
})

describe.skipIf(process.platform === 'win32')('what starts a tunnel on Windows', () => {
  const windows = { platform: 'win32' } as const

  it("is OpenVPN's service for OpenVPN, which only Causeway's helper for Windows can ask for", async () => {
    await expect(
      launchersWith({ ...withHelper, ...windows }).find('run', 'full', false),
    ).rejects.toMatchObject({ code: 'helper/windows-helper-unusable' })
  })

  it("is Causeway's own service for WireGuard", async () => {
    const launchers = launchersWith({ ...withHelper, ...windows })
    expect(await launchers.find('wireguard', 'full', false)).not.toBe(launchers.direct)
    await expect(launchersWith(windows).find('wireguard', 'full', false)).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'service',
    })
  })
})
