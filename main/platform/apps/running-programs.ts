import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { type AppPlaces, appPlaces, installedApp } from './installed-apps'
import { filesOf, statOf } from './program-files'

/** A process of an app. */
export interface AppProcess {
  readonly app: string
  readonly pid: number
  /** When it started: another process may get its number. */
  readonly run: string
}

/**
 * Returns the processes of this user that belong to listed apps: those that run a listed program, or the program of a listed desktop
 * entry, and what these have started. Without systemd nothing else says what belongs to an app.
 */
export async function runningPrograms(
  list: readonly string[],
  uid: number,
  root = '/',
  places: AppPlaces = appPlaces(),
): Promise<AppProcess[]> {
  const programs = new Map<string, string>()
  for (const app of list) for (const path of await programsOf(app, places)) programs.set(path, app)
  if (programs.size === 0) return []
  const processes = new Map<string, { parent: string; startedAt: string; app: string | undefined }>()
  const names = await readdir(join(root, 'proc')).catch(() => [])
  const read = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => {
      const owner = await stat(join(root, 'proc', pid)).catch(() => undefined)
      if (owner?.uid !== uid) return
      const files = await filesOf(root, pid)
      const app = files.map((file) => programs.get(file)).find((each) => each !== undefined)
      processes.set(pid, { ...(await statOf(root, pid)), app })
    })
  await Promise.all(read)
  const appOf = (pid: string, depth = 0): string | undefined => {
    const process = processes.get(pid)
    return process?.app ?? (process && depth < 100 ? appOf(process.parent, depth + 1) : undefined)
  }
  return [...processes].flatMap(([pid, { startedAt }]) => {
    const app = appOf(pid)
    return app === undefined || startedAt === '' ? [] : [{ app, pid: Number(pid), run: startedAt }]
  })
}

/** Programs that run others: they say nothing of the app. */
const runners =
  /^(?:(?:ba|da|k|z)?sh|env|python[\d.]*|perl|ruby|node|java|php|mono|wine|flatpak|snap|bwrap|sudo|pkexec|gtk-launch|xdg-.*)$/

/** Returns the files that an app of the list runs, with links followed; of an entry that starts a runner, the script. */
async function programsOf(app: string, places: AppPlaces): Promise<readonly string[]> {
  const words = app.startsWith('/') ? [app] : ((await installedApp(app, [], places))?.command ?? [])
  const [first = '', second = ''] = words
  const program = words.length > 1 && runners.test(basename(first)) ? second : first
  // The name of a script alone isn't looked up by its interpreter.
  if (program === '' || (program !== first && !isAbsolute(program))) return []
  const paths = isAbsolute(program)
    ? [program]
    : (places.path ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, program))
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  const there = found.filter((path) => path !== undefined).slice(0, isAbsolute(program) ? undefined : 1)
  // A name such as `x-terminal-emulator` may lead to one, too.
  return app.startsWith('/') ? there : there.filter((path) => !runners.test(basename(path)))
}
