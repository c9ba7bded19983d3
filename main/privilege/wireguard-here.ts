import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { dirname, join } from 'node:path'

import { installedHelper } from './find-helper'
import { isUsableService, readOwnService } from './own-service'

/** The implementation of WireGuard that the helper would use: the kernel's, or Causeway's own program; `none` without either. */
export type WireGuardHere = 'kernel' | 'userspace' | 'none'

export interface WireGuardPlaces {
  readonly platform: NodeJS.Platform
  readonly helper: string
  /** The root of the file system. */
  readonly root: string
  /** The version of the running kernel. */
  readonly kernel: string
}

/**
 * Tells which WireGuard the installed helper of Linux or macOS would use, from files that everybody may read: asking the helper could ask for a
 * password. The helper itself says it at each start.
 */
export function wireGuardHere({
  platform = process.platform,
  helper = installedHelper,
  root = '/',
  kernel = release(),
}: Partial<WireGuardPlaces> = {}): WireGuardHere {
  if ((platform !== 'linux' && platform !== 'darwin') || !isRootsProgram(helper)) return 'none'
  // macOS has none in its kernel.
  if (platform === 'linux' && hasModule(root, kernel)) return 'kernel'
  return isRootsProgram(ownWireGuard(helper)) ? 'userspace' : 'none'
}

/**
 * Returns the protocols that this computer can run: WireGuard on Windows with Causeway's service, elsewhere with the helper.
 *
 * @param askService asks Windows about the service
 */
export async function runnableProtocols(
  places: Partial<WireGuardPlaces> = {},
  askService = readOwnService,
): Promise<readonly ('openvpn' | 'wireguard')[]> {
  const { platform = process.platform } = places
  const hasWireGuard =
    platform === 'win32' ? isUsableService(await askService()) : wireGuardHere(places) !== 'none'
  return hasWireGuard ? ['openvpn', 'wireguard'] : ['openvpn']
}

/** Returns the path of Causeway's own program for WireGuard. */
export function ownWireGuard(helper: string): string {
  return join(dirname(helper), 'causeway-wireguard')
}

/** The kernel loads the module by itself. */
function hasModule(root: string, kernel: string): boolean {
  if (existsSync(join(root, 'sys/module/wireguard'))) return true
  return ['modules.dep', 'modules.builtin'].some((list) => {
    try {
      return /\/wireguard\.ko\b/.test(readFileSync(join(root, 'lib/modules', kernel, list), 'latin1'))
    } catch {
      // Containers have no modules of their own.
      return false
    }
  })
}

function isRootsProgram(file: string): boolean {
  try {
    const { uid, mode } = lstatSync(file)
    return uid === 0 && (mode & 0o022) === 0 && (mode & 0o111) !== 0
  } catch {
    return false
  }
}
