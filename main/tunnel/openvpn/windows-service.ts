import { z } from 'zod'
import { CausewayError } from '../../errors'
import { askWindowsHelper, windowsHelper } from '../../platform/child-process/windows-helper'
import { isElevated } from '../../privilege/windows-rights'
import type { Launcher } from './launcher'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { serviceMissing } from './windows-service-messages'

/** Returns true if OpenVPN's interactive service runs; undefined if Causeway's helper can't say. */
export async function isServiceRunning(helper = windowsHelper): Promise<boolean | undefined> {
  return (await askWindowsHelper(z.object({ running: z.boolean() }), helper('service')))?.running
}

/**
 * Returns the launcher of the service; undefined if it is missing but this process may set up a device itself.
 *
 * @param folder the launcher's folder
 * @throws CausewayError `helper/service-missing` if neither is possible, `helper/windows-helper-unusable`
 */
export async function findWindowsLauncher(
  folder: string,
  helper = windowsHelper,
): Promise<Launcher | undefined> {
  const isRunning = await isServiceRunning(helper)
  if (isRunning === undefined) throw new CausewayError('helper/windows-helper-unusable')
  if (isRunning) return createWindowsServiceLauncher({ folder, helper })
  if (await isElevated(helper)) return undefined
  throw serviceMissing()
}
