import { existsSync } from 'node:fs'
import path from 'node:path'
import { helperFolder } from './find-helper'

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
}

const parts: Readonly<Record<HelperPlatform, readonly [Part, ...Part[]]>> = {
  linux: [
    { from: 'out/helper/causeway-helper', target: `${helperFolder.linux}/causeway-helper`, mode: '0755' },
    {
      from: 'helper/org.causeway.helper.policy',
      target: '/usr/share/polkit-1/actions/org.causeway.helper.policy',
      mode: '0644',
    },
  ],
  darwin: [
    { from: 'out/helper/causeway-helper', target: `${helperFolder.darwin}/causeway-helper`, mode: '0755' },
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

/**
 * Returns the files to install, from the source tree or the package of this program: the nearest folder above `startAt`
 * that contains all of them. Undefined if there is none.
 */
export function findHelperFiles(
  platform: HelperPlatform,
  root: string,
  startAt: string,
): HelperFile[] | undefined {
  for (let folder = startAt; ; folder = path.dirname(folder)) {
    for (const layout of [inTree, inPackage]) {
      const files = parts[platform].map((part) => ({
        source: path.join(folder, layout(part)),
        target: path.join(root, part.target),
        mode: part.mode,
      }))
      if (files.every(({ source }) => existsSync(source))) return files
    }
    if (path.dirname(folder) === folder) return undefined
  }
}

function inTree({ from }: Part): string {
  return from
}

function inPackage({ from }: Part): string {
  return path.join(folderInPackage, path.basename(from))
}
