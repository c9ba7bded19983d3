import { chmod, copyFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces the helper in the macOS installer by the one in the app, which is signed by now. Apple's notary service refuses
 * a package with an unsigned program.
 */
export async function artifactBuildStarted(
  { targetPresentableName, file },
  installer = path.join(import.meta.dirname, '../out/helper/installer'),
) {
  if (targetPresentableName !== 'pkg') return
  const app = path.join(path.dirname(file), 'mac-universal/Causeway.app')
  const helper = path.join(installer, 'causeway-helper')
  await copyFile(path.join(app, 'Contents/Resources/helper/causeway-helper'), helper)
  await chmod(helper, 0o755)
}
