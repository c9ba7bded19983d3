import { execa } from 'execa'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type TestHelper, installTestHelper } from '../privilege/helper.testing'
import { mayMakeAppsWorld } from '../tunnel/apps-computers.testing'
import { standInFor } from '../platform/apps/run-in-slice'
import { createAppServices } from './app-services'

const unused = () => Promise.reject(new Error('It must not be called.'))

/** Needs root and control groups. */
describe.runIf(await mayMakeAppsWorld())('programs outside and inside without systemd', () => {
  let installed: TestHelper
  beforeAll(async () => {
    installed = await installTestHelper('mount -t cgroup2 none /sys/fs/cgroup\nunset SUDO_UID PKEXEC_UID\n')
  })
  afterAll(async () => {
    await execa(installed.helper, ['repair'])
    await installed.remove()
  })

  const services = (hasSystemd = false) =>
    createAppServices(
      { all: unused, set: unused },
      {
        openManager: () => Promise.resolve(undefined),
        findHelper: () => Promise.resolve({ helper: installed.helper, elevation: 'root' }),
        hasSystemd: () => hasSystemd,
      },
    ).apps

  /** Returns the group of version 2 in which a process is. */
  const groupOf = async (pid: number | undefined): Promise<string> =>
    /^0::(.*)$/m.exec(await readFile(`/proc/${String(pid)}/cgroup`, 'utf8'))?.[1] ?? ''

  it('start in the group of the helper', async () => {
    const child = await services().start('outside', [
      'sh',
      '-c',
      'test "$(grep ^0:: /proc/self/cgroup)" = "$1"',
      'sh',
      '0::/causeway-apps/0/outside',
    ])
    await standInFor(child)
    expect(process.exitCode).toBe(0)
    process.exitCode = undefined
  })

  it('are moved there while they run, and back', async () => {
    const running = execa('cat', { reject: false, stdin: 'pipe' })
    onTestFinished(async () => {
      running.stdin.end()
      await running
    })
    for (const side of ['outside', 'inside'] as const) {
      await services().move(side, running.pid ?? 0)
      expect(await groupOf(running.pid)).toBe(`/causeway-apps/0/${side}`)
    }
  })

  it('are not moved if they have ended, and not where systemd runs', async () => {
    const running = execa('true')
    await once(running, 'exit')
    const pid = running.pid ?? 0
    await expect(services().move('outside', pid)).rejects.toMatchObject({ code: 'apps/not-moved' })
    await expect(services(true).start('outside', ['true'])).rejects.toMatchObject({ code: 'apps/no-manager' })
  })
})
