import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { HelperOptions } from '../privilege/helper-client'
import { AppSplit } from './app-split'
import { AppsBetween } from './apps-between'

const firefox = { app: 'firefox', controlGroup: '/user.slice/app-firefox-1.scope', run: 'a' }

let noted: () => Promise<string>
let helper: string
/** Lets the helper end with its next answer. */
let isToEnd: string

/** A helper that notes its command and each line, and answers like the last word of the line. */
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-apps-between-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const notes = join(folder, 'notes')
  helper = join(folder, 'causeway-helper')
  isToEnd = join(folder, 'end')
  noted = () => readFile(notes, 'utf8')
  await writeFile(notes, '')
  await writeFile(
    helper,
    `#!/bin/sh
echo "$1" >>${notes}
while read -r line; do
  echo "$line" >>${notes}
  [ -e ${isToEnd} ] && exit 1
  echo "causeway-helper: app \${line##*/}" >&2
done
echo ended >>${notes}
`,
  )
  await chmod(helper, 0o755)
})

/** The apps after a tunnel has ended while the kill switch is up; time passes when the test says so. */
function between(find: () => Promise<HelperOptions | undefined> = root) {
  let isOn = true
  let isClosed = false
  let running = [firefox]
  let changed = (): void => undefined
  const watchers = new Set<() => void>()
  const timers = new Set<() => void>()
  let looked = 0
  const tested = new AppsBetween({
    findHelper: () => {
      looked += 1
      return find()
    },
    trafficBlock: {
      isOn: () => isOn,
      watch: (listener) => {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    },
    after: (_milliseconds, work) => {
      timers.add(work)
      return () => timers.delete(work)
    },
  })
  const split = new AppSplit({
    mode: 'except',
    whileBlocked: 'allow',
    startedIn: undefined,
    list: ['firefox'],
    get running() {
      return running
    },
    onChange: (listener) => {
      changed = listener
    },
    close: () => {
      isClosed = true
    },
  })
  return {
    begin: () => tested.begin(split),
    end: () => {
      tested.end()
    },
    lift: () => {
      isOn = false
      for (const tell of watchers) tell()
    },
    /** Reports a change of the kill switch that leaves it up. */
    stir: () => {
      for (const tell of watchers) tell()
    },
    pass: () => {
      for (const work of timers) work()
    },
    run: (...groups: (typeof firefox)[]) => {
      running = groups
      changed()
    },
    /** Whether nothing follows the apps any more. */
    isOver: () => isClosed && watchers.size === 0 && timers.size === 0,
    looked: () => looked,
  }
}

const root = (): Promise<HelperOptions> => Promise.resolve({ helper, elevation: 'root' })
/** An app that the helper answers with this word. */
const app = (outcome: string) => ({ ...firefox, run: outcome, controlGroup: `/user.slice/${outcome}` })

describe.skipIf(process.platform === 'win32')('the apps between two tunnels', () => {
  it.each([
    ['the kill switch is lifted', 'lift'],
    ['the next tunnel begins', 'end'],
  ] as const)('are followed with the helper until %s', async (_when, end) => {
    const apps = between()
    const began = apps.begin()
    apps.stir()
    apps.pass()
    await began
    apps.run(firefox, app('added'))
    await expect.poll(noted).toBe('apps\napp add /user.slice/added\n')
    apps.stir()
    apps.run(firefox, app('added'), app('failed'))
    await expect.poll(noted).toMatch(/(?:\napp add \/user\.slice\/failed){2}\n$/)
    expect(apps.isOver()).toBe(false)
    apps[end]()
    expect(apps.isOver()).toBe(true)
    await expect.poll(noted).toMatch(/\nended\n$/)
  })

  it.each([
    ['lifted', 'lift'],
    ['needed by the next tunnel', 'end'],
  ] as const)('are left alone where the kill switch is soon %s', async (_what, end) => {
    const apps = between()
    const began = apps.begin()
    apps[end]()
    await began
    expect(apps.isOver()).toBe(true)
    expect(apps.looked()).toBe(0)
  })

  it('are left alone without the kill switch', async () => {
    const apps = between()
    apps.lift()
    await apps.begin()
    expect(apps.isOver()).toBe(true)
    expect(apps.looked()).toBe(0)
  })

  it.each<[string, Parameters<typeof between>[0]]>([
    ['there is no helper', () => Promise.resolve(undefined)],
    ['it cannot be looked for', () => Promise.reject(new Error('no folder'))],
    ['it would ask for a password', () => Promise.resolve({ helper, elevation: 'sudo' })],
  ])('are left alone if %s', async (_why, find) => {
    const apps = between(find)
    const began = apps.begin()
    apps.pass()
    await began
    expect(apps.isOver()).toBe(true)
    expect(await noted()).toBe('')
  })

  it('are left alone where those of another tunnel are followed', async () => {
    const apps = between()
    const first = apps.begin()
    expect(apps.isOver()).toBe(false)
    const second = apps.begin()
    await first
    expect(apps.looked()).toBe(0)
    apps.end()
    await second
    expect(apps.isOver()).toBe(true)
  })

  it('are left alone if the next tunnel begins while the helper is looked for', async () => {
    const apps = between(() => {
      apps.end()
      return root()
    })
    const began = apps.begin()
    apps.pass()
    await began
    expect(apps.isOver()).toBe(true)
    await expect.poll(noted).toMatch(/ended\n$/)
  })

  it('are followed no more once the helper can do nothing, or has ended', async () => {
    for (const outcome of ['off', 'added']) {
      const apps = between()
      const began = apps.begin()
      apps.pass()
      await began
      if (outcome === 'added') await writeFile(isToEnd, '')
      apps.run(firefox, app(outcome))
      await expect.poll(apps.isOver).toBe(true)
    }
  })
})
