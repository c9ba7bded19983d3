import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isNightly } from '../../../scripts/nightly-tests'
import { builtUserspaceWireGuard } from '../../../scripts/build-helper'
import { mayMakeNamespaces } from '../../privilege/helper.testing'
import { MacosNetwork, outside } from './macos-network.testing'
import { rows } from '../../../scripts/slow.testing'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && existsSync(builtUserspaceWireGuard)

describe.runIf(may)('WireGuard of macOS when something is killed', () => {
  let network: MacosNetwork
  let before: Record<string, string>

  beforeAll(async () => {
    network = await MacosNetwork.create()
  })
  beforeEach(async () => {
    before = await network.snapshot()
  })
  afterEach(() => network.reset())
  afterAll(() => network.remove())

  it.each(rows(['helper', 'watcher', 'program', 'both'] as const, 1))(
    'lets nothing out with the kill switch, and undoes everything: %s',
    async (victim) => {
      const tunnel = network.start({ killSwitch: true, allowed: ['0.0.0.0/0'], addresses: ['10.88.0.2/24'] })
      await tunnel.connected()
      tunnel.send('dns 10.88.0.1')
      await tunnel.said(/^dns applied/)
      await network.sentInTheClear()
      const stopSending = network.sendOutside()
      await network.kill(victim)
      await tunnel.ended
      await stopSending()
      expect(await network.sentInTheClear()).toBe(0)
      await network.expectLike(before)
      if (victim === 'program') expect(tunnel.messages).toContain('killed 9')
    },
  )

  it('undoes at the next start what was left when all were killed', async () => {
    const tunnel = network.start({ allowed: ['0.0.0.0/0'], addresses: ['10.88.0.2/24'] })
    await tunnel.connected()
    tunnel.send('dns 10.88.0.1')
    await tunnel.said(/^dns applied/)
    await network.kill('all')
    await tunnel.ended
    expect(await network.deviceTo(outside[1])).toBeUndefined()
    const again = network.start()
    await again.connected()
    expect(again.messages).toContainEqual(expect.stringMatching(/^repaired cw\d+t$/))
    expect(await network.deviceTo(outside[1])).toMatch(/^utun/)
    await again.stop()
    await network.expectLike(before)
  })

  it.each(
    rows(
      [
        ['device', 'link delete DEVICE'],
        ['device', 'link set DEVICE down'],
        ['address', '-4 address delete 10.88.0.2/24 dev DEVICE'],
        ['route', 'route delete 128.0.0.0/1'],
        ['route', '-6 route delete ::/1'],
      ],
      1,
    ),
  )('ends when somebody deletes a part: %s (%s)', async (part, words) => {
    const tunnel = network.start({ allowed: ['0.0.0.0/0'], addresses: ['10.88.0.2/24'] })
    const device = await tunnel.connected()
    await network.ip(words.replace('DEVICE', device))
    await tunnel.said(new RegExp(`^gone ${part}$`))
    expect(await tunnel.ended).toBe(71)
    await network.expectLike(before)
  })

  const steps = [
    ...['program', 'configured', 'address', 'up', 'past', 'passed', 'inside', 'routed', 'ended'],
    ...['kill-switch-noted', 'kill-switch-up', 'dns', 'dns-set'],
    ...['undo-device', 'undo-program', 'undo-routes', 'undo-journal'],
  ]
  it.each(isNightly ? steps : ['passed'])(
    'leaves nothing when it is killed at the step %s',
    async (stepName) => {
      await writeFile(path.join(network.killable.folder, 'state/kill-at'), stepName)
      const tunnel = network.start({
        helper: network.killable,
        allowed: ['0.0.0.0/0'],
        addresses: ['10.88.0.2/24'],
        killSwitch: stepName.startsWith('kill-switch'),
      })
      if (/^(ended|undo-|dns)/.test(stepName)) await tunnel.connected()
      if (stepName.startsWith('dns')) tunnel.send('dns 10.88.0.1')
      if (!stepName.startsWith('dns')) await tunnel.stop()
      await tunnel.ended
      await network.expectLike(before)
      expect(existsSync(path.join(network.killable.folder, 'state/kill-at'))).toBe(false)
    },
  )
})
