import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf, statOf } from './program-files'
import { appOfUnit } from './unit-names'
import type { RunningUnit, UserManager } from './user-manager'

/** A control group whose processes are an app's, and what the app is called in the list. */
export interface AppGroup extends Omit<RunningUnit, 'unit'> {
  readonly app: string
}

export interface ListedAppsOptions {
  readonly manager: UserManager
  /** The slice into which programs are put that are started for this. */
  readonly slice: string
  /** IDs of desktop entries and paths of programs. */
  readonly list: readonly string[]
  /** Called when an app that is listed has started or ended. */
  readonly onChange: () => void
  /** Where the system shows processes and control groups. */
  readonly root?: string | undefined
}

/** Finds the apps of a list that run, by the units in which the desktop starts them. It asks once, and is told of later ones. */
export class ListedApps {
  readonly #options: ListedAppsOptions
  readonly #root: string
  readonly #running = new Map<string, AppGroup>()
  /** Units of apps, whether they are listed or not. */
  readonly #units = new Map<string, RunningUnit>()
  #startedIn: RunningUnit
  #list: readonly string[]
  /** The files of the listed programs, with links followed. */
  #programs = new Map<string, string>()
  #stop = (): void => undefined

  private constructor(options: ListedAppsOptions, startedIn: RunningUnit) {
    this.#options = options
    this.#startedIn = startedIn
    this.#root = options.root ?? '/'
    this.#list = options.list
  }

  /** Throws if the user's systemd gives no answer. */
  static async watch(options: ListedAppsOptions): Promise<ListedApps> {
    const { manager, slice } = options
    const apps = new ListedApps(options, await manager.startSlice(slice))
    await apps.#find()
    const found: Promise<void>[] = []
    let isUp = false
    apps.#stop = await manager.watch({
      isWanted: (unit) => unit === slice || appOfUnit(unit) !== undefined,
      onRunning: (unit) => {
        const running = apps.#onRunning(unit)
        if (!isUp) found.push(running)
      },
      onGone: (unit) => {
        apps.#onGone(unit)
      },
    })
    isUp = true
    await Promise.all(found)
    return apps
  }

  /** The slice for programs that are started for this. */
  get startedIn(): Omit<RunningUnit, 'unit'> {
    return this.#startedIn
  }

  /** The apps that run now. */
  get running(): readonly AppGroup[] {
    return [...this.#running.values()]
  }

  /** Takes another list. */
  async change(list: readonly string[]): Promise<void> {
    this.#list = list
    await this.#find()
    await Promise.all([...this.#units.values()].map((unit) => this.#onRunning(unit)))
    this.#options.onChange()
  }

  close(): void {
    this.#stop()
  }

  async #find(): Promise<void> {
    const paths = this.#list.filter((app) => app.startsWith('/'))
    // A program that isn't there can't run.
    const found = await Promise.all(
      paths.map(async (path) => [await realpath(path).catch(() => path), path] as const),
    )
    this.#programs = new Map(found)
  }

  async #onRunning(unit: RunningUnit): Promise<void> {
    if (unit.unit === this.#options.slice) {
      const isSame = isSameGroup(unit, this.#startedIn)
      this.#startedIn = unit
      if (!isSame) this.#options.onChange()
      return
    }
    this.#units.set(unit.unit, unit)
    const app = await this.#appOf(unit)
    // Meanwhile it may have ended, or have got another group.
    if (this.#units.get(unit.unit) !== unit) return
    const before = this.#running.get(unit.unit)
    if (before?.app === app && (before === undefined || isSameGroup(before, unit))) return
    if (app === undefined) this.#running.delete(unit.unit)
    else this.#running.set(unit.unit, { app, controlGroup: unit.controlGroup, run: unit.run })
    this.#options.onChange()
  }

  #onGone(unit: string): void {
    this.#units.delete(unit)
    if (this.#running.delete(unit)) this.#options.onChange()
  }

  /** Returns what the app of a unit is called in the list; undefined if it isn't there. */
  async #appOf({ unit, controlGroup }: RunningUnit): Promise<string | undefined> {
    // What was started for this is what it was started as, whatever else it may be.
    const own = ownSlice.exec(controlGroup)
    if (own !== null) return controlGroup.includes(`/${this.#options.slice}/`) ? appOfUnit(unit) : undefined
    const id = appOfUnit(unit)
    if (id !== undefined && this.#list.includes(id)) return id
    if (id === undefined || this.#programs.size === 0) return undefined
    return this.#programIn(controlGroup)
  }

  /**
   * Returns the listed program that a group was started with: what it starts itself is the app's, as a program in a terminal window
   * is the terminal's.
   */
  async #programIn(controlGroup: string): Promise<string | undefined> {
    const pids = await this.#processesOf(controlGroup)
    for (const pid of pids.slice(0, 100)) {
      if (pids.includes((await statOf(this.#root, pid)).parent)) continue
      for (const path of await filesOf(this.#root, pid)) {
        const found = this.#programs.get(path)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  async #processesOf(controlGroup: string): Promise<readonly string[]> {
    for (const folder of groupFolders) {
      const file = join(this.#root, folder, controlGroup, 'cgroup.procs')
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text !== '') return text.split('\n').filter(Boolean)
    }
    return []
  }
}

function isSameGroup(one: Omit<RunningUnit, 'unit'>, other: Omit<RunningUnit, 'unit'>): boolean {
  return one.controlGroup === other.controlGroup && one.run === other.run
}

/** Where version 2 of control groups is mounted: alone, or beside version 1 (hybrid). */
export const groupFolders: readonly string[] = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']

/** The slices for programs that are started outside or inside the tunnel. */
export const slices = { outside: 'app-causeway_outside.slice', inside: 'app-causeway_inside.slice' } as const
const ownSlice = /\/app-causeway_(?:outside|inside)\.slice\//
