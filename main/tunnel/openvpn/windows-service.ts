import { readdir } from 'node:fs/promises'

import type { Launcher } from './launcher'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { serviceMissing } from './windows-service-messages'

/** As bytes, because Node.js 20 drops the last backslash of a text, and Windows then finds no list. */
const allPipes = Buffer.from('\\\\.\\pipe\\')

/**
 * Returns true if OpenVPN's interactive service runs. Searches the list of all pipes, because checking the pipe itself
 * would connect to it.
 *
 * @param listPipes returns the names of all pipes without their prefix
 */
export async function isServiceThere(
  listPipes: () => Promise<readonly string[]> = () => readdir(allPipes, 'utf8'),
): Promise<boolean> {
  try {
    return (await listPipes()).some((name) => name.toLowerCase() === 'openvpn\\service')
  } catch {
    return false
  }
}

/**
 * Returns the launcher of the service; undefined if it is missing but this process may set up a device itself.
 *
 * @param folder the launcher's folder
 * @throws CausewayError `helper/service-missing` if neither is possible
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
