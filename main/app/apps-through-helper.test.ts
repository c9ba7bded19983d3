import { execa } from 'execa'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TunnelDetails } from '../../contract/connection'
import { type Settings, settingsSchema } from '../../contract/settings'
import { createAppsDivider } from './divide-apps'
import { openUserManager } from '../platform/apps/user-manager'
import { ManagedUser, mayManageUser } from '../platform/apps/user-manager.testing'
import { linuxRoutes } from '../platform/routes/linux-routes'
import { type TestHelper, installTestHelper, mayMakeNamespaces } from '../privilege/helper.testing'
import { lastApps } from '../tunnel/apps-programs.testing'
import type { TunnelEvent } from '../tunnel/tunnel'
import { ip, joinSpaces, sbin } from '../tunnel/joined-spaces.testing'
import { createTestAuthority } from '../tunnel/openvpn/certificates.testing'
import { buildConfiguration } from '../tunnel/openvpn/configuration'
import { runTunnelServer } from '../tunnel/openvpn/loopback-server.testing'
import { portalProfile } from '../tunnel/openvpn/profile.testing'
import { createStartTunnel } from '../tunnel/openvpn/start-openvpn.testing'

const client = `causeway-pc-${process.pid}`
const server = `causeway-ps-${process.pid}`
/** Where the server is, and a host of the internet behind it. */
const gateway = '192.0.2.1'
const host = '203.0.113.1'
const [own, inTunnel] = ['192.168.81.2', '10.88.0.10']

const may = (await mayMakeNamespaces()) && existsSync('/dev/net/tun') && (await mayManageUser())

