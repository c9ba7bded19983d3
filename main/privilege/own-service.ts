import { z } from 'zod'
import { askWindowsHelper, type WindowsHelper, windowsHelper } from '../platform/child-process/windows-helper'
import type { UsableHelper } from './find-helper'

/** What Windows' list of services says of Causeway's service, and which of its files are there (docs/helper.md). */
const ownService = z.object({
  installed: z.boolean(),
  running: z.boolean(),
  disabled: z.boolean(),
  /** Whether this user may start it. */
  mayStart: z.boolean(),
  program: z.boolean(),
  /** Wintun's, beside the program. */
  library: z.boolean(),
})
export type OwnService = z.infer<typeof ownService>

/** Asks Windows about Causeway's service; undefined if Causeway's helper can't say. */
export async function readOwnService(helper = windowsHelper): Promise<OwnService | undefined> {
  return askWindowsHelper(ownService, helper('own-service'))
}

/** Returns whether the service answers this user: it runs, or starts when it is called. It lifts a kill switch without Wintun's library. */
export function isAnsweringService(found: OwnService | undefined): found is OwnService {
  return (
    found !== undefined &&
    found.installed &&
    found.program &&
    (found.running || (found.mayStart && !found.disabled))
  )
}

/** Returns whether the service also makes tunnels. */
export function isUsableService(found: OwnService | undefined): boolean {
  return isAnsweringService(found) && found.library
}

/** Returns the helper that calls the service; undefined if there is none that is good enough. Asks at each call. */
export async function findOwnService(
  helper: WindowsHelper = windowsHelper,
  isGoodEnough: (found: OwnService | undefined) => boolean = isUsableService,
): Promise<UsableHelper<'service'> | undefined> {
  if (!isGoodEnough(await readOwnService(helper))) return undefined
  return { helper: helper()[0], elevation: 'service' }
}
