import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInPath, isProgram } from '../child-process/is-program'
import { openRegularFile } from '../storage/regular-file'
import { type DesktopEntry, parseDesktopEntry } from './desktop-entry'

/** An app with a desktop entry. */
export interface InstalledApp extends DesktopEntry {
  /** The ID of its entry, without `.desktop`. */
  readonly id: string
}

/** Where desktop entries and icons are. */
export interface AppPlaces {
  /** The data folders of the user and the system (XDG Base Directory Specification), the first first. */
  readonly folders: readonly string[]
  readonly desktops: readonly string[]
  readonly path: string | undefined
}

/** More files than any desktop has, and larger ones. */
const limits = { files: 10_000, depth: 4, variants: 100, bytes: 256 * 1024 }

/** Returns where the apps of this computer are, by the variables of its desktop. */
export function appPlaces(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): AppPlaces {
  const own = env.XDG_DATA_HOME
  const shared = (env.XDG_DATA_DIRS ?? '').split(delimiter).filter(isAbsolute)
  const system = shared.length === 0 ? ['/usr/local/share', '/usr/share'] : shared
  return {
    folders: [
      own !== undefined && isAbsolute(own) ? own : join(home, '.local/share'),
      ...system,
      // A terminal over ssh may lack them.
      join(home, '.local/share/flatpak/exports/share'),
      '/var/lib/flatpak/exports/share',
      '/var/lib/snapd/desktop',
    ].filter((folder, index, all) => all.indexOf(folder) === index),
    desktops: (env.XDG_CURRENT_DESKTOP ?? '').split(':').filter(Boolean),
    path: env.PATH,
  }
}

/** Returns the apps that the menus of this computer show, in the order of their names. Files that can't be read are left out. */
export async function installedApps(
  languages: readonly string[],
  places: AppPlaces = appPlaces(),
): Promise<InstalledApp[]> {
  const found = new Map<string, InstalledApp | undefined>()
  for (const folder of places.folders) {
    const files = await filesIn(join(folder, 'applications'))
    await Promise.all(
      files.map(async ({ id, path }) => {
        // The first folder has its say, also about what it deletes.
        if (found.has(id)) return
        const entry = await read(path, languages, places.desktops)
        if (entry === undefined) return
        found.set(id, entry === 'deleted' || !(await isThere(entry, places)) ? undefined : { ...entry, id })
      }),
    )
  }
  const apps = [...found.values()].filter((app) => app !== undefined).filter(({ isHidden }) => !isHidden)
  const order = new Intl.Collator(languages.filter(isTag), { numeric: true })
  return apps.toSorted((one, other) => order.compare(one.name, other.name) || order.compare(one.id, other.id))
}

/** Returns the app with this ID, of which it reads no other's entry; undefined if menus don't show it. */
export async function installedApp(
  id: string,
  languages: readonly string[] = [],
  places: AppPlaces = appPlaces(),
): Promise<InstalledApp | undefined> {
  if (id.includes('/')) return undefined
  for (const folder of places.folders) {
    for (const path of filesOf(id)) {
      const entry = await read(join(folder, 'applications', path), languages, places.desktops)
      if (entry === undefined) continue
      if (entry === 'deleted' || entry.isHidden || !(await isThere(entry, places))) return undefined
      return { ...entry, id }
    }
  }
  return undefined
}

/** Returns the files that may have the entry with an ID: each hyphen may stand for a folder. */
function filesOf(id: string, depth = 1): readonly string[] {
  const inFolders = [...id.matchAll(/-/g)].flatMap(({ index }) => {
    const [folder, rest] = [id.slice(0, index), id.slice(index + 1)]
    return folder === '' || /^\.+$/.test(folder)
      ? []
      : filesOf(rest, depth + 1).map((file) => `${folder}/${file}`)
  })
  return [`${id}.desktop`, ...(depth < limits.depth ? inFolders : [])].slice(0, limits.variants)
}

function isTag(tag: string): boolean {
  try {
    return Intl.Collator.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

/** Returns the entries below a folder; the folders on the way to one are part of its ID. */
async function filesIn(
  folder: string,
  prefix = '',
  depth = 1,
): Promise<{ readonly id: string; readonly path: string }[]> {
  // One that isn't there has none; nor has one that can't be read, for which other apps stay usable.
  const children = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    children.slice(0, limits.files).map(async (child) => {
      const path = join(folder, child.name)
      if (child.isDirectory())
        return depth < limits.depth ? filesIn(path, `${prefix}${child.name}-`, depth + 1) : []
      const [, name] = /^([\p{L}\p{N}_][^\p{Cc},]{0,150})\.desktop$/u.exec(child.name) ?? []
      return name === undefined ? [] : [{ id: `${prefix}${name}`, path }]
    }),
  )
  return found.flat().slice(0, limits.files)
}

async function read(
  path: string,
  languages: readonly string[],
  desktops: readonly string[],
): Promise<ReturnType<typeof parseDesktopEntry>> {
  const text = await smallFile(path, limits.bytes)
  return text && parseDesktopEntry(text.toString('utf8'), languages, desktops)
}

/** Returns the content of a regular file; undefined for one that is missing, unreadable or larger. */
export async function smallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const file = await openRegularFile(path)
    try {
      return (await file.stat()).size > maxBytes ? undefined : await file.readFile()
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

async function isThere({ needs }: DesktopEntry, { path }: AppPlaces): Promise<boolean> {
  if (needs === undefined) return true
  return isAbsolute(needs) ? isProgram(needs) : isInPath(needs, { PATH: path })
}
