import { chmod } from 'node:fs/promises'
import path from 'node:path'

/** What is installed with root's rights, and the mode that it is installed with. */
const modes = {
  'build/linux/causeway-helper': 0o755,
  'build/linux/org.causeway.helper.policy': 0o644,
  'main/openvpn/allowed-directives.json': 0o644,
  'build/macos/causeway-helper': 0o755,
  'build/macos/causeway-askpass': 0o755,
}

/**
 * Packages take the modes that files have, and in a checkout the group may be allowed to write: Causeway would refuse a
 * helper installed like that.
 */
export default async function beforePack(context) {
  for (const [file, mode] of Object.entries(modes)) {
    await chmod(path.join(context.packager.projectDir, file), mode)
  }
}
