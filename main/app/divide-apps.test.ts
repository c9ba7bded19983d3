import { execa, type ResultPromise } from 'execa'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type SettingName, settingsSchema, type Settings } from '../../contract/settings'
import type { ErrorReport } from '../../contract/error-codes'
import { openUserManager, type UserManager } from '../platform/apps/user-manager'
import { ManagedUser, mayManageUser } from '../platform/apps/user-manager.testing'
import type { DividedApps } from '../tunnel/app-split'
import type { Timer } from '../timer'
import { createAppsDivider } from './divide-apps'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }

async function divider(
  given: Partial<Settings>,
  openManager: () => Promise<UserManager | undefined>,
  {
    root,
    after,
    appsMode,
    managed = [],
  }: {
    readonly root?: string
    readonly after?: Timer
    readonly appsMode?: Settings['appsMode']
    readonly managed?: SettingName[]
  } = {},
) {
  const choice = appsMode && ({ ...target, protocol: 'auto', tcpOnly: false, appsMode } as const)
  const dataDir = await mkdtemp(join(tmpdir(), 'divide-'))
  let settings = { ...settingsSchema.parse({}), ...given }
  const notices: ErrorReport[] = []
  const divide = createAppsDivider({
    dataDir,
    settings: { all: () => Promise.resolve(settings), managed: () => Promise.resolve(managed) },
    profileChoices: { of: (one) => Promise.resolve(one.profileId === target.profileId ? choice : undefined) },
    reporter: {
      notice: (notice) => notices.push(notice),
      failure: (_, error) => {
        throw error
      },
    },
    network: { watch: () => () => undefined },
    openManager,
    ...(root !== undefined && { root }),
    ...(after && { after }),
  })
  const apps = await divide(target)
  onTestFinished(async () => {
    apps?.close()
    await rm(dataDir, { recursive: true })
  })
  return {
    apps,
    notices,
    /** Changes the settings as another process does. */
    store: async (changed: Partial<Settings>) => {
      settings = { ...settings, ...changed }
      await writeFile(join(dataDir, 'new'), '')
      await rename(join(dataDir, 'new'), join(dataDir, 'settings.json'))
    },
  }
}

const never = () => Promise.reject(new Error('It must not be asked.'))

it('asks nothing while all apps use the tunnel', async () => {
  expect((await divider({ apps: 'firefox' }, never)).apps).toBeUndefined()
})

it.runIf(process.platform === 'linux')('tells once of 10,000 scopes that start or end at once', async () => {
  type Listener = Parameters<UserManager['watch']>[0]
  const told: Listener[] = []
  const slice = '/user.slice/user-1000.slice'
  const { apps } = await divider({ appsMode: 'except', apps: 'game' }, () =>
    Promise.resolve({
      startSlice: (unit) => Promise.resolve({ unit, controlGroup: `${slice}/${unit}`, run: '' }),
      startScope: never,
      watch: (listener) => {
        told.push(listener)
        return Promise.resolve(() => undefined)
      },
      onLost: () => undefined,
      close: () => undefined,
    }),
  )
  const listener = told[0]
  if (apps === undefined || listener === undefined) throw new Error('Nothing is divided.')
  let changes = 0
  apps.onChange(() => (changes += 1))
  const units = Array.from({ length: 10_000 }, (_, index) => `app-gnome-game-${index}.scope`)
  for (const unit of units) listener.onRunning({ unit, controlGroup: `${slice}/${unit}`, run: '' })
  await expect.poll(() => [apps.running.length, changes]).toEqual([10_000, 1])
  for (const unit of units) listener.onGone(unit)
  await expect.poll(() => [apps.running.length, changes]).toEqual([0, 2])
})

/** Where systemd seems to run. */
async function rootWithSystemd(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'root-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'run/systemd/system'), { recursive: true })
  return root
}

it.runIf(process.platform === 'linux')('says so where the running apps are unknown', async () => {
  const { apps, notices } = await divider(
    { appsMode: 'except', apps: 'firefox' },
    () => Promise.resolve(undefined),
    { root: await rootWithSystemd() },
  )
  // All use the tunnel, and no state says otherwise.
  expect(apps).toBeUndefined()
  expect(notices.map(({ code }) => code)).toEqual(['helper/apps-not-found'])
})

