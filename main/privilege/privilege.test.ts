import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ErrorReport } from '../../contract/error-codes'
import { createPrivilege, type Privilege, type PrivilegeOptions } from './privilege'

function privilege(
  helper = '/nonexistent/causeway-helper',
  trafficBlock?: PrivilegeOptions['trafficBlock'],
): {
  readonly privilege: Privilege
  readonly notices: ErrorReport[]
} {
  const notices: ErrorReport[] = []
  return {
    notices,
    privilege: createPrivilege({
      killSwitch: () => Promise.resolve(false),
      reporter: { notice: (notice) => void notices.push(notice) },
      helper,
      trafficBlock,
    }),
  }
}

it.skipIf(process.platform === 'win32')(
  'says that the kill switch cannot be lifted without a helper',
  async () => {
    await expect(privilege().privilege.release()).rejects.toMatchObject({
      code: 'helper/not-installed',
      variant: 'cannot-release',
    })
  },
)

it('believes what is known of the kill switch of any run rather than this run alone', async () => {
  let isOn = true
  const check = vi.fn(() => Promise.resolve(isOn))
  const { privilege: own, notices } = privilege(undefined, { isOn: () => isOn, check })
  await own.afterwards(false)
  expect(notices.splice(0).map(({ code }) => code)).toEqual(['helper/traffic-blocked'])
  isOn = false
  await own.afterwards(false)
  expect(notices).toEqual([])
})

it.skipIf(process.platform === 'win32')('asks for the kill switch also without a helper', async () => {
  const asking = createPrivilege({
    killSwitch: () => Promise.resolve(true),
    reporter: { notice: () => undefined },
    helper: '/nonexistent/causeway-helper',
  })
  // Then nothing connects: see killSwitchNeedsHelper.
  expect(await asking.wantsKillSwitch()).toBe(true)
  expect(await asking.blocksLocal()).toBe(false)
})

it('leaves repairing to the service on Windows', async () => {
  const findService = vi.fn()
  const notice = vi.fn()
  const killSwitch = () => Promise.resolve(false)
  await createPrivilege({ platform: 'win32', killSwitch, reporter: { notice }, findService }).repair()
  expect([findService, notice].some(({ mock }) => mock.calls.length > 0)).toBe(false)
})

it('says nothing after a tunnel that had no kill switch', async () => {
  const { privilege: own, notices } = privilege()
  await own.afterwards(false)
  await own.afterwards(true)
  expect(notices).toEqual([])
})

/** Only root can make a helper that is used. */
describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('a helper', () => {
  async function saying(words: string, status = 0, trafficBlock?: PrivilegeOptions['trafficBlock']) {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-privilege-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const helper = join(folder, 'causeway-helper')
    const script = `#!/bin/sh\necho "causeway-helper: ${words}" >&2\nexit ${String(status)}\n`
    await writeFile(helper, script, { mode: 0o755 })
    const { privilege: own, notices } = privilege(helper, trafficBlock)
    const found = await own.findHelper()
    return {
      own,
      codes: () => notices.splice(0).map(({ code }) => code),
      hears: (state: 'on' | 'left' | 'lifted') => found?.onMessage?.({ message: 'kill-switch', state }, ''),
    }
  }

  it('that repaired something is a notice, and so is one that failed', async () => {
    const repairing = await saying('repaired cw1t')
    await repairing.own.repair()
    expect(repairing.codes()).toEqual(['helper/repaired'])
    const failing = await saying('failed records', 1)
    await failing.own.repair()
    expect(failing.codes()).toEqual(['helper/failed'])
  })

  it.each(['on', 'left'] as const)(
    'keeps the kill switch that is %s until the person disconnects',
    async (state) => {
      const { own, codes, hears } = await saying('kill-switch released')
      hears(state)
      await own.afterwards(false)
      expect(codes()).toEqual(['helper/traffic-blocked'])
      await own.afterwards(true)
      expect(codes()).toEqual([])
      await own.afterwards(false)
      expect(codes(), 'it is lifted').toEqual([])
    },
  )

  it('that raises the kill switch has it looked at', async () => {
    const check = vi.fn(() => Promise.reject(new Error('not now')))
    const { hears } = await saying('', 0, { isOn: () => true, check })
    hears('on')
    expect(check).toHaveBeenCalledTimes(1)
  })

  it('that cannot lift the kill switch is a notice, and so is one that lifted it', async () => {
    const { own, codes, hears } = await saying('failed records', 1)
    hears('left')
    await own.afterwards(true)
    expect(codes()).toEqual(['helper/failed', 'helper/traffic-blocked'])
    hears('lifted')
    expect(codes()).toEqual(['helper/kill-switch-lifted'])
    await own.afterwards(false)
    expect(codes()).toEqual([])
  })
})
