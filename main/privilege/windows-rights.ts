import { z } from 'zod'
import { askWindowsHelper, windowsHelper } from '../platform/child-process/windows-helper'

const account = z.object({
  elevated: z.boolean(),
  groups: z.array(z.object({ sid: z.string(), name: z.string() })),
})

/** The group of administrators, which OpenVPN's service accepts without elevation (validate.c). */
const administrators = 'S-1-5-32-544'
const openVpnAdministrators = 'openvpn administrators'

/** Returns true if this process runs with an administrator's rights; false if the helper doesn't say. */
export async function isElevated(helper = windowsHelper): Promise<boolean> {
  return (await askWindowsHelper(account, helper('account')))?.elevated ?? false
}

/**
 * Returns true if OpenVPN's service starts connections for this user, unless an administrator has renamed its group; false
 * if the helper doesn't say.
 */
export async function isAllowedByService(helper = windowsHelper): Promise<boolean> {
  const found = await askWindowsHelper(account, helper('account'))
  return (found?.groups ?? []).some(
    ({ sid, name }) => sid === administrators || name.toLowerCase() === openVpnAdministrators,
  )
}
