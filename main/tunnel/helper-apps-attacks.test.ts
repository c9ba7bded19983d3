import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { appsUser, everywhere, own } from './apps-programs.testing'
import { rename } from 'node:fs/promises'
import { groupsTop, mayMakeAppsWorld } from './apps-computers.testing'
import { AppsWorld } from './apps-world.testing'
import type { TestHelper } from '../privilege/helper.testing'
import { rows, slow } from '../../scripts/slow.testing'

const may = await mayMakeAppsWorld()

/** Needs root, a tun device, control groups and nft. Uses private namespaces, with a strict reverse path filter. */
describe.runIf(may)('apps outside and inside, attacked and killed', () => {
  let world: AppsWorld
  let installed: TestHelper
  let killable: TestHelper
  let before: Record<string, string>

  beforeAll(async () => {
    world = await AppsWorld.make()
    installed = await world.install('linux')
    killable = await world.install('killpoints')
  })

  beforeEach(async () => {
    before = await world.snapshot()
  })

  afterEach(() => world.stop())

  afterAll(async () => {
    await world.remove()
    for (const each of [installed, killable]) await each.remove()
  })

  async function expectNothingLeft(): Promise<void> {
    await vi.waitFor(
      async () => {
        expect(await world.snapshot()).toEqual(before)
      },
      { timeout: 10_000 },
    )
  }

  describe('attacks', () => {
    it('takes groups of the caller alone, and no others', async () => {
      const [mine, others] = [await world.group('mine'), await world.group('others', appsUser - 1)]
      const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps except allow'] })
      await tunnel.connected()
      for (const refused of [
        others,
        '/user.slice',
        `/user.slice/user-${appsUser}.slice`,
        `/user.slice/user-${appsUser}.slice/`,
        `/user.slice/user-${appsUser}.slice/../user-${appsUser - 1}.slice/x`,
        `/user.slice/user-${appsUser}.slice/./mine`,
        `/user.slice/user-${appsUser}.slice//mine`,
        `/user.slice/user-0${appsUser}.slice/mine`,
        `user.slice/user-${appsUser}.slice/mine`,
        // A container's.
        '/system.slice/docker-0123.scope',
        `/user.slice/user-${appsUser}.slice/a/b/c/d/e/f/g`,
        `/user.slice/user-${appsUser}.slice/${'x'.repeat(1000)}`,
        `/user.slice/user-${appsUser}.slice/é`,
        '/causeway/apps/1',
        '/causeway/65534',
        '',
      ])
        expect([refused, await tunnel.ask(`app add ${refused}`)]).toEqual([refused, 'refused'])
      // Files of the group, not groups.
      expect(await tunnel.ask(`app add ${mine}/cgroup.procs`)).toBe('refused')
      expect(await tunnel.ask(`app add ${mine}x`)).toBe('gone')
      expect(await tunnel.ask(`app remove ${mine}`)).toBe('none')
      for (const unknown of [
        'app',
        'app x',
        'app list x',
        'app move 1',
        'app move -1',
        'app move x',
        'app names',
      ])
        expect([unknown, await tunnel.ask(`${unknown} `)]).toEqual([unknown, 'refused'])
      expect(await tunnel.ask('app list')).toBe('listed')
    })

    it.each([
      ['apps', 'apps all'],
      ['apps', 'apps only allow'],
      ['apps', 'apps except'],
      ['app', 'apps only block', `app /user.slice/user-${appsUser - 1}.slice/x/y`],
      [
        'app',
        'apps only block',
        ...Array.from({ length: 257 }, () => `app /user.slice/user-${appsUser}.slice/x`),
      ],
    ])('refuses a request with %s: %s', async (word, ...apps) => {
      const tunnel = await world.tunnel('wireguard', installed, { apps })
      await tunnel.lineMatching(new RegExp(`^refused ${word}$`))
      expect((await tunnel.child).exitCode).toBe(65)
      await expectNothingLeft()
    })

    it("leaves another user's process in a listed group alone", async () => {
      const first = await world.group('first')
      const [app, guest] = [await world.start(first), await world.start(first, appsUser - 1)]
      const tunnel = await world.tunnel('wireguard', installed, {
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      await world.expectSide(app, 'outside')
      await world.expectSide(guest, 'wireguard')
    })

    it('takes no group for one that is gone and had its name', async () => {
      const first = await world.group('first')
      const tunnel = await world.tunnel('wireguard', installed, {
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      const listed = await tunnel.ask('app list')
      expect(listed).toMatch(/^listed \d+$/)
      await world.deleteGroup(first)
      const app = await world.start(await world.group('first'))
      await world.expectSide(app, 'wireguard')
      expect(await tunnel.ask('app list')).toBe('listed')
      expect(await tunnel.ask(`app remove ${first}`)).toBe('none')
      expect(await tunnel.ask(`app add ${first}`)).toBe('added')
      expect(await tunnel.ask('app list')).not.toBe(listed)
      await world.expectSide(app, 'outside')
    })

    it('decides by the group in which a socket was made, also below it, and after a process has left it', async () => {
      const [first, second] = [await world.group('first'), await world.group('second')]
      const below = await world.group('first/below')
      const [app, inner] = [await world.start(second), await world.start(below)]
      const tunnel = await world.tunnel('wireguard', installed, {
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      await world.expectSide(inner, 'outside')
      const host = everywhere[0]
      expect(await app.tcp(host, 'kept')).toBe(own.wireguard[0])
      await world.moveTo(app, below)
      expect(await app.again('kept')).toBe(own.wireguard[0])
      expect(await app.tcp(host, 'new')).toBe(own.outside[0])
      await world.moveTo(app, second)
      expect(await app.again('new')).toBe(own.outside[0])
      expect(await app.again('kept')).toBe(own.wireguard[0])
      expect(await app.tcp(host, 'newer')).toBe(own.wireguard[0])
    })

    it('follows a listed group under no other name, and no child that leaves it', async () => {
      const [first, second] = [await world.group('first'), await world.group('second')]
      const top = (await groupsTop()) ?? ''
      await expect(rename(top + first, `${top}${first}-renamed`)).rejects.toThrow(
        /EPERM|EACCES|EOPNOTSUPP|ENOSYS/,
      )
      const tunnel = await world.tunnel('wireguard', installed, {
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      const [stays, leaves] = [await world.start(first), await world.start(first)]
      await world.moveTo(leaves, second)
      await world.expectSide(stays, 'outside')
      await world.expectSide(leaves, 'wireguard')
    })

    slow('lists 256 groups that exist, and forgets 10,000 that are gone', async () => {
      const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps except allow'] })
      await tunnel.connected()
      const groups = Array.from({ length: 256 }, (_, index) => `scope-${index}`)
      for (const name of groups) expect(await tunnel.ask(`app add ${await world.group(name)}`)).toBe('added')
      const last = await world.group('last')
      expect(await tunnel.ask(`app add ${last}`)).toBe('full')
      const gone = await world.group('scope-0')
      await world.deleteGroup(gone)
      expect(await tunnel.ask(`app add ${last}`)).toBe('added')
      expect((await tunnel.ask('app list')).split(',')).toHaveLength(256)
      for (let index = 0; index < 10_000; index += 1) tunnel.send(`app add ${gone}`)
      expect(await tunnel.ask(`app remove ${last}`)).toMatch(/gone|removed/)
    })

    it('reaches an app outside that listens, from the network alone', async () => {
      const first = await world.group('first')
      const app = await world.start(first)
      const tunnel = await world.tunnel('wireguard', installed, {
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      expect(await app.listen(9001)).toBe('listening')
      expect(await world.reaches('10.77.1.2', 9001, everywhere[0])).toBe(true)
      expect(await world.reaches('10.88.0.2', 9001, '10.88.0.1')).toBe(false)
    })

    it('moves no process, which could leave the limits of its group', async () => {
      const [app, guest] = [
        await world.start(await world.group('first')),
        await world.start(await world.group('first'), appsUser - 1),
      ]
      const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps except allow'] })
      await tunnel.connected()
      for (const pid of [guest.pid, 4_194_304, app.pid])
        expect(await tunnel.ask(`app move ${pid}`)).toBe('refused')
      await world.expectSide(app, 'wireguard')
      await world.expectSide(guest, 'wireguard')
    })

    it.each(rows(['only block', 'except allow'], 1))(
      "leaves another program's table alone: %s",
      async (mode) => {
        const theirs = ['route', 'add', '198.51.100.0/24', 'via', '10.77.1.1', 'table', '4096']
        await world.inClient('ip', ...theirs)
        const first = await world.group('first')
        const tunnel = await world.tunnel('wireguard', installed, { apps: [`apps ${mode}`, `app ${first}`] })
        await tunnel.lineMatching(/^failed apps network-table taken$/)
        expect((await tunnel.child).exitCode).toBe(65)
        expect(await world.inClient('ip', 'route', 'show', 'table', '4096')).toContain('198.51.100.0/24')
        await world.inClient('ip', 'route', 'flush', 'table', '4096')
        await expectNothingLeft()
      },
    )
  })

  describe('kills', () => {
    it.each(
      rows(
        ['apps', 'apps-routed', 'apps-marked', 'apps-ruled', 'undo-apps', 'undo-rules', 'undo-table'].flatMap(
          (step) => (['except allow', 'only block'] as const).map((mode) => [step, mode] as const),
        ),
        3,
      ),
    )('leaves nothing when the helper is killed at the step %s: %s', async (step, mode) => {
      const first = await world.group('first')
      await world.killAt(killable, step)
      const tunnel = await world.tunnel('wireguard', killable, { apps: [`apps ${mode}`, `app ${first}`] })
      if (step.startsWith('undo')) {
        await tunnel.connected()
        await tunnel.stop()
      }
      await tunnel.child
      expect(await world.hasKillMark(killable)).toBe(false)
      await expectNothingLeft()
    })

    it.each(rows(['kill-switch-noted', 'kill-switch-apps', 'kill-switch-up'], 1))(
      'can lift a kill switch of which the helper was killed at the step %s',
      async (step) => {
        const first = await world.group('first')
        await world.killAt(killable, step)
        const tunnel = await world.tunnel('wireguard', killable, {
          killSwitch: true,
          apps: ['apps only block', `app ${first}`],
        })
        await tunnel.child
        await world.release(killable)
        await expectNothingLeft()
      },
    )

    it.each(rows(['wireguard', 'run'] as const, 1))(
      'blocks the apps inside when the helper is killed: %s',
      async (protocol) => {
        const first = await world.group('first')
        const [app, other] = [await world.start(first), await world.start(await world.group('second'))]
        const tunnel = await world.tunnel(protocol, installed, {
          killSwitch: true,
          apps: ['apps only block', `app ${first}`],
        })
        const device = await tunnel.connected()
        await world.expectSide(app, protocol)
        await world.forgetArrivals()
        process.kill(Number(device.replaceAll(/\D/g, '')), 'SIGKILL')
        await tunnel.child
        const { outside } = await world.arrivals(app.port)
        expect(outside).toEqual([])
        // Until the watcher has undone the rest, routes refuse packets, too.
        await vi.waitFor(
          async () => {
            const { devices, rules, routes } = await world.snapshot()
            expect({ devices, rules, routes }).toEqual({
              devices: before.devices,
              rules: before.rules,
              routes: before.routes,
            })
          },
          { timeout: 10_000 },
        )
        for (const host of everywhere) expect(await app.udp(host)).toMatch(/silence|EPERM/)
        expect(await world.arrivals(app.port)).toMatchObject({ outside: [] })
        await world.expectSide(other, 'outside')
        await world.release(installed)
        await expectNothingLeft()
      },
    )
  })
})
