import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { UpdateSlice } from '../../contract/updates'

type Means = NonNullable<UpdateSlice['available']>['means']

/** How a new version gets onto this computer; `target` names the feed's file that Causeway itself can install. */
export type UpdateMeans =
  | { readonly means: 'self'; readonly target: string }
  | { readonly means: Exclude<Means, 'self'> }

export interface RunningCopy {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the running program. */
  readonly program: string
  /** False for a program that runs from its sources. */
  readonly isPackaged: boolean
}

/**
 * Returns how the running copy is updated. Causeway installs only over copies that this user installed: an AppImage, an app
 * that was dragged to its folder on macOS, or a copy of the NSIS installer, which asks for an administrator's consent. A package
 * belongs to the system's package manager, and an MSI or pkg to an administrator.
 */
export async function updateMeans({
  platform,
  arch,
  env,
  program,
  isPackaged,
}: RunningCopy): Promise<UpdateMeans> {
  if (platform === 'linux') {
    const { APPIMAGE: image = '', APPDIR: mounted = '' } = env
    // Programs that another AppImage starts, such as those of a terminal, inherit both.
    const isImage = mounted !== '' && program.startsWith(`${mounted}/`)
    if (isImage && isAbsolute(image) && (await areWritable(image, dirname(image)))) {
      return { means: 'self', target: `AppImage-${arch}` }
    }
    return { means: env.FLATPAK_ID !== undefined || /^\/(opt|usr)\//.test(program) ? 'packages' : 'manual' }
  }
  if (platform === 'win32' && isPackaged) {
    const uninstaller = join(dirname(program), 'Uninstall Causeway.exe')
    return (await exists(uninstaller)) ? { means: 'self', target: `nsis-${arch}` } : { means: 'manual' }
  }
  if (platform === 'darwin' && isPackaged) {
    // Causeway.app/Contents/MacOS/Causeway
    const app = dirname(dirname(dirname(program)))
    if (await areWritable(app, dirname(app))) return { means: 'self', target: 'mac' }
  }
  return { means: 'manual' }
}

async function areWritable(...paths: readonly string[]): Promise<boolean> {
  try {
    await Promise.all(paths.map((path) => access(path, constants.W_OK)))
    return true
  } catch {
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
