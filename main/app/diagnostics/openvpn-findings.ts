import { isInPath } from '../../platform/child-process/is-program'
import { isAllowedByService } from '../../privilege/windows-rights'
import { findOpenVpn, isUntried, newestTriedOpenVpn } from '../../tunnel/openvpn/find-openvpn'
import { readServiceState } from '../../tunnel/openvpn/windows-service'
import type { FindingItem } from '../../../contract/doctor'
import type { DoctorOptions } from './doctor-options'
import { errorFinding } from './error-finding'

/** The commands that install packages, of the first program that is there. */
const packageManagers = {
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  zypper: 'sudo zypper install',
  pacman: 'sudo pacman -S',
} as const

/** Returns the command that installs a package on Linux; undefined if the system's package manager is unknown. */
export async function installCommand(
  name: 'openvpn' | 'nftables',
  env: DoctorOptions['env'],
): Promise<string | undefined> {
  for (const [program, command] of Object.entries(packageManagers))
    if (await isInPath(program, env)) return `${command} ${name}`
  return undefined
}

/** Returns how to get OpenVPN on a system. */
async function source({ platform, env }: DoctorOptions): Promise<Pick<FindingItem, 'command' | 'page'>> {
  if (platform === 'win32') return { page: 'openvpn-download' }
  // The helper refuses other OpenVPNs, which root doesn't own.
  if (platform === 'darwin') return { page: 'macports', command: 'sudo port install openvpn2' }
  const command = await installCommand('openvpn', env)
  return { command }
}

/** Checks for an OpenVPN that is new enough, and no newer than those that Causeway was tried with. */
export async function openVpnFinding(options: DoctorOptions): Promise<FindingItem> {
  try {
    const { path, version } = await findOpenVpn(options.openVpnPath)
    if (isUntried(version)) {
      const tested = `${newestTriedOpenVpn.major}.${newestTriedOpenVpn.minor}`
      return {
        name: 'openvpn',
        status: 'limited',
        code: 'openvpn-untried',
        facts: { version, path, tested },
      }
    }
    return {
      name: 'openvpn',
      status: 'ok',
      code: 'openvpn-found',
      facts: { version, path },
    }
  } catch (error) {
    const finding = errorFinding({ name: 'openvpn', status: 'missing', code: 'openvpn-unusable' }, error)
    return { ...finding, ...(await source(options)) }
  }
}

/** The letters of account names, none of which means anything to a shell inside quotes. */
const accountName = /^[\p{L}\p{M}\p{N} ._-]+$/u

/** Returns what an administrator types to let the service start connections for this user. */
function joinGroup({ USERDOMAIN: domain = '', USERNAME: name = '' }: DoctorOptions['env']): string {
  const user = accountName.test(domain) && accountName.test(name) ? `${domain}\\${name}` : 'DOMAIN\\user'
  const command = 'net localgroup "OpenVPN Administrators"'
  return `${command} /add\n${command} "${user}" /add`
}

/** Checks OpenVPN's service on Windows. */
export async function serviceFinding({ windowsHelper, env }: DoctorOptions): Promise<FindingItem> {
  const found = await readServiceState(windowsHelper)
  if (found === undefined) {
    return {
      name: 'service',
      status: 'missing',
      code: 'service-without-helper',
    }
  }
  if (!found.installed && !found.running) {
    return {
      name: 'service',
      status: 'limited',
      code: 'service-missing',
      page: 'openvpn-download',
    }
  }
  if (!found.running) {
    const command = 'net start OpenVPNServiceInteractive'
    return {
      name: 'service',
      status: 'limited',
      code: 'service-stopped',
      command,
    }
  }
  if (await isAllowedByService(windowsHelper)) {
    return {
      name: 'service',
      status: 'ok',
      code: 'service-ready',
    }
  }
  const command = joinGroup(env)
  return {
    name: 'service',
    status: 'limited',
    code: 'service-not-for-you',
    command,
  }
}
