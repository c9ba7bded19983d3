import { readFile, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { appId, appsOf, type AppsHere, type ListedApp, maxApps } from '../../contract/apps'
import { CausewayError } from '../errors'
import { appIcon } from '../platform/apps/app-icon'
import { installedApp, installedApps } from '../platform/apps/installed-apps'
import { placeInSlice, startPlaced } from '../platform/apps/run-in-slice'
import { slices } from '../platform/apps/listed-apps'
import { hasSystemd } from '../platform/apps/has-systemd'
import { openUserManager, type UserManager } from '../platform/apps/user-manager'
import { isProgram } from '../platform/child-process/is-program'
import type { SettingsStore } from '../platform/settings/settings-store'
import { AppsHelper } from '../privilege/apps-helper'
import { findHelper } from '../privilege/find-helper'
import type { HelperStart } from '../privilege/start-helper'
import { networkNameServers } from './network-names'
import { appsHere } from './apps-here'

/** The apps of this computer, and those that the user has put into the list. */
export interface AppServices {
  readonly apps: {
    /** Returns whether apps can be divided here, or what is missing. Never throws. */
    here(): Promise<AppsHere>
    /** Returns whether apps outside could ask the network's DNS servers. Never throws. */
    hasNetworkNames(): Promise<boolean>
    /** Returns the apps that are installed, and those in the list, by name. */
    all(languages: readonly string[]): Promise<ListedApp[]>
    /** Returns the icon of an app as a `data:` URL. */
    icon(app: string): Promise<string | undefined>
    /** Returns what an app is called in the list, from its name, its ID or its path. Throws `apps/unknown`. */
    find(text: string, languages: readonly string[]): Promise<string>
    /** Puts an app into the list, or takes it out. Throws what SettingsStore.set throws. */
    set(app: string, listed: boolean): Promise<void>
    /** Starts a program outside or inside the tunnel. Throws `apps/no-manager`; without systemd also `apps/not-moved` and `helper/*`. */
    start(side: Side, command: readonly [string, ...string[]]): ReturnType<typeof startPlaced>
    /** Starts an installed app, which runs on without this process. Throws `apps/unknown`, and what `start` throws. */
    open(side: Side, app: string): Promise<void>
    /** Moves a running process of this user. Throws `apps/no-manager`, `apps/not-moved`. */
    move(side: Side, pid: number): Promise<void>
  }
}

export function createAppServices(
  settings: Pick<SettingsStore, 'all' | 'set'>,
  placers: Placers = systemPlacers,
): AppServices {
  const placing = <T>(side: Side, work: (place: Place) => Promise<T>) => withPlacer(placers, side, work)
  const listed = async (): Promise<readonly string[]> => appsOf((await settings.all()).apps)
  return {
    apps: {
      here: () => appsHere(),
      hasNetworkNames: async () => (await networkNameServers()).length > 0,
      all: async (languages) => {
        const [list, apps] = await Promise.all([listed(), installedApps(languages)])
        const known = new Set(apps.map(({ id }) => id))
        return [
          ...list
            .filter((id) => !known.has(id))
            .map((id) => ({ id, name: id, listed: true, installed: false })),
          ...apps.map(({ id, name, command, inTerminal }) => ({
            id,
            name,
            listed: list.includes(id),
            installed: true,
            ...(command !== undefined && !inTerminal && { canOpen: true as const }),
          })),
        ]
      },
      icon: async (id) => {
        const icon = (await installedApp(id))?.icon
        return icon && appIcon(icon)
      },
      find: async (text, languages) => {
        const found = (await named(text, languages)) ?? (await program(text))
        if (found === undefined || !appId.safeParse(found).success)
          throw new CausewayError('apps/unknown', { details: { app: text.slice(0, 200) } })
        return found
      },
      set: async (app, isListed) => {
        const others = (await listed()).filter((each) => each !== app)
        if (isListed && others.length >= maxApps) throw new CausewayError('apps/too-many')
        await settings.set('apps', [...others, ...(isListed ? [app] : [])].join(','))
      },
      start: (side, command) => placing(side, (place) => startPlaced({ place, command, env: process.env })),
      open: async (side, id) => {
        const app = await installedApp(id)
        if (app?.command === undefined) throw new CausewayError('apps/unknown', { details: { app: id } })
        const { command } = app
        // The folder of an entry may be gone.
        const folder = app.folder !== undefined && (await isFolder(app.folder)) ? app.folder : undefined
        await placing(side, (place) =>
          startPlaced({ place, command, folder, env: process.env, detached: true }),
        )
      },
      move: (side, pid) =>
        placing(side, async (place) => {
          const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
          await place(pid, name || 'process').catch((cause: unknown) => {
            throw cause instanceof CausewayError
              ? cause
              : new CausewayError('apps/not-moved', { details: { pid }, cause })
          })
        }),
    },
  }
}

type Side = keyof typeof slices
type Place = (pid: number, name: string) => Promise<void>

/** What places programs on their side: the user's systemd, or the helper where systemd doesn't run. */
interface Placers {
  readonly openManager: () => Promise<UserManager | undefined>
  readonly findHelper: () => Promise<HelperStart | undefined>
  readonly hasSystemd: () => boolean
}

const systemPlacers: Placers = { openManager: openUserManager, findHelper, hasSystemd }

async function withPlacer<T>(
  { openManager, findHelper: find, hasSystemd: has }: Placers,
  side: Side,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const manager = await openManager()
  if (manager === undefined) {
    const helper = has() ? undefined : await find()
    if (helper === undefined) throw new CausewayError('apps/no-manager')
    return withHelper(helper, side, work)
  }
  try {
    return await work((pid, name) => placeInSlice(manager, slices[side], pid, name))
  } catch (cause) {
    throw cause instanceof CausewayError ? cause : new CausewayError('apps/no-manager', { cause })
  } finally {
    manager.close()
  }
}

async function withHelper<T>(start: HelperStart, side: Side, work: (place: Place) => Promise<T>): Promise<T> {
  const helper = await AppsHelper.start(start)
  try {
    return await work(async (pid) => {
      const outcome = await helper.ask(`app move ${pid} ${side}`)
      if (outcome === 'moved') return
      const variant = outcome === 'managed' || outcome === 'limited' ? outcome : undefined
      throw new CausewayError('apps/not-moved', { variant, details: { pid } })
    })
  } finally {
    await helper.end()
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** Returns the installed app with this ID, or else the only one with this name. */
async function named(text: string, languages: readonly string[]): Promise<string | undefined> {
  const apps = await installedApps(languages)
  const id = text.replace(/^.*\//, '').replace(/\.desktop$/, '')
  const isEntry = !text.includes('/') || text.endsWith('.desktop')
  if (isEntry && apps.some((app) => app.id === id)) return id
  const word = text.toLowerCase()
  const same = apps.filter((app) => app.name.toLowerCase() === word || app.id.toLowerCase() === word)
  return same.length === 1 ? same[0]?.id : undefined
}

/** Returns the path of a program, from a path or a word in PATH, without following links. */
async function program(text: string): Promise<string | undefined> {
  if (text.endsWith('.desktop')) return undefined
  const places = text.includes('/')
    ? [resolve(text)]
    : (process.env.PATH ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, text))
  for (const place of places) if (await isProgram(place)) return place
  if (!text.includes('/')) return undefined
  return realpath(text)
    .then(async (file) => ((await stat(file)).isFile() ? file : undefined))
    .catch(() => undefined)
}
