import { join } from 'node:path'
import { appsOf } from '../../contract/apps'
import type { ConnectionTarget } from '../../contract/connection'
import type { ProfileChoices } from '../connection/profile-list'
import { watchFile } from '../connection/lock/watch-file'
import { report } from '../errors'
import { hasSystemd } from '../platform/apps/has-systemd'
import { ListedApps, slices } from '../platform/apps/listed-apps'
import { type AppProcess, runningPrograms } from '../platform/apps/running-programs'
import { openUserManager, type UserManager } from '../platform/apps/user-manager'
import type { NetworkEvents } from '../platform/network/network-events'
import type { SettingsStore } from '../platform/settings/settings-store'
import type { Reporter } from '../reporter'
import { after as systemTimer, type Timer } from '../timer'
import type { DividedApps } from '../tunnel/app-split'
import { networkNameServers } from './network-names'

interface DivideAppsOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly settings: Pick<SettingsStore, 'all' | 'managed'>
  readonly profileChoices: Pick<ProfileChoices, 'of'>
  readonly reporter: Pick<Reporter, 'notice' | 'failure'>
  readonly network: NetworkEvents
  /** For tests: connects to the user's systemd. */
  readonly openManager?: () => Promise<UserManager | undefined>
  /** For tests: where the system shows processes and control groups. */
  readonly root?: string
  /** For tests: the user whose helper it is. */
  readonly uid?: number
  /** For tests. */
  readonly after?: Timer
}

/**
 * Returns a function that returns the apps that a new tunnel is to divide, by the settings `appsMode`, `apps`, `appsOutside` and `appsNames`, and what
 * the user chose for its profile; undefined if all use it, and then nothing runs. While there is a tunnel, its list follows the settings, whichever process changes them.
 */
export function createAppsDivider({
  dataDir,
  settings,
  profileChoices,
  reporter,
  network,
  openManager = openUserManager,
  root,
  uid = process.getuid?.() ?? 0,
  after = systemTimer,
}: DivideAppsOptions): (target: ConnectionTarget) => Promise<DividedApps | undefined> {
  return async (target) => {
    if (process.platform !== 'linux') return undefined
    const [{ appsMode, apps, appsNames, appsOutside: whileBlocked }, managed, choice] = await Promise.all([
      settings.all(),
      settings.managed(),
      profileChoices.of(target),
    ])
    // An administrator's choice is for every profile.
    const mode = managed.includes('appsMode') ? appsMode : (choice?.appsMode ?? appsMode)
    if (mode === 'all') return undefined
    const division = await beginDivision({
      openManager,
      mode,
      whileBlocked,
      list: appsOf(apps),
      root,
      uid,
      after,
      onUnknown: () => {
        reporter.notice(report('helper/apps-not-found'))
      },
    })
    // Which app is which is unknown: all use the tunnel.
    if (division === undefined) return undefined
    const follow = (): void => {
      settings
        .all()
        .then((changed) => division.use(appsOf(changed.apps)))
        .catch((error: unknown) => {
          reporter.failure('apps', error)
        })
    }
    const stops = [watchFile(join(dataDir, 'settings.json'), follow)]
    if (mode === 'except' && appsNames === 'network') {
      let changes = 0
      stops.push(
        network.watch((event) => {
          // The servers of another network aren't known while those of the tunnel are set.
          if (event !== 'changed' && event !== 'down' && event !== 'up') return
          changes += 1
          division.ask([])
        }),
      )
      const names = await networkNameServers(root)
      if (changes === 0) division.ask(names)
    }
    division.onClose = () => {
      for (const stop of stops) stop?.()
    }
    // It may have changed before it was watched.
    follow()
    return division
  }
}

interface DivisionOptions extends Pick<DividedApps, 'mode' | 'whileBlocked' | 'list'> {
  readonly openManager: () => Promise<UserManager | undefined>
  readonly root: string | undefined
  readonly uid: number
  readonly after: Timer
  /** Called if it isn't known, or not any more, which apps run. */
  readonly onUnknown: () => void
}

/** A connection to the user's systemd, and the apps that it knows. */
interface UserApps {
  readonly manager: UserManager
  readonly apps: ListedApps
}

/** A division whose list and name servers can change. */
abstract class ListedDivision implements DividedApps {
  readonly mode: DividedApps['mode']
  readonly whileBlocked: DividedApps['whileBlocked']
  list: readonly string[]
  names: readonly string[] = []
  onClose: (() => void) | undefined
  protected readonly options: DivisionOptions
  protected listener = (): void => undefined

  constructor(options: DivisionOptions) {
    this.options = options
    this.mode = options.mode
    this.whileBlocked = options.whileBlocked
    this.list = options.list
  }