it.runIf(process.platform === 'linux')(
  "asks nothing if all apps use the profile's tunnels, unless an administrator says otherwise",
  async () => {
    const divides = { appsMode: 'except', apps: 'firefox' } as const
    expect((await divider(divides, never, { appsMode: 'all' })).apps).toBeUndefined()
    await expect(divider(divides, never, { appsMode: 'all', managed: ['appsMode'] })).rejects.toThrow(
      'must not be asked',
    )
    expect((await divider({}, never, { appsMode: 'only', managed: ['appsMode'] })).apps).toBeUndefined()
  },
)

it.runIf(process.platform === 'linux')(
  'finds what runs a listed program where systemd does not run, with what that has started',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'programs-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [sleeper, script] = [join(folder, 'sleeper'), join(folder, 'tool')]
    await copyFile('/bin/cat', sleeper)
    await writeFile(script, '#!/bin/sh\necho up\ncat\n', { mode: 0o755 })
    const [plain, tool, other] = [sleeper, script, '/bin/cat'].map((program) => {
      const running = execa(program, { reject: false, stdin: 'pipe' })
      onTestFinished(async () => {
        running.stdin.end()
        await running
      })
      return running
    }) as [ResultPromise, ResultPromise, ResultPromise]
    await once(tool.stdout ?? tool, 'data')
    const { apps, store } = await divider(
      { appsMode: 'except', apps: script },
      () => Promise.resolve(undefined),
      { root: '/' },
    )
    if (apps === undefined) throw new Error('Nothing is divided.')
    const uid = String(process.getuid?.())
    expect(apps.startedIn).toEqual({ controlGroup: `/causeway-apps/${uid}/outside`, run: '' })
    await expect
      .poll(() => execa('pgrep', ['-P', String(tool.pid)]).then(({ stdout }) => stdout))
      .not.toBe('')
    let changes = 0
    apps.onChange(() => (changes += 1))
    await store({ apps: `${script},${sleeper}` })
    await expect.poll(() => changes).toBe(1)
    const found = apps.processes ?? []
    expect(found.filter(({ app }) => app === sleeper).map(({ pid }) => pid)).toEqual([plain.pid])
    const ofTool = found.filter(({ app }) => app === script).map(({ pid }) => pid)
    expect(ofTool).toContain(tool.pid)
    expect(ofTool).toHaveLength(2)
    expect(found.map(({ pid }) => pid)).not.toContain(other.pid)
    expect(found.every(({ run }) => /^\d+$/.test(run))).toBe(true)
  },
)

