import { CausewayError } from '../errors'
import { isProgram } from '../platform/child-process/is-program'
import { findHelper } from './find-helper'
import { findOwnService } from './own-service'

/** Availability of the kill switch on this computer, or the missing part. */
export type KillSwitchHere = 'available' | 'no-helper' | 'no-service' | 'no-nft' | 'not-on-this-system'

/** The same folders as in the helper. */
const systemFolders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

interface KillSwitchHereOptions {
  readonly platform: NodeJS.Platform
  /** Path of the helper; default: the installed one. */
  readonly helper?: string
  readonly folders?: readonly string[]
  /** Finds Causeway's service on Windows. */
  readonly findService?: typeof findOwnService
}

/** Checks if this computer supports the kill switch (docs/helper.md, "Kill switch"). Never throws. */
export async function killSwitchHere({
  platform,
  helper,
  folders,
  findService = findOwnService,
}: KillSwitchHereOptions): Promise<KillSwitchHere> {
  if (platform === 'win32') return (await findService()) === undefined ? 'no-service' : 'available'
  if (platform !== 'linux' && platform !== 'darwin') return 'not-on-this-system'
  if ((await findHelper(helper)) === undefined) return 'no-helper'
  // pf is part of macOS.
  if (platform === 'darwin') return 'available'
  return (await hasNft(folders)) ? 'available' : 'no-nft'
}

/** Returns whether nft is in one of these folders; default: those of the helper. */
export async function hasNft(folders: readonly string[] = systemFolders): Promise<boolean> {
  return (await Promise.all(folders.map((folder) => isProgram(`${folder}/nft`)))).includes(true)
}

export function killSwitchNeedsHelper(): CausewayError {
  return new CausewayError('helper/needed-for-kill-switch')
}

export function killSwitchNotOffered(): CausewayError {
  return new CausewayError('helper/kill-switch-not-offered')
}
