import { z } from 'zod'
import { CausewayError } from '../../errors'
import { askWindowsHelper, windowsHelper } from '../../platform/child-process/windows-helper'
import type { HelperOptions, Launch } from '../../privilege/helper-client'
import { killSwitchNotOffered } from '../../privilege/kill-switch'
import { isElevated } from '../../privilege/windows-rights'
import { withKillSwitch } from './windows-kill-switch'
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
 * @param killSwitch finds Causeway's service, to hold the kill switch around the tunnel; undefined without the kill switch
 * @throws CausewayError `helper/service-missing` if neither is possible, `helper/windows-helper-unusable`,
 * `helper/kill-switch-not-offered`
 */
export async function findWindowsLauncher(
  folder: string,
  killSwitch: (() => Promise<HelperOptions | undefined>) | undefined,
  helper = windowsHelper,
): Promise<Launch | undefined> {
  const found = await readServiceState(helper)
  if (found === undefined) throw new CausewayError('helper/windows-helper-unusable')
  if (found.running) {
    const launch = createWindowsServiceLauncher({ folder, helper })
    if (killSwitch === undefined) return launch
    const service = await killSwitch()
    if (service === undefined) throw killSwitchNotOffered()
    return withKillSwitch(launch, service)
  }
  // The kill switch knows OpenVPN by the program that its service starts.
  if (killSwitch === undefined && (await isElevated(helper))) return undefined
  throw serviceMissing()
}
