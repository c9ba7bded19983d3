import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Returns true if systemd runs this computer, as sd_booted(3) finds out. */
export function hasSystemd(root = '/'): boolean {
  return existsSync(join(root, 'run/systemd/system'))
}