  abstract readonly startedIn: DividedApps['startedIn']
  abstract readonly running: DividedApps['running']
  abstract use(list: readonly string[]): Promise<void>

  /** Has apps outside ask these servers; none: those of the tunnel. */
  ask(names: readonly string[]): void {
    this.names = names
    this.listener()
  }

  onChange(listener: () => void): void {
    let isDue = false
    const soon = (): void => {
      if (isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        if (this.listener === soon) listener()
      })
    }
    // Thousands of scopes may start or end at once.
    this.listener = soon
  }

  close(): void {
    this.onClose?.()
    this.listener = () => undefined
  }
}

/** Begins to follow the apps that run; undefined if nobody says which these are. */
async function beginDivision(options: DivisionOptions): Promise<ListedDivision | undefined> {
  const division = await Division.begin(options)
  if (division !== undefined) return division
  if (!hasSystemd(options.root)) return HelperDivision.begin(options)
  options.onUnknown()
  return undefined
}

/**
 * Where systemd doesn't run, the helper makes a group for each side. Listed apps that run are moved there when the connection begins and
 * when the list changes: nobody tells of those that start.
 */
class HelperDivision extends ListedDivision {
  readonly startedIn: DividedApps['startedIn']
  readonly running = []
  processes: readonly AppProcess[] = []
  leaving: readonly AppProcess[] = []

  private constructor(options: DivisionOptions) {
    super(options)
    const side = options.mode === 'except' ? 'outside' : 'inside'
    this.startedIn = { controlGroup: `/causeway-apps/${options.uid}/${side}`, run: '' }
  }

  static async begin(options: DivisionOptions): Promise<HelperDivision> {
    const division = new HelperDivision(options)
    await division.#find()
    return division
  }

  async use(list: readonly string[]): Promise<void> {
    if (list.join() === this.list.join()) return
    const before = this.list
    this.list = list
    await this.#find(before.filter((app) => !list.includes(app)))
    this.listener()
  }

  /** @param unlisted the apps that aren't listed any more: what they have started since goes back, too */
  async #find(unlisted: readonly string[] = []): Promise<void> {
    const { list } = this
    const found = await runningPrograms([...list, ...unlisted], this.options.uid, this.options.root)
    if (list !== this.list) return
    this.processes = found.filter(({ app }) => list.includes(app))
    this.leaving = found.filter(({ app }) => !list.includes(app))
  }
}

/** What the user's systemd says. */
class Division extends ListedDivision {
  /** After a loss, the last ones: control groups are never used again for others. */
  #userApps: UserApps | undefined
  #stopTimer = (): void => undefined
  #isOver = false

  /** Looks for the apps that run, and for those that will; undefined if the user's systemd gives no answer. */
  static async begin(options: DivisionOptions): Promise<Division | undefined> {
    const division = new Division(options)
    return (await division.#find()) ? division : undefined
  }

  get startedIn(): DividedApps['startedIn'] {
    return this.#userApps?.apps.startedIn
  }

  get running(): DividedApps['running'] {
    return this.#userApps?.apps.running ?? []
  }

  async use(list: readonly string[]): Promise<void> {
    if (this.#isOver || list.join() === this.list.join()) return
    this.list = list
    await this.#userApps?.apps.change(list)
  }

  override close(): void {
    this.#isOver = true
    super.close()
    this.#stopTimer()
    this.#leave()
  }

  async #find(): Promise<boolean> {
    const { openManager, mode, root } = this.options
    const manager = await openManager()
    if (manager === undefined) return false
    const { list } = this
    let apps: ListedApps
    try {
      const slice = mode === 'except' ? slices.outside : slices.inside
      const onChange = (): void => {
        this.listener()
      }
      apps = await ListedApps.watch({ manager, slice, list, onChange, root })
      this.#leave()
      this.#userApps = { manager, apps }
    } catch {
      manager.close()
      return false
    }
    if (this.#isOver) this.#leave()
    manager.onLost(() => void this.#findAgain())
    // It may have changed meanwhile.
    if (list !== this.list) await apps.change(this.list)
    this.listener()
    return true
  }

  /** Connects again: until then, those that start are where the rest is. */
  async #findAgain(waitedMs = 0): Promise<void> {
    if (!(await this.#find())) this.#findLater(waitedMs)
  }

  #findLater(waitedMs: number): void {
    if (this.#isOver) return
    if (waitedMs === 0) this.options.onUnknown()
    const next = Math.min(waitedMs * 2 || 1000, 60_000)
    this.#stopTimer = this.options.after(next, () => void this.#findAgain(next))
  }

  #leave(): void {
    this.#userApps?.apps.close()
    this.#userApps?.manager.close()
  }
}
