import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ErrorReport } from '../../contract/error-codes'
import { createPrivilege, type Privilege } from './privilege'

function privilege(helper = '/nonexistent/causeway-helper'): {
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

it('says nothing after a tunnel that had no kill switch', async () => {
  const { privilege: own, notices } = privilege()
  await own.afterwards(false)
  await own.afterwards(true)
  expect(notices).toEqual([])
})

/** Only root can make a helper that is used. */
describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('a helper', () => {
  async function saying(words: string, status = 0) {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-privilege-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const helper = join(folder, 'causeway-helper')
    const script = `#!/bin/sh\necho "causeway-helper: ${words}" >&2\nexit ${String(status)}\n`
    await writeFile(helper, script, { mode: 0o755 })
    const { privilege: own, notices } = privilege(helper)
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
