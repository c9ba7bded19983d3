import { CausewayError } from '../errors'
import { isProgram } from '../platform/child-process/is-program'
import { findHelper } from './find-helper'

/** Whether there can be a kill switch on this computer, and what is missing where there cannot. */
export type KillSwitchHere = 'available' | 'no-helper' | 'no-nft' | 'not-on-this-system'

/** The same folders as the helper's. */
const systemFolders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

export interface KillSwitchHereOptions {
  readonly platform: NodeJS.Platform
  /** Where the helper is, other than the place where it is installed. */
  readonly helper?: string
  readonly folders?: readonly string[]
}

/** docs/helper.md, "Kill switch". Never throws. */
export async function killSwitchHere({
  platform,
  helper,
  folders = systemFolders,
}: KillSwitchHereOptions): Promise<KillSwitchHere> {
  if (platform !== 'linux') return 'not-on-this-system'
  if ((await findHelper(helper)) === undefined) return 'no-helper'
  const found = await Promise.all(folders.map((folder) => isProgram(`${folder}/nft`)))
  return found.includes(true) ? 'available' : 'no-nft'
}

export function killSwitchNeedsHelper(): CausewayError {
  return new CausewayError(
    'helper/needed-for-kill-switch',
    'The kill switch needs Causeway\'s helper, which isn\'t installed. Run "causeway helper install", or turn off the setting killSwitch.',
  )
}

/** The setting where there is no kill switch: nothing is connected without what the user asked for. */
export function withoutKillSwitch(setting: () => Promise<boolean>): () => Promise<boolean> {
  return async () => {
    if (!(await setting())) return false
    throw killSwitchNotOffered()
  }
}

export function killSwitchNotOffered(): CausewayError {
  return new CausewayError(
    'helper/kill-switch-not-offered',
    "The kill switch isn't supported on this system yet. Turn off the setting killSwitch, then connect again.",
  )
}
