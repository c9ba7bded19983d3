import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { Arch } from 'electron-builder'

/** What is installed with root's rights, and the mode that it is installed with. */
const modes = {
  'out/helper/package/causeway-helper': 0o755,
  'helper/org.causeway.helper.policy': 0o644,
  'helper/causeway-askpass': 0o755,
}

/** What the package of macOS's installer brings to root beside the app: its script, and what that installs. */
const installerFiles = [
  'out/helper/package/causeway-helper',
  'helper/causeway-askpass',
  'build/macos/postinstall',
]

let packaged

/**
 * Builds the helper for the processor of the package. Packages take the modes that files have, and in a checkout the
 * group may be allowed to write: Causeway would refuse a helper installed like that.
 */
export default async function beforePack({ packager, electronPlatformName, arch }) {
  if (!['linux', 'darwin'].includes(electronPlatformName)) return
  // The packages are put together while the next processor's turn has begun, out of the same files.
  if (packaged !== undefined && packaged !== arch) throw new Error('Package for one processor at a time.')
  packaged = arch
  const tree = packager.projectDir
  await mkdir(path.join(tree, 'out/helper/package'), { recursive: true })
  const output = path.join(tree, 'out/helper/package/causeway-helper')
  const build = [path.join(tree, 'scripts/build-helper.ts'), output, electronPlatformName, Arch[arch]]
  await promisify(execFile)(process.execPath, ['--import', 'tsx', ...build], { cwd: tree })
  if (electronPlatformName === 'darwin') {
    const folder = path.join(tree, 'out/helper/installer')
    await mkdir(folder, { recursive: true })
    for (const file of installerFiles) {
      const copy = path.join(folder, path.basename(file))
      await copyFile(path.join(tree, file), copy)
      await chmod(copy, 0o755)
    }
  }
  for (const [file, mode] of Object.entries(modes)) await chmod(path.join(tree, file), mode)
}
