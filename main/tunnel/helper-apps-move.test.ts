import { execa } from 'execa'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { appsUser } from './apps-programs.testing'
import { mayMakeAppsWorld } from './apps-computers.testing'
import { AppsWorld } from './apps-world.testing'
import { sbin } from './joined-spaces.testing'
import type { TestHelper } from '../privilege/helper.testing'
import { rows } from '../../scripts/slow.testing'

const may = await mayMakeAppsWorld()
const [outside, inside] = ['outside', 'inside'].map((side) => `/causeway-apps/${appsUser}/${side}`) as [
  string,
  string,
]

/** Needs root, a tun device, control groups and nft. Uses private namespaces, and the control groups of this computer. */
describe.runIf(may)('apps in groups that the helper makes', () => {
  let world: AppsWorld
  let installed: TestHelper
  let killable: TestHelper

  beforeAll(async () => {
    world = await AppsWorld.make()
    installed = await world.install('linux')
    killable = await world.install('killpoints')
  })

  afterEach(() => world.stop())

  afterAll(async () => {
    await world.remove()
    for (const each of [installed, killable]) await each.remove()
  })

  /** Ends an app, and expects that the next call of the helper removes its group. */
  async function expectNoGroups(): Promise<void> {
    await vi.waitFor(async () => {
      await world.command(installed, 'repair')
      expect([outside, inside].filter((each) => world.hasGroup(each))).toEqual([])
    })
  }

  it('moves a process of the caller, without a tunnel and in one', async () => {
    const app = await world.start(await world.plainGroup('a'))
    const list = await world.list(installed)
    expect(await list.ask(`app move ${app.pid} outside`)).toBe('moved')
    expect(await world.groupOf(app.pid)).toBe(outside)
    expect(await list.stop()).toBe(0)
    const tunnel = await world.tunnel('wireguard', installed, {
      apps: ['apps except allow', `app ${outside}`],
    })
    await tunnel.connected()
    await world.expectSide(app, 'outside')
    const other = await world.start(outside)
    expect(await tunnel.ask(`app move ${other.pid} inside`)).toBe('moved')
    expect(await world.groupOf(other.pid)).toBe(inside)
    await world.expectSide(other, 'wireguard')
    for (const each of [app, other]) await each.end()
    // It is listed, so nobody removes it.
    await world.command(installed, 'repair')
    expect(world.hasGroup(outside)).toBe(true)
    expect(await tunnel.stop()).toBe(0)
    await expectNoGroups()
  })

  it('has only the moved ones inside', async () => {
    const [app, other] = [
      await world.start(await world.plainGroup('a')),
      await world.start(await world.plainGroup('b')),
    ]
    const tunnel = await world.tunnel('wireguard', installed, {
      apps: ['apps only block', `app ${inside}`],
    })
    await tunnel.connected()
    expect(await tunnel.ask(`app move ${app.pid} inside`)).toBe('moved')
    await world.expectSide(app, 'wireguard')
    await world.expectSide(other, 'outside')
    await app.end()
    await tunnel.stop()
    await expectNoGroups()
  })

  it.each([
    ['another user', appsUser - 1, []],
    ['root', 0, []],
    ['a program with a capability', appsUser, ['--inh-caps=+net_raw', '--ambient-caps=+net_raw']],
  ])('refuses a process of %s', async (_name, user, rights) => {
    const as = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...rights, '--', 'cat']
    const child = execa('setpriv', as, { ...sbin, reject: false, buffer: false })
    const before = await world.groupOf(child.pid ?? 0)
    const list = await world.list(installed)
    expect(await list.ask(`app move ${child.pid ?? 0} outside`)).toBe('refused')
    expect(await world.groupOf(child.pid ?? 0)).toBe(before)
    child.stdin.end()
    await child
    await list.stop()
    await expectNoGroups()
  })

  it('refuses a setuid program that the caller runs, and what is no process of a program', async () => {
    const folder = await execa('mktemp', ['-d', '/var/tmp/causeway-setuid-XXXXXX'])
    const program = path.join(folder.stdout, 'cat')
    await execa('sh', ['-c', `chmod 755 ${folder.stdout} && cp /bin/cat ${program} && chmod 4755 ${program}`])
    const as = [`--reuid=${appsUser}`, `--regid=${appsUser}`, '--clear-groups', '--', program]
    const child = execa('setpriv', as, { ...sbin, reject: false, buffer: false })
    // Its first answer comes from the program itself.
    child.stdin.write('x\n')
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const list = await world.list(installed)
    expect(await list.ask(`app move ${child.pid ?? 0} outside`)).toBe('refused')
    child.stdin.end()
    await child
    await rm(folder.stdout, { recursive: true })
    // A thread of the kernel, which has no program. A container doesn't show it.
    const second = await readFile('/proc/2/comm', 'utf8').catch(() => '')
    if (second === 'kthreadd\n') expect(await list.ask('app move 2 outside')).toBe('refused')
    expect(await list.ask('app move 4194304 outside')).toMatch(/^(?:gone|refused)$/)
    for (const words of [
      '',
      '1 outside',
      '0 outside',
      '-5 outside',
      '5',
      '05 outside',
      '5 x',
      '5 outside/..',
      '5  inside',
    ])
      expect([words, await list.ask(`app move ${words}`)]).toEqual([words, 'refused'])
    await list.stop()
    await expectNoGroups()
  })

  it("leaves a process in a unit of systemd's, and in a group that is frozen", async () => {
    const [plain, unit] = [await world.plainGroup('a'), await world.group('first')]
    const [app, managed] = [await world.start(plain), await world.start(unit)]
    const list = await world.list(installed)
    expect(await list.ask(`app move ${managed.pid} outside`)).toBe('managed')
    expect(await world.groupOf(managed.pid)).toBe(unit)
    await world.freeze(plain, true)
    const answer = await list.ask(`app move ${app.pid} outside`)
    await world.freeze(plain, false)
    expect(answer).toBe('limited')
    expect(await world.groupOf(app.pid)).toBe(plain)
    await list.stop()
    await expectNoGroups()
  })

  it.each(rows(['app-checked', 'app-pinned', 'app-allowed'], 2))(
    'moves nothing for a process that ended at the step %s',
    async (step) => {
      const app = await world.start(await world.plainGroup('a'))
      const list = await world.list(killable)
      await world.stopAt(killable, step)
      const answer = list.ask(`app move ${app.pid} outside`)
      const helper = await stopped()
      process.kill(app.pid, 'SIGKILL')
      // Where it is traced, nobody gets its number, and its parent isn't told yet.
      if (step === 'app-checked') await app.ended()
      else await vi.waitFor(() => world.expectZombie(app.pid))
      process.kill(helper, 'SIGCONT')
      expect(await answer).toBe('gone')
      await app.ended()
      await list.stop()
      await expectNoGroups()
    },
  )

  it.each(rows(['app-allowed', 'undo-journal', 'groups', 'groups-made', 'app-pinned'], 2))(
    'leaves nothing when the helper is killed at the step %s',
    async (step) => {
      const app = await world.start(await world.plainGroup('a'))
      await world.killAt(killable, step)
      const list = await world.list(killable)
      list.send(`app move ${app.pid} outside`)
      if (step === 'undo-journal') await list.stop()
      await list.child
      expect(await world.hasKillMark(killable)).toBe(false)
      await app.end()
      await world.command(killable, 'repair')
      await expectNoGroups()
    },
  )

  it('ends with all tunnels, and starts no more', async () => {
    const list = await world.list(installed)
    await world.command(installed, 'stop', '--all')
    await list.child
    const late = world.list(installed)
    await expect(late).rejects.toThrow('failed stopped')
    await rm(path.join(installed.folder, 'state/stopped'))
  })

  /** Waits for the helper for tests that has stopped, and returns it. */
  function stopped(): Promise<number> {
    return vi.waitFor(async () => {
      const found = await execa('sh', [
        '-c',
        `for p in /proc/[0-9]*; do
          [ "$(readlink $p/exe)" = /mnt/causeway-helper ] && grep -q '^State:.T' $p/status && grep -qz "^apps$" $p/cmdline && basename $p
        done; true`,
      ])
      const [pid] = found.stdout.split('\n').filter(Boolean)
      if (pid === undefined) throw new Error('No helper has stopped.')
      return Number(pid)
    })
  }
})
