import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { isNightly } from '../../scripts/nightly-tests'
import { type Settings, settingsSchema } from '../../contract/settings'
import type { UserManager } from '../platform/apps/user-manager'
import type { NetworkEvent } from '../platform/network/network-events'
import { linuxRoutes } from '../platform/routes/linux-routes'
import type { TestHelper } from '../privilege/helper.testing'
import { TrafficBlock } from '../privilege/traffic-block'
import { mayMakeAppsWorld } from '../tunnel/apps-computers.testing'
import { appsUser, everywhere, lastApps } from '../tunnel/apps-programs.testing'
import { type App, AppsWorld, type Protocol } from '../tunnel/apps-world.testing'
import { createTunnelBackend } from '../tunnel/open-tunnel'
import { prepareOpenVpn } from '../tunnel/openvpn/openvpn'
import type { GrantedTunnel, TunnelEvent } from '../tunnel/tunnel'
import { wireGuard } from '../tunnel/wireguard/wireguard'
import { createAppsDivider } from './divide-apps'
import { rows } from '../../scripts/slow.testing'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const unused = () => Promise.reject(new Error('It must not be called.'))

/** Stands for the systemd of the apps' user, which the test itself is. */
class UnitList {
  readonly #world: AppsWorld
  readonly #units = new Map<string, string>()
  #tell: Parameters<UserManager['watch']>[0] | undefined

  constructor(world: AppsWorld) {
    this.#world = world
  }

  /** Starts an app, of which the desktop tells by `announce`. */
  async start(unit: string): Promise<App> {
    const group = await this.#world.group(unit)
    this.#units.set(unit, group)
    return this.#world.start(group)
  }

