import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { appsUser, everywhere, own } from './apps-programs.testing'
import { mayMakeAppsWorld } from './apps-computers.testing'
import { AppsWorld } from './apps-world.testing'
import type { TestHelper } from '../privilege/helper.testing'
import { rows, slow } from '../../scripts/slow.testing'

const may = await mayMakeAppsWorld()

/** Needs root, a tun device, control groups and nft. Uses private namespaces, with a strict reverse path filter. */
describe.runIf(may)('apps outside and inside, through the helper', () => {
  let world: AppsWorld
  let installed: TestHelper
  let before: Record<string, string>
  const running: (() => Promise<void>)[] = []

  beforeAll(async () => {
    world = await AppsWorld.make()
    installed = await world.install('linux')
  })

  beforeEach(async () => {
    before = await world.snapshot()
  })

  afterEach(async () => {
    await world.stop()
    for (const undo of running.splice(0)) await undo()
  })

  afterAll(async () => {
    await world.remove()
    await installed.remove()
  })

  async function expectNothingLeft(): Promise<void> {
    await vi.waitFor(
      async () => {
        expect(await world.snapshot()).toEqual(before)
      },
      { timeout: 10_000 },
    )
  }

  const each = (['wireguard', 'run'] as const).flatMap((protocol) =>
    [true, false].map((killSwitch) => ({ protocol, killSwitch }) as const),
  )

  it.each(rows(each, 1))(
    'leaves listed apps outside: $protocol, kill switch $killSwitch',
    async ({ protocol, killSwitch }) => {
      const [first, second, plain] = [
        await world.group('first'),
        await world.group('second'),
        await world.group('plain'),
      ]
      const apps = [await world.start(first), await world.start(second), await world.start(plain)] as const
      const tunnel = await world.tunnel(protocol, installed, {
        killSwitch,
        apps: ['apps except allow', `app ${first}`],
      })
      await tunnel.connected()
      await world.expectSide(apps[0], 'outside')
      await world.expectSide(apps[1], protocol)
      await world.expectSide(apps[2], protocol)
      expect(await tunnel.ask(`app add ${second}`)).toBe('added')
      await world.expectSide(apps[1], 'outside')
      expect(await tunnel.ask(`app remove ${first}`)).toBe('removed')
      await world.expectSide(apps[0], protocol)
      await world.expectSide(apps[1], 'outside')
      expect(await tunnel.stop()).toBe(0)
      if (!killSwitch) await expectNothingLeft()
    },
  )

  it.each(rows(each, 1))(
    'has listed apps alone inside: $protocol, kill switch $killSwitch',
    async ({ protocol, killSwitch }) => {
      const [first, second] = [await world.group('first'), await world.group('second')]
      const apps = [await world.start(first), await world.start(second)] as const
      const tunnel = await world.tunnel(protocol, installed, {
        killSwitch,
        apps: ['apps only block', `app ${first}`],
      })
      await tunnel.connected()
      await world.expectSide(apps[0], protocol)
      await world.expectSide(apps[1], 'outside')
      expect(await tunnel.ask(`app add ${second}`)).toBe('added')
      await world.expectSide(apps[1], protocol)
      expect(await tunnel.ask(`app remove ${first}`)).toBe('removed')
      await world.expectSide(apps[0], 'outside')
      expect(await tunnel.stop()).toBe(0)
      if (!killSwitch) await expectNothingLeft()
    },
  )

  it.each(
    rows(
      [
        ['except allow', true, false],
        ['except block', false, false],
        ['only block', false, true],
      ],
      2,
    ),
  )('blocks while the tunnel is down: %s', async (mode, listedMay, othersMay) => {
    const apps = [
      await world.start(await world.group('first')),
      await world.start(await world.group('second')),
    ] as const
    const [first, second] = [await world.group('first'), await world.group('second')]
    const tunnel = await world.tunnel('wireguard', installed, {
      killSwitch: true,
      apps: [`apps ${mode}`, `app ${first}`],
    })
    await tunnel.connected()
    // The list when the tunnel ends counts.
    expect(await tunnel.ask(`app add ${second}`)).toBe('added')
    expect(await tunnel.ask(`app remove ${first}`)).toBe('removed')
    expect(await tunnel.stop()).toBe(0)
    await world.forgetArrivals()
    for (const [app, may] of [
      [apps[1], listedMay],
      [apps[0], othersMay],
    ] as const) {
      if (may) await world.expectSide(app, 'outside')
      else {
        const answers = await Promise.all(everywhere.flatMap((host) => [app.tcp(host), app.udp(host)]))
        for (const answer of answers) expect(answer).toMatch(/silence|EPERM/)
        expect(await world.arrivals(app.port)).toEqual({ outside: [], inside: [] })
      }
    }
    expect(await world.release(installed)).toContain('kill-switch released')
    await expectNothingLeft()
    await world.expectSide(apps[0], 'outside')
  })

  slow('lists apps that start while the tunnel is down', async () => {
    const [first, second] = [await world.group('first'), await world.group('second')]
    const [app, other] = [await world.start(first), await world.start(second)]
    for (const mode of ['only block', 'except allow']) {
      const [listed, others] =
        mode === 'only block' ? ['silence', own.outside[0]] : [own.outside[0], 'silence']
      const apps = [`apps ${mode}`, `app ${first}`]
      const tunnel = await world.tunnel('wireguard', installed, { killSwitch: true, apps })
      await tunnel.connected()
      await tunnel.stop()
      const list = await world.list(installed)
      const host = everywhere[0]
      expect([await app.tcp(host), await other.tcp(host)]).toEqual([listed, others])
      expect(await list.ask('app list')).toMatch(/^listed \d+$/)
      for (let twice = 0; twice < 2; twice += 1) expect(await list.ask(`app add ${second}`)).toBe('added')
      expect(await list.ask('app list')).toMatch(/^listed \d+,\d+$/)
      expect(await other.tcp(host)).toBe(listed)
      expect(await list.ask(`app remove ${second}`)).toBe('removed')
      expect(await list.ask(`app remove ${second}`)).toBe('none')
      expect(await other.tcp(host)).toBe(others)
      expect(await list.ask(`app add ${first}x`)).toBe('gone')
      for (const refused of [
        'app add /user.slice/user-1.slice/x',
        'app move 5',
        'app names off',
        'apps',
        'release',
      ])
        expect(await list.ask(refused)).toBe('refused')
      await world.release(installed)
      expect(await list.ask(`app add ${second}`)).toBe('off')
      expect(await list.stop()).toBe(0)
    }
    await expectNothingLeft()
  })

  slow(
    'replaces a kill switch of another mode, and lifts one that is up without a gap in its tables',
    async () => {
      const app = await world.start(await world.group('first'))
      const first = await world.group('first')
      for (const apps of [
        ['apps only block', `app ${first}`],
        [],
        ['apps except allow', `app ${first}`],
        ['apps only block'],
      ]) {
        const tunnel = await world.tunnel('wireguard', installed, { killSwitch: true, apps })
        await tunnel.connected()
        await tunnel.stop()
        const tables = await world.inClient('nft', 'list', 'tables')
        expect(tables.includes('_inside')).toBe(apps[0]?.includes('only') === true)
        expect(tables.includes('_outside')).toBe(apps[0]?.includes('except') === true)
      }
      // Nothing is listed any more.
      await world.expectSide(app, 'outside')
      const tunnel = await world.tunnel('wireguard', installed, {
        killSwitch: true,
        apps: ['apps only block'],
      })
      await tunnel.connected()
      tunnel.send('release')
      await tunnel.lineMatching(/^kill-switch released/)
      expect(await tunnel.ask(`app add ${first}`)).toBe('added')
      await world.expectSide(app, 'wireguard')
      await tunnel.stop()
      await expectNothingLeft()
    },
  )

  it.each([
    ['wireguard', 'only block'],
    ['run', 'except allow'],
  ] as const)(
    'keeps apps on their sides when a firewall loads its rules anew: %s, %s',
    async (protocol, mode) => {
      const [first, second] = [await world.group('first'), await world.group('second')]
      const [listed, other] = [await world.start(first), await world.start(second)]
      const tunnel = await world.tunnel(protocol, installed, { apps: [`apps ${mode}`, `app ${first}`] })
      await tunnel.connected()
      await world.inClient('nft', 'flush', 'ruleset')
      await vi.waitFor(
        async () => {
          expect(await world.inClient('nft', 'list', 'ruleset')).toMatch(/set apps \{\s+[^}]*elements = /)
        },
        { timeout: 10_000 },
      )
      const isListedInside = mode === 'only block'
      await world.expectSide(listed, isListedInside ? protocol : 'outside')
      await world.expectSide(other, isListedInside ? 'outside' : protocol)
      expect(await tunnel.stop()).toBe(0)
      await expectNothingLeft()
    },
  )

  it('adds nothing for an empty list', async () => {
    const tunnel = await world.tunnel('run', installed, { apps: ['apps except allow'] })
    await tunnel.connected()
    const first = await world.group('first')
    const empty = await world.snapshot()
    expect(empty.firewall).not.toContain('_apps')
    expect(await tunnel.ask(`app add ${first}`)).toBe('added')
    expect((await world.snapshot()).firewall).toContain('_apps')
    expect(await tunnel.ask(`app remove ${first}`)).toBe('removed')
    const { setting: _, ...rest } = await world.snapshot()
    expect(rest).toEqual({ ...rest, rules: empty.rules, routes: empty.routes, firewall: empty.firewall })
    await tunnel.stop()
    await expectNothingLeft()
  })

  it.each(rows(['wireguard', 'run'] as const, 1))(
    'cuts connections of the other side, and keeps those from before: %s',
    async (protocol) => {
      const [first, second] = [await world.group('first'), await world.group('second')]
      const [app, other] = [await world.start(first), await world.start(second)]
      const host = everywhere[0]
      // It was outside before, and stays there.
      expect(await app.tcp(host, 'before')).toBe('10.77.1.2')
      const tunnel = await world.tunnel(protocol, installed, { apps: ['apps except allow', `app ${first}`] })
      await tunnel.connected()
      expect(await app.again('before')).toBe('10.77.1.2')
      for (const [index, family] of everywhere.entries()) {
        const inside = expect.stringContaining(own[protocol][index] ?? '') as string
        expect(await other.tcp(family, family)).toEqual(inside)
        expect(await other.udp(family)).toEqual(inside)
        expect(await tunnel.ask(`app add ${second}`)).toBe('added')
        await world.forgetArrivals()
        expect(await other.again(family)).toBe('ECONNRESET')
        // With the same addresses and ports.
        expect(await other.udp(family)).toBe(own.outside[index])
        expect((await world.arrivals(other.port)).inside).toEqual([])
        expect(await other.tcp(family, family)).toBe(own.outside[index])
        expect(await tunnel.ask(`app remove ${second}`)).toBe('removed')
        await world.forgetArrivals()
        expect(await other.again(family)).toBe('ECONNRESET')
        expect(await other.udp(family)).toEqual(inside)
        expect((await world.arrivals(other.port)).outside).toEqual([])
      }
      await tunnel.stop()
      await expectNothingLeft()
    },
  )

  it.each(rows(['wireguard', 'run'] as const, 1))('follows the network: %s', async (protocol) => {
    const first = await world.group('first')
    const app = await world.start(first)
    const tunnel = await world.tunnel(protocol, installed, { apps: ['apps except allow', `app ${first}`] })
    await tunnel.connected()
    const host = everywhere[0]
    const expectAnswer = (answer: RegExp) =>
      vi.waitFor(
        async () => {
          expect(await app.tcp(host)).toMatch(answer)
        },
        { timeout: 20_000 },
      )
    await world.forgetArrivals()
    const ip = (words: string) => world.inClient('ip', ...words.split(' '))
    running.push(async () => {
      for (const words of [
        'address replace 10.77.1.2/24 dev wan',
        'route replace default via 10.77.1.1 metric 100',
      ])
        await ip(words)
    })
    await ip('route add default via 10.77.1.1 metric 50 src 10.77.1.2')
    await ip('route delete default metric 100')
    await expectAnswer(/^10\.77\.1\.2$/)
    // A route of another program's.
    await ip(`route add unreachable ${host}`)
    await expectAnswer(/silence/)
    await ip(`route delete unreachable ${host}`)
    await expectAnswer(/^10\.77\.1\.2$/)
    // The network goes, and another one comes.
    await ip('address delete 10.77.1.2/24 dev wan')
    await expectAnswer(/EHOSTUNREACH|ENETUNREACH|silence/)
    await ip('address add 10.77.1.3/24 dev wan')
    await ip('route add default via 10.77.1.1 metric 100')
    await expectAnswer(/^10\.77\.1\.3$/)
    expect((await world.arrivals(app.port)).inside).toEqual([])
    await tunnel.stop()
    await ip('address delete 10.77.1.3/24 dev wan')
  })

  slow("keeps an app outside where another user's tunnel was there first", async () => {
    const second = await world.install('linux', appsUser - 1)
    running.push(() => second.remove())
    const [listed, theirs] = [await world.group('listed'), await world.group('theirs', appsUser - 1)]
    const mine = await world.start(listed)
    const apps = ['apps except allow', `app ${theirs}`]
    await (await world.tunnel('wireguard', second, { apps })).connected()
    const options = ['apps except allow', `app ${listed}`]
    await (await world.tunnel('run', installed, { apps: options })).connected()
    await world.expectSide(mine, 'outside')
  })

  it("keeps apps outside of two users' tunnels apart", async () => {
    const second = await world.install('linux', appsUser - 1)
    running.push(() => second.remove())
    const [first, theirs] = [await world.group('first'), await world.group('theirs', appsUser - 1)]
    const [mine, other] = [await world.start(first), await world.start(theirs, appsUser - 1)]
    const tunnel = await world.tunnel('run', installed, { apps: ['apps except allow', `app ${first}`] })
    await tunnel.connected()
    const apps = ['apps except allow', `app ${theirs}`]
    await (await world.tunnel('wireguard', second, { apps })).connected()
    await world.expectSide(mine, 'outside')
    // Outside of their own tunnel is the other user's. Its server's answers have to pass the filter.
    await world.expectSide(other, 'run')
  })

  it('asks the name servers that all ask, or those of the network', async () => {
    const first = await world.group('first')
    const app = await world.start(first)
    const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps except allow', `app ${first}`] })
    await tunnel.connected()
    tunnel.send('dns 10.88.0.1')
    await tunnel.lineMatching(/^dns applied/)
    expect(await app.udp('10.88.0.1', 'names', 53)).toBe('inside asked by 10.88.0.2')
    for (const refused of ['127.0.0.1', 'fe80::1', '224.0.0.1', 'x', '10.0.0.1,', ''])
      expect(await tunnel.ask(`app names ${refused}`)).toBe('refused')
    expect(await tunnel.ask('app names 10.77.1.1')).toBe('names')
    expect(await app.udp('10.88.0.1', 'names', 53)).toBe('outside asked by 10.77.1.2')
    expect(await tunnel.ask('app names off')).toBe('names')
    expect(await app.udp('10.88.0.1', 'names', 53)).toBe('inside asked by 10.88.0.2')
    await tunnel.stop()
    await expectNothingLeft()
  })

  it('has everybody ask the name servers of a tunnel for listed apps alone', async () => {
    const app = await world.start(await world.group('first'))
    const tunnel = await world.tunnel('wireguard', installed, { apps: ['apps only block'] })
    await tunnel.connected()
    tunnel.send('dns 10.88.0.1')
    await tunnel.lineMatching(/^dns applied/)
    expect(await app.udp('10.88.0.1', 'names', 53)).toBe('inside asked by 10.88.0.2')
    await world.expectSide(app, 'outside')
    await tunnel.stop()
    await expectNothingLeft()
  })
})
