import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { z } from 'zod'
import { isProgram } from '../child-process/is-program'

export type Program = readonly [string, ...string[]]

interface ProcessFacts {
  readonly execPath: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns the program of this running app. An AppImage is mounted at a different path for each run, so its file is used. */
export function runningProgram({ execPath, env }: ProcessFacts, appPath: string | undefined): Program {
  const { APPIMAGE: image, APPDIR: mounted } = env
  const isImage = image !== undefined && mounted !== undefined && execPath.startsWith(`${mounted}${sep}`)
  return [isImage ? image : execPath, ...(appPath === undefined ? [] : [appPath])]
}

const packageFile = z.object({ name: z.string() })

/** Returns the app's program where Node.js runs the terminal command from a built source tree. */
export async function programOfSourceTree(
  { env }: Pick<ProcessFacts, 'env'>,
  startAt: string = import.meta.dirname,
): Promise<Program | undefined> {
  const tree = await treeAbove(startAt)
  if (tree === undefined || !existsSync(join(tree, 'out', 'main', 'index.js'))) return undefined
  const override = env.ELECTRON_OVERRIDE_DIST_PATH ?? ''
  const runtime = override === '' ? join(electronPackage(tree) ?? tree, 'dist') : override
  const electron = join(runtime, 'electron')
  return (await isProgram(electron)) ? [electron, tree] : undefined
}

async function treeAbove(folder: string): Promise<string | undefined> {
  const file = join(folder, 'package.json')
  if (existsSync(file)) {
    const parsed = packageFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success && parsed.data.name === 'causeway' ? folder : undefined
  }
  return dirname(folder) === folder ? undefined : treeAbove(dirname(folder))
}

function electronPackage(tree: string): string | undefined {
  try {
    return dirname(createRequire(join(tree, 'package.json')).resolve('electron/package.json'))
  } catch {
    return undefined
  }
}