  announce(unit: string): void {
    const controlGroup = this.#units.get(unit)
    if (controlGroup !== undefined && this.#tell?.isWanted(unit) === true)
      this.#tell.onRunning({ unit, controlGroup, run: unit })
  }

  open(announced: readonly string[]): UserManager {
    return {
      startSlice: async (slice) => ({
        unit: slice,
        controlGroup: await this.#world.group(slice),
        run: slice,
      }),
      startScope: unused,
      watch: (listener) => {
        this.#tell = listener
        for (const unit of announced) this.announce(unit)
        return Promise.resolve(() => (this.#tell = undefined))
      },
      onLost: () => undefined,
      close: () => undefined,
    }
  }
}

/** Needs root, a tun device, control groups and nft. The servers count what comes in which way. */
describe.runIf(await mayMakeAppsWorld())('apps of a tunnel through the client', () => {
  let world: AppsWorld
  let installed: TestHelper
  const running: (() => unknown)[] = []

  beforeAll(async () => {
    world = await AppsWorld.make()
    installed = await world.install('linux')
  })

  afterEach(async () => {
    for (const stop of running.splice(0).toReversed()) await stop()
    await world.release(installed)
    await world.stop()
  })

  afterAll(async () => {
    await world.remove()
    await installed.remove()
  })

  /** Opens a tunnel as the app does, and waits until it's up. */
  async function connect(
    protocol: Protocol,
    given: Partial<Settings>,
    openManager: () => Promise<UserManager | undefined>,
    root = '/',
  ) {
    let tellNetwork = (_: NetworkEvent): void => undefined
    const dataDir = await mkdtemp(join(tmpdir(), 'matrix-'))
    const settings = { ...settingsSchema.parse({}), ...given }
    const found = { helper: installed.helper, elevation: 'root' as const }
    const configuration = protocol === 'run' ? await world.openVpn() : undefined
    const backend = createTunnelBackend({
      privilege: {
        findHelper: () => Promise.resolve(found),
        wantsKillSwitch: () => Promise.resolve(settings.killSwitch),
      },
      trafficBlock: new TrafficBlock({
        record: join(installed.folder, 'state', String(appsUser), 'kill-switch'),
        probe: () => Promise.resolve(false),
      }),
      divideApps: createAppsDivider({
        dataDir,
        settings: { all: () => Promise.resolve(settings), managed: () => Promise.resolve([]) },
        profileChoices: { of: () => Promise.resolve(undefined) },
        reporter: { notice: () => undefined, failure: () => undefined },
        network: {
          watch: (listener) => {
            tellNetwork = listener
            return () => undefined
          },
        },
        openManager,
        root,
        uid: appsUser,
      }),
      openVpnPath: () => Promise.resolve(undefined),
      routes: linuxRoutes(['ip', '-n', world.client]),
      onNotice: () => undefined,
      protocols: {
        openvpn: () =>
          Promise.resolve({
            prepare: (_, { mode }) =>
              Promise.resolve(prepareOpenVpn(configuration ?? { text: '', remotes: [] }, mode)),
            isOutdated: unused,
            describe: unused,
          }),
        wireguard: () =>
          Promise.resolve(wireGuard({ secureContext: unused, proxyFor: () => Promise.resolve(undefined) })),
      },
    })
    const events: TunnelEvent[] = []
    const openVpn = { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' } as const
    const granted: GrantedTunnel = protocol === 'run' ? openVpn : world.wireGuard
    const tunnel = await backend.openTunnel(granted, {
      target,
      mode: 'full',
      preferTcp: false,
      avoid: [],
      onEvent: (event) => events.push(event),
    })
    running.push(
      () => rm(dataDir, { recursive: true }),
      () => tunnel.stop(),
    )
    const log = () => events.flatMap((event) => (event.event === 'log' ? [event.line] : [])).join('\n')
    await Promise.race([
      expect
        .poll(
          () => events.some((event) => 'details' in event && event.details.addresses.ipv4 !== undefined),
          {
            timeout: 20_000,
          },
        )
        .toBe(true),
      tunnel.ended.then((end) => Promise.reject(new Error(JSON.stringify(end) + log()))),
    ])
    return {
      stop: () => tunnel.stop(),
      tellNetwork: (event: NetworkEvent) => {
        tellNetwork(event)
      },
      apps: () => lastApps(events),
    }
  }

  /** Sends in both families and protocols, and expects that nothing arrives anywhere. */
  async function expectBlocked(app: App): Promise<void> {
    await world.forgetArrivals()
    await Promise.all(everywhere.flatMap((host) => [app.tcp(host), app.udp(host)]))
    expect(await world.arrivals(app.port)).toEqual({ outside: [], inside: [] })
  }

  const expectWay = (app: App, way: Protocol | 'outside' | 'blocked'): Promise<void> =>
    way === 'blocked' ? expectBlocked(app) : world.expectSide(app, way)

  const ways = [
    { appsMode: 'except', appsOutside: 'allow', killSwitch: true, gone: ['outside', 'blocked'] },
    { appsMode: 'except', appsOutside: 'block', killSwitch: true, gone: ['blocked', 'blocked'] },
    { appsMode: 'only', appsOutside: 'allow', killSwitch: true, gone: ['blocked', 'outside'] },
    { appsMode: 'except', appsOutside: 'allow', killSwitch: false, gone: ['outside', 'outside'] },
    { appsMode: 'only', appsOutside: 'allow', killSwitch: false, gone: ['outside', 'outside'] },
  ] as const

  const all = (['wireguard', 'run'] as const).flatMap((protocol) => ways.map((way) => ({ protocol, ...way })))
  // The others every night: each takes a quarter of a minute, half of it for the silence of what is blocked.
  const each = all.filter(
    ({ protocol, appsMode, appsOutside, killSwitch }) =>
      (protocol === 'wireguard') === killSwitch &&
      (appsMode === 'only') !== killSwitch &&
      appsOutside !== 'block',
  )

  it.each(isNightly ? all : each)(
    'go their way, while it is up and gone: $protocol, $appsMode, $appsOutside, kill switch $killSwitch',
    async ({ protocol, gone, ...settings }) => {
      const units = new UnitList(world)
      const listed = await units.start('app-gnome-firefox-1.scope')
      const other = await units.start('app-gnome-other-2.scope')
      const late = await units.start('app-gnome-firefox-3.scope')
      const next = await units.start('app-gnome-firefox-4.scope')
      const known = ['app-gnome-firefox-1.scope', 'app-gnome-other-2.scope']
      const { stop, apps } = await connect(protocol, { ...settings, apps: 'firefox' }, () =>
        Promise.resolve(units.open(known)),
      )
      const sides =
        settings.appsMode === 'except' ? (['outside', protocol] as const) : ([protocol, 'outside'] as const)
      await world.expectSide(listed, sides[0])
      await world.expectSide(other, sides[1])
      await world.expectSide(late, sides[1])
      units.announce('app-gnome-firefox-3.scope')
      await expect.poll(() => apps()?.running).toEqual(['firefox'])
      await vi.waitFor(() => world.expectSide(late, sides[0]), { timeout: 20_000 })
      await stop()
      await expectWay(listed, gone[0])
      await expectWay(late, gone[0])
      await expectWay(other, gone[1])
      await expectWay(next, gone[1])
      // The list of the kill switch follows what starts meanwhile.
      units.announce('app-gnome-firefox-4.scope')
      await vi.waitFor(() => expectWay(next, gone[0]), { timeout: 30_000 })
    },
  )

  it.each(
    rows(
      [
        { appsMode: 'except', before: 'wireguard', after: 'outside' },
        { appsMode: 'only', before: 'outside', after: 'wireguard' },
      ] as const,
      1,
    ),
  )('go their way without systemd, moved by the helper: $appsMode', async ({ appsMode, before, after }) => {
    const apps = [
      await world.start(await world.plainGroup('a')),
      await world.start(await world.plainGroup('b')),
    ]
    const running = await connect('wireguard', { appsMode, apps: process.execPath }, () =>
      Promise.resolve(undefined),
    )
    await expect.poll(() => running.apps()?.running).toEqual([process.execPath])
    for (const app of apps) await world.expectSide(app, after)
    await world.expectSide(await world.start(await world.plainGroup('c')), before)
  })

  it("ask the network's name servers outside if the setting says so, until the network changes", async () => {
    const root = await mkdtemp(join(tmpdir(), 'names-'))
    running.push(() => rm(root, { recursive: true }))
    await mkdir(join(root, 'etc'))
    await writeFile(join(root, 'etc/resolv.conf'), 'nameserver 10.77.1.1\n')
    const units = new UnitList(world)
    const listed = await units.start('app-gnome-firefox-1.scope')
    const other = await units.start('app-gnome-other-2.scope')
    const { tellNetwork } = await connect(
      'wireguard',
      { appsMode: 'except', apps: 'firefox', appsNames: 'network' },
      () => Promise.resolve(units.open(['app-gnome-firefox-1.scope', 'app-gnome-other-2.scope'])),
      root,
    )
    const asked = (app: App) => app.udp('10.88.0.1', 'names', 53)
    await expect.poll(() => asked(listed)).toBe('outside asked by 10.77.1.2')
    expect(await asked(other)).toBe('inside asked by 10.88.0.2')
    tellNetwork('changed')
    await expect.poll(() => asked(listed)).toBe('inside asked by 10.88.0.2')
  })
})
