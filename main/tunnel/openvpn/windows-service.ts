import { readdir } from 'node:fs/promises'

import type { Launcher } from './launcher'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { serviceMissing } from './windows-service-messages'

const allPipes = '\\\\.\\pipe\\'

/**
 * Whether OpenVPN's interactive service runs. Its pipe is looked for in the list of all: to look at the pipe itself would
 * connect to it.
 *
 * @param listPipes the names of all pipes, without what stands before each
 */
export async function isServiceThere(
  listPipes: () => Promise<readonly string[]> = () => readdir(allPipes),
): Promise<boolean> {
  try {
    return (await listPipes()).some((name) => name.toLowerCase() === 'openvpn\\service')
  } catch {
    return false
  }
}

/**
 * The launcher of the service; undefined where there is none but this process may set up a device itself.
 *
 * @param folder the launcher's
 * @throws CausewayError `helper/service-missing` where there is neither
 */
export async function findWindowsLauncher(
  folder: string,
  isThere: () => Promise<boolean> = isServiceThere,
  mayConfigureNetwork: () => Promise<boolean> = canConfigureNetwork,
): Promise<Launcher | undefined> {
  if (await isThere()) return createWindowsServiceLauncher({ folder })
  if (await mayConfigureNetwork()) return undefined
  throw serviceMissing()
}
