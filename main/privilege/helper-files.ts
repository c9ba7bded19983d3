import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { parseJson } from '../json'
import type { HelperSlice } from '../../contract/state'
import { isProgram } from '../platform/child-process/is-program'
import { findHelper, helperFolder, rootPrograms } from './find-helper'

/** One file of the helper, with its source and its target, which only root may write. */
interface HelperFile {
  readonly source: string
  readonly target: string
  readonly mode: '0755' | '0644'
}

export type HelperPlatform = 'linux' | 'darwin'

interface Part {
  /** Path in the source tree. */
  readonly from: string
  readonly target: string
  readonly mode: HelperFile['mode']
  /** True if the helper works without it: an old Go doesn't build it (scripts/build-helper.ts). */
  readonly optional?: true
}

const parts: Readonly<Record<HelperPlatform, readonly [Part, ...Part[]]>> = {
  linux: [
    { from: 'out/helper/causeway-helper', target: `${helperFolder.linux}/causeway-helper`, mode: '0755' },
    {
      from: 'out/helper/causeway-wireguard',
      target: `${helperFolder.linux}/causeway-wireguard`,
      mode: '0755',
      optional: true,
    },
    {
      from: 'helper/org.causeway.helper.policy',
      target: '/usr/share/polkit-1/actions/org.causeway.helper.policy',
      mode: '0644',
    },
  ],
  darwin: [
    { from: 'out/helper/causeway-helper', target: `${helperFolder.darwin}/causeway-helper`, mode: '0755' },
    {
      from: 'out/helper/causeway-wireguard',
      target: `${helperFolder.darwin}/causeway-wireguard`,
      mode: '0755',
      optional: true,
    },
    { from: 'helper/causeway-askpass', target: `${helperFolder.darwin}/causeway-askpass`, mode: '0755' },
    {
      from: 'build/macos/org.causeway.helper.plist',
      target: '/Library/LaunchDaemons/org.causeway.helper.plist',
      mode: '0644',
    },
  ],
}

/** The folder in a package's resources that contains the files by name (electron-builder.yml). */
const folderInPackage = 'helper'

/** Returns the paths of the installed files under `root`; the folder of the first belongs to the helper alone. */
export function helperTargets(platform: HelperPlatform, root: string): [string, ...string[]] {
  const [first, ...rest] = parts[platform]
  return [path.join(root, first.target), ...rest.map(({ target }) => path.join(root, target))]
}

/** Returns whether all files are installed under `root` without which the helper doesn't work. */
export function isHelperInstalled(platform: HelperPlatform, root: string): boolean {
  return parts[platform].every(
    ({ target, optional }) => optional === true || existsSync(path.join(root, target)),
  )
}

/**
 * Returns the files to install, from the source tree or the package that contains `startAt`. Undefined if it lacks one of
 * them: the folders around it may belong to other users.
 */
export function findHelperFiles(
  platform: HelperPlatform,
  root: string,
  startAt: string,
): HelperFile[] | undefined {
  for (let folder = startAt; path.dirname(folder) !== folder; folder = path.dirname(folder)) {
    const isPackage = path.basename(folder) === 'app.asar'
    if (!isPackage && !isSourceTree(folder)) continue
    const files = parts[platform].flatMap((part) => {
      const source = isPackage ? path.join(folder, '..', inPackage(part)) : path.join(folder, part.from)
      if (part.optional === true && !existsSync(source)) return []
      return { source, target: path.join(root, part.target), mode: part.mode }
    })
    return files.every(({ source }) => existsSync(source)) ? files : undefined
  }
  return undefined
}

/**
 * Returns whether tunnels can use the helper, or else whether the window can install it: on Linux, from its own package, where
 * polkit asks for permission. Nobody asks root, who has the terminal command.
 */
export async function helperHere({
  platform = process.platform,
  helper,
  startAt = import.meta.dirname,
  asks = rootPrograms.pkexec,
  isRoot = process.geteuid?.() === 0,
}: {
  readonly platform?: NodeJS.Platform
  /** Path of the helper; default: the installed one. */
  readonly helper?: string
  readonly startAt?: string
  readonly asks?: string
  readonly isRoot?: boolean
} = {}): Promise<HelperSlice> {
  if (platform === 'win32' || (await findHelper(helper)) !== undefined) return 'usable'
  const isInstallable =
    platform === 'linux' &&
    !isRoot &&
    findHelperFiles(platform, '/', startAt) !== undefined &&
    (await isProgram(asks))
  return isInstallable ? 'installable' : 'missing'
}

function isSourceTree(folder: string): boolean {
  const file = path.join(folder, 'package.json')
  return existsSync(file) && nameIn.safeParse(parseJson(readFileSync(file, 'utf8'))).success
}

const nameIn = z.object({ name: z.literal(packageJson.name) })

function inPackage({ from }: Part): string {
  return path.join(folderInPackage, path.basename(from))
}