describe.runIf(await mayManageUser())('with a real systemd of a user', () => {
  let user: ManagedUser
  beforeAll(async () => {
    user = await ManagedUser.make()
  })
  afterAll(() => user.end())
  const open = () => openUserManager(user.bus)

  /** Starts a program in a unit, as desktops do; returns what ends it. */
  async function start(unit: string, ...more: string[]): Promise<() => Promise<void>> {
    const [first, ...words] = user.asUser
    const run = ['systemd-run', '--user', '--scope', '--quiet', '--collect', `--unit=${unit}`, ...more]
    const running = execa(first, [...words, ...run, '/bin/cat'], {
      env: user.env,
      reject: false,
      stdin: 'pipe',
    })
    running.stdin.write('up\n')
    const failed = running.then(({ stderr }) => Promise.reject(new Error(stderr)))
    await Promise.race([once(running.stdout, 'data'), failed])
    failed.catch(() => undefined)
    const end = async (): Promise<void> => {
      running.stdin.end()
      await running
    }
    onTestFinished(end)
    return end
  }
  const appsOf = ({ running }: DividedApps) => running.map(({ app }) => app).toSorted()

  it('finds the listed apps that run, and those that start and end', async () => {
    await start('app-gnome-firefox-1.scope')
    await start('app-gnome-other-2.scope')
    const { apps } = await divider({ appsMode: 'except', apps: 'firefox,org.kde.kate' }, open)
    if (apps === undefined) throw new Error('Nothing is divided.')
    expect(appsOf(apps)).toEqual(['firefox'])
    expect(apps.running[0]?.controlGroup).toMatch(/\/app-gnome-firefox-1\.scope$/)
    const changes: string[][] = []
    apps.onChange(() => changes.push(appsOf(apps)))
    const end = await start('app-org.kde.kate-3.scope')
    await expect.poll(() => changes).toEqual([['firefox', 'org.kde.kate']])
    await start('app-gnome-third-4.scope')
    await end()
    await expect.poll(() => changes.at(-1)).toEqual(['firefox'])
    expect(changes).toHaveLength(2)
  })

  it('tells of a service that was restarted, whose control group is another one of the same path', async () => {
    const service = (script: string) => user.run(`systemctl --user ${script}`)
    await user.run(
      'systemd-run --user --quiet --unit=app-gnome-music@1.service -p RemainAfterExit=yes sleep 600',
    )
    onTestFinished(() => service('stop app-gnome-music@1.service').then(() => undefined))
    const { apps } = await divider({ appsMode: 'except', apps: 'music' }, open)
    const run = () => apps?.running[0]?.run
    const before = run()
    expect(before).toMatch(/^[\da-f]{32}$/)
    await service('restart app-gnome-music@1.service')
    await expect.poll(() => apps?.running.length === 1 && run() !== before).toBe(true)
  })

  it('knows a script by the line that names its interpreter, and no file that a program opens', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'script-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o755)
    const script = join(folder, 'tool')
    await writeFile(script, '#!/bin/sh\necho up\nread -r line\nread -r line\n', { mode: 0o755 })
    await start('app-gnome-tool-10.scope', '--', script)
    await start('app-gnome-editor-11.scope', '--', '/bin/cat', script, '-')
    const { apps } = await divider({ appsMode: 'except', apps: script }, open, { root: user.root })
    expect(apps?.running.map(({ controlGroup }) => controlGroup.replace(/.*\//, ''))).toEqual([
      'app-gnome-tool-10.scope',
    ])
  })

  it('connects again after the loss of the bus, and says so once if it can not', async () => {
    await start('app-gnome-late-13.scope')
    const lose: (() => void)[] = []
    let mayOpen = true
    const timers: (() => void)[] = []
    const { apps, notices, store } = await divider(
      { appsMode: 'except', apps: 'late' },
      async () => {
        const manager = mayOpen ? await open() : undefined
        if (manager === undefined) return undefined
        manager.onLost = (listener) => {
          lose.push(listener)
        }
        return manager
      },
      {
        after: (_, work) => {
          timers.push(work)
          return () => undefined
        },
      },
    )
    if (apps === undefined) throw new Error('Nothing is divided.')
    mayOpen = false
    lose[0]?.()
    await expect.poll(() => timers.length).toBe(1)
    timers[0]?.()
    await expect.poll(() => timers.length).toBe(2)
    // What was found stays where it is.
    expect(appsOf(apps)).toEqual(['late'])
    expect(notices.map(({ code }) => code)).toEqual(['helper/apps-not-found'])
    await start('app-gnome-later-14.scope')
    await store({ apps: 'late,later' })
    await expect.poll(() => apps.list).toEqual(['late', 'later'])
    mayOpen = true
    timers[1]?.()
    await expect.poll(() => appsOf(apps)).toEqual(['late', 'later'])
    expect(notices).toHaveLength(1)
  })

  it('takes another list from the settings, whichever process changes them', async () => {
    await start('app-gnome-game-5.scope')
    await start('app-gnome-bank-6.scope')
    const { apps, store } = await divider({ appsMode: 'only', apps: 'game' }, open)
    if (apps === undefined) throw new Error('Nothing is divided.')
    expect(appsOf(apps)).toEqual(['game'])
    let changed = 0
    apps.onChange(() => (changed += 1))
    await store({ apps: 'bank' })
    await expect.poll(() => appsOf(apps)).toEqual(['bank'])
    expect(apps.list).toEqual(['bank'])
    // Several changes at once are told as one.
    await expect.poll(() => changed).toBeGreaterThan(0)
  })

  it('knows a listed program by the file that runs, and what was started for it by its slice', async () => {
    await start('app-gnome-anything-7.scope')
    await start('app-causeway-curl-8.scope', '--slice=app-causeway_outside.slice')
    await start('app-causeway-ssh-9.scope', '--slice=app-causeway_inside.slice')
    const { apps } = await divider({ appsMode: 'except', apps: '/bin/cat,ssh' }, open, { root: user.root })
    if (apps === undefined) throw new Error('Nothing is divided.')
    expect(appsOf(apps)).toEqual(expect.arrayContaining(['/bin/cat', 'curl']))
    // What was started inside stays inside, although the list names it.
    expect(appsOf(apps)).not.toContain('ssh')
    expect(apps.startedIn?.controlGroup).toMatch(/\/app\.slice\/app-causeway_outside\.slice$/)
  })
})
