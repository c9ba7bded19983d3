import { join } from 'node:path'
import { appsOf } from '../../contract/apps'
import { watchFile } from '../connection/lock/watch-file'
import { report } from '../errors'
import { ListedApps, slices } from '../platform/apps/listed-apps'
import { openUserManager, type UserManager } from '../platform/apps/user-manager'
import type { SettingsStore } from '../platform/settings/settings-store'
import type { Reporter } from '../reporter'
import type { DividedApps } from '../tunnel/app-split'

interface DivideAppsOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly settings: Pick<SettingsStore, 'all'>
  readonly reporter: Pick<Reporter, 'notice' | 'failure'>
  /** For tests: connects to the user's systemd. */
  readonly openManager?: () => Promise<UserManager | undefined>
  /** For tests: where the system shows processes and control groups. */
  readonly root?: string
}

/**
 * Returns a function that returns the apps that a new tunnel is to divide, by the settings `appsMode`, `apps` and `appsOutside`;
 * undefined if all use it, and then nothing runs. While there is a tunnel, its list follows the settings, whichever process changes them.
 */
export function createAppsDivider({
  dataDir,
  settings,
  reporter,
  openManager = openUserManager,
  root,
}: DivideAppsOptions): () => Promise<DividedApps | undefined> {
  return async () => {
    const { appsMode: mode, apps, appsOutside: whileBlocked } = await settings.all()
    if (process.platform !== 'linux' || mode === 'all') return undefined
    const list = appsOf(apps)
    const manager = await openManager()
    const division = manager && (await Division.find({ manager, mode, whileBlocked, list, root }))
    if (division === undefined) {
      // Which app is which is unknown: all use the tunnel.
      reporter.notice(report('helper/apps-not-found'))
      return undefined
    }
    const follow = (): void => {
      settings
        .all()
        .then((changed) => division.use(appsOf(changed.apps)))
        .catch((error: unknown) => {
          reporter.failure('apps', error)
        })
    }
    division.onClose = watchFile(join(dataDir, 'settings.json'), follow)
    // It may have changed before it was watched.
    follow()
    return division
  }
}

interface DivisionOptions extends Pick<DividedApps, 'mode' | 'whileBlocked' | 'list'> {
  readonly manager: UserManager
  readonly root: string | undefined
}

class Division implements DividedApps {
  readonly mode: DividedApps['mode']
  readonly whileBlocked: DividedApps['whileBlocked']
  readonly startedIn: string
  list: readonly string[]
  onClose: (() => void) | undefined
  readonly #manager: UserManager
  readonly #apps: ListedApps
  readonly #changes: { listener: () => void }
  #isOver = false

  private constructor(
    { mode, whileBlocked, list, manager }: DivisionOptions,
    found: {
      readonly startedIn: string
      readonly apps: ListedApps
      readonly changes: { listener: () => void }
    },
  ) {
    this.mode = mode
    this.whileBlocked = whileBlocked
    this.list = list
    this.startedIn = found.startedIn
    this.#manager = manager
    this.#apps = found.apps
    this.#changes = found.changes
  }

  /** Looks for the apps that run, and for those that will; undefined if the user's systemd gives no answer. */
  static async find(options: DivisionOptions): Promise<Division | undefined> {
    const { manager, mode, list, root } = options
    const slice = mode === 'except' ? slices.outside : slices.inside
    const changes = { listener: (): void => undefined }
    const onChange = (): void => {
      changes.listener()
    }
    try {
      const startedIn = await manager.startSlice(slice)
      const apps = await ListedApps.watch({ manager, slice, list, onChange, root })
      return new Division(options, { startedIn, apps, changes })
    } catch {
      manager.close()
      return undefined
    }
  }

  get running(): DividedApps['running'] {
    return this.#apps.running
  }

  async use(list: readonly string[]): Promise<void> {
    if (this.#isOver || list.join() === this.list.join()) return
    this.list = list
    await this.#apps.change(list)
    this.#changes.listener()
  }

  onChange(listener: () => void): void {
    this.#changes.listener = listener
  }

  close(): void {
    this.#isOver = true
    this.onClose?.()
    this.#changes.listener = () => undefined
    this.#apps.close()
    this.#manager.close()
  }
}
