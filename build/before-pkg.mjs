import { chmod, copyFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces the programs in the macOS installer by those in the app, which are signed by now. Apple's notary service refuses
 * a package with an unsigned program.
 */
export async function artifactBuildStarted(
  { targetPresentableName, file },
  installer = path.join(import.meta.dirname, '../out/helper/installer'),
) {
  if (targetPresentableName !== 'pkg') return
  const app = path.join(path.dirname(file), 'mac-universal/Causeway.app')
  for (const name of ['causeway-helper', 'causeway-wireguard']) {
    const program = path.join(installer, name)
    await copyFile(path.join(app, 'Contents/Resources/helper', name), program)
    await chmod(program, 0o755)
  }
}
