import { CausewayError } from '../errors'
import { isProgram } from '../platform/child-process/is-program'
import { findHelper } from './find-helper'

/** Availability of the kill switch on this computer, or the missing part. */
export type KillSwitchHere = 'available' | 'no-helper' | 'no-nft' | 'not-on-this-system'

/** The same folders as in the helper. */
const systemFolders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

interface KillSwitchHereOptions {
  readonly platform: NodeJS.Platform
  /** Path of the helper; default: the installed one. */
  readonly helper?: string
  readonly folders?: readonly string[]
}

/** Checks if this computer supports the kill switch (docs/helper.md, "Kill switch"). Never throws. */
export async function killSwitchHere({
  platform,
  helper,
  folders,
}: KillSwitchHereOptions): Promise<KillSwitchHere> {
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

/** Wraps the setting where the kill switch is not supported: throws if it is on, so that nothing connects without it. */
export function withoutKillSwitch(setting: () => Promise<boolean>): () => Promise<boolean> {
  return async () => {
    if (!(await setting())) return false
    throw killSwitchNotOffered()
  }
}

export function killSwitchNotOffered(): CausewayError {
  return new CausewayError('helper/kill-switch-not-offered')
}
