import type { FindingItem } from '../../../contract/doctor'
import { readOwnService } from '../../privilege/own-service'
import type { DoctorOptions } from './doctor-options'

const name = 'wireguard'
const status = 'limited'

/** Returns whether Causeway's service on Windows can make WireGuard tunnels; undefined if Causeway's helper can't say. */
export async function ownServiceFinding({
  windowsHelper,
}: Pick<DoctorOptions, 'windowsHelper'>): Promise<FindingItem | undefined> {
  const found = await readOwnService(windowsHelper)
  // The finding about OpenVPN's service says it.
  if (found === undefined) return undefined
  if (!found.installed) return { name, status, code: 'wireguard-service-missing' }
  const absent = found.program ? 'wintun.dll' : 'causeway-service.exe'
  if (!found.program || !found.library)
    return { name, status, code: 'wireguard-service-incomplete', facts: { file: absent } }
  if (found.disabled || !(found.running || found.mayStart)) {
    const command = 'sc.exe config CausewayService start= demand'
    return { name, status, code: 'wireguard-service-off', command }
  }
  return { name, status: 'ok', code: 'wireguard-service' }
}