/** Needs root, a tun device, nft, and systemd's user manager. Uses private namespaces. */
describe.runIf(may)('apps in a tunnel through the helper, with a real systemd of a user', () => {
  const authority = createTestAuthority()
  const keyPair = authority.issue({ commonName: 'client', usage: 'clientAuth' })
  let user: ManagedUser
  let installed: TestHelper
  const running: (() => unknown)[] = []

  beforeAll(async () => {
    await joinSpaces(client, server, { ipv4: '192.168.81.' })
    for (const address of [gateway, host]) await ip(`-n ${server} address add ${address}/32 dev lo`)
    user = await ManagedUser.make()
    // `ip netns exec` hides the control groups.
    const device = 'mount -t tmpfs devices /dev/net\nmknod -m 666 /dev/net/tun c 10 200\n'
    const prepare = `mount -t cgroup2 none /sys/fs/cgroup\n${device}export SUDO_UID=${user.uid}\ngrep -q ^causeway-managed: /etc/passwd || echo 'causeway-managed:x:${user.uid}:${user.uid}::/:/bin/sh' >>/etc/passwd\n`
    installed = await installTestHelper(prepare, `ip netns exec ${client}`)
    // Answers with the address that it sees.
    const echo = `require('net').createServer((s) => s.on('error', () => {}).end(s.remoteAddress)).listen(80, '${host}', () => console.log('up'))`
    const listener = execa('ip', ['netns', 'exec', server, process.execPath, '-e', echo], {
      ...sbin,
      reject: false,
    })
    await once(listener.stdout, 'data')
    running.push(() => listener.kill())
  })

  afterEach(async () => {
    for (const stop of running.splice(1).toReversed()) await stop()
  })

  afterAll(async () => {
    for (const stop of running.toReversed()) await stop()
    await user.end()
    await installed.remove()
    for (const space of [client, server]) await ip(`netns delete ${space}`)
  })

  /** Starts an app as a desktop does. Returns what tells the address from which it reaches the host, on a new connection. */
  function app(unit: string, ...more: string[]) {
    const [first, ...words] = user.asUser
    const program = `process.stdin.on('data', () => require('net').connect(80, '${host}').on('data', (seen) => console.log(String(seen))).on('error', (error) => console.log(error.code)).setTimeout(5000, () => console.log('no answer')))`
    const started = execa(
      'nsenter',
      [
        `--net=/var/run/netns/${client}`,
        first,
        ...words,
        'systemd-run',
        '--user',
        '--scope',
        '--quiet',
        '--collect',
        `--unit=${unit}`,
        ...more,
        process.execPath,
        '-e',
        program,
      ],
      { env: user.env, extendEnv: false, reject: false, stdin: 'pipe' },
    )
    running.push(async () => {
      started.kill('SIGKILL')
      await started
    })
    const failed = started.then(({ stderr }) => Promise.reject(new Error(stderr)))
    failed.catch(() => undefined)
    return async (): Promise<string> => {
      started.stdin.write('go\n')
      const [line] = (await Promise.race([once(started.stdout, 'data'), failed])) as [Buffer]
      return line.toString().trim()
    }
  }

  async function connect(given: Partial<Settings>, killSwitch = false) {
    const dataDir = await mkdtemp(join(tmpdir(), 'apps-'))
    let settings = { ...settingsSchema.parse({}), ...given }
    const stop = await runTunnelServer(['ip', 'netns', 'exec', server], authority, {
      address: gateway,
      lines: ['push "redirect-gateway def1"'],
    })
    running.push(stop, () => rm(dataDir, { recursive: true }))
    const divideApps = createAppsDivider({
      dataDir,
      settings: { all: () => Promise.resolve(settings), managed: () => Promise.resolve([]) },
      profileChoices: { of: () => Promise.resolve(undefined) },
      reporter: { notice: () => undefined, failure: () => undefined },
      network: { watch: () => () => undefined },
      openManager: () => openUserManager(user.bus),
    })
    const events: TunnelEvent[] = []
    const start = createStartTunnel({
      privilege: {
        findHelper: () => Promise.resolve({ helper: installed.helper, elevation: 'root' as const }),
        wantsKillSwitch: () => Promise.resolve(killSwitch),
      },
      divideApps,
      routes: linuxRoutes(['ip', '-n', client]),
    })
    const profile = portalProfile({ ca: authority.certificate, remotes: [`${gateway} 1194 udp`] })
    const configuration = buildConfiguration(profile, keyPair, { platform: 'linux', mode: 'full' })
    const tunnel = await start({ configuration, mode: 'full', onEvent: (event) => events.push(event) })
    running.push(async () => {
      await tunnel.stop()
      await execa(installed.helper, ['release'], sbin)
    })
    const details = (): TunnelDetails | undefined =>
      events.flatMap((event) => ('details' in event ? [event.details] : [])).at(-1)
    const up = expect.poll(() => details()?.addresses.ipv4).toBe(inTunnel)
    const log = () => events.flatMap((event) => (event.event === 'log' ? [event.line] : [])).join('\n')
    await Promise.race([
      up,
      tunnel.ended.then((end) => Promise.reject(new Error(JSON.stringify(end) + log()))),
    ])
    return {
      details,
      stop: () => tunnel.stop(),
      apps: () => lastApps(events),
      store: async (changed: Partial<Settings>) => {
        settings = { ...settings, ...changed }
        await writeFile(join(dataDir, 'new'), '')
        await rename(join(dataDir, 'new'), join(dataDir, 'settings.json'))
      },
    }
  }

  it('leaves the listed apps outside, those that run and those that start', async () => {
    const early = app('app-gnome-firefox-1.scope')
    const other = app('app-gnome-other-2.scope')
    expect(await early()).toBe(own)
    const { details, apps, store } = await connect({ appsMode: 'except', apps: 'firefox,org.kde.kate' })
    expect(await early()).toBe(own)
    expect(await other()).toBe(inTunnel)
    expect(details()?.allTraffic).toBe(true)
    const late = app('app-org.kde.kate-3.scope')
    await expect.poll(() => apps()?.running).toEqual(['firefox', 'org.kde.kate'])
    expect(await late()).toBe(own)
    const started = app('app-causeway-curl-4.scope', '--slice=app-causeway_outside.slice')
    expect(await started()).toBe(own)
    expect(apps()).toMatchObject({ mode: 'except', outside: ['firefox', 'org.kde.kate', 'curl'], inside: [] })
    await store({ apps: 'org.kde.kate' })
    await expect.poll(() => apps()?.running).toEqual(['org.kde.kate', 'curl'])
    await expect.poll(early).toBe(inTunnel)
  })

  it.each([
    { appsMode: 'except', appsOutside: 'allow', after: { listed: own, other: 'blocked' } },
    { appsMode: 'except', appsOutside: 'block', after: { listed: 'blocked', other: 'blocked' } },
    { appsMode: 'only', appsOutside: 'allow', after: { listed: 'blocked', other: own } },
  ] as const)(
    'holds for what runs while the kill switch is up and the tunnel is not: $appsMode, $appsOutside',
    async ({ after, ...settings }) => {
      const listed = app('app-gnome-firefox-7.scope')
      const other = app('app-gnome-other-8.scope')
      const { stop } = await connect({ ...settings, apps: 'firefox' }, true)
      const isListedInside = settings.appsMode === 'only'
      expect(await listed()).toBe(isListedInside ? inTunnel : own)
      expect(await other()).toBe(isListedInside ? own : inTunnel)
      await stop()
      const seen = async (ask: () => Promise<string>) => ((await ask()) === own ? own : 'blocked')
      expect({ listed: await seen(listed), other: await seen(other) }).toEqual(after)
    },
  )

  it('lets only the listed apps use it', async () => {
    const inside = app('app-gnome-firefox-5.scope')
    const other = app('app-gnome-other-6.scope')
    const { apps } = await connect({ appsMode: 'only', apps: 'firefox' })
    expect(await inside()).toBe(inTunnel)
    expect(await other()).toBe(own)
    expect(apps()).toEqual({ mode: 'only', outside: [], inside: ['firefox'], running: ['firefox'] })
  })
})
