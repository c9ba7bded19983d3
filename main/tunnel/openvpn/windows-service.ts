import { z } from 'zod'
import { CausewayError } from '../../errors'
import { askWindowsHelper, windowsHelper } from '../../platform/child-process/windows-helper'
import type { Launch } from '../../privilege/helper-client'
import { isElevated } from '../../privilege/windows-rights'
import { createWindowsServiceLauncher } from './windows-service-launcher'
import { serviceMissing } from './windows-service-messages'

const service = z.object({ installed: z.boolean(), running: z.boolean() })

/** Returns the state of OpenVPN's interactive service; undefined if Causeway's helper can't say. */
export async function readServiceState(helper = windowsHelper): Promise<z.infer<typeof service> | undefined> {
  return askWindowsHelper(service, helper('service'))
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
): Promise<Launch | undefined> {
  const found = await readServiceState(helper)
  if (found === undefined) throw new CausewayError('helper/windows-helper-unusable')
  if (found.running) return createWindowsServiceLauncher({ folder, helper })
  if (await isElevated(helper)) return undefined
  throw serviceMissing()
}
