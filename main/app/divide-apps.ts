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
    const division = new Division(mode, whileBlocked, appsOf(apps))
    await division.find(await openManager(), root)
    if (division.startedIn === undefined) reporter.notice(report('helper/apps-not-found'))
    division.onClose = watchFile(join(dataDir, 'settings.json'), () => {
      settings
        .all()
        .then((changed) => division.use(appsOf(changed.apps)))
        .catch((error: unknown) => {
          reporter.failure('apps', error)
        })
    })
    return division
  }
}

class Division implements DividedApps {
  readonly mode: DividedApps['mode']
  readonly whileBlocked: DividedApps['whileBlocked']
  startedIn: string | undefined
  list: readonly string[]
  onClose: (() => void) | undefined
  #isOver = false
  #found: { readonly manager: UserManager; readonly apps: ListedApps } | undefined
  #changed = (): void => undefined

  constructor(mode: DividedApps['mode'], whileBlocked: DividedApps['whileBlocked'], list: readonly string[]) {
    this.mode = mode
    this.whileBlocked = whileBlocked
    this.list = list
  }

  get running(): DividedApps['running'] {
    return this.#found?.apps.running ?? []
  }

  /** Looks for the apps that run, and for those that will; finds none if the user's systemd gives no answer. */
  async find(manager: UserManager | undefined, root?: string): Promise<void> {
    if (manager === undefined) return
    const slice = this.mode === 'except' ? slices.outside : slices.inside
    try {
      const startedIn = await manager.startSlice(slice)
      const onChange = (): void => {
        this.#changed()
      }
      const apps = await ListedApps.watch({ manager, slice, list: this.list, onChange, root })
      this.startedIn = startedIn
      this.#found = { manager, apps }
    } catch {
      manager.close()
    }
  }

  async use(list: readonly string[]): Promise<void> {
    if (this.#isOver || list.join() === this.list.join()) return
    this.list = list
    await this.#found?.apps.change(list)
    this.#changed()
  }

  onChange(listener: () => void): void {
    this.#changed = listener
  }

  close(): void {
    this.#isOver = true
    this.onClose?.()
    this.#changed = () => undefined
    this.#found?.apps.close()
    this.#found?.manager.close()
    this.#found = undefined
  }
}
