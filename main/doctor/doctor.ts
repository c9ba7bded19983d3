import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { toErrorReport } from '../errors'
import { findOpenVpn, isProgram } from '../openvpn/find-openvpn'
import { canConfigureNetwork } from '../openvpn/network-rights'
import type { SecretStore } from '../secret-store/secret-store'

/** One thing that Causeway needs here. `remedy` is what to do about it, in words for people. */
export interface Finding {
  readonly name: 'openvpn' | 'rights' | 'tun-device' | 'key-store' | 'dns'
  /** `limited`: Causeway works, but not all of it. */
  readonly status: 'ok' | 'limited' | 'missing'
  readonly detail: string
  readonly remedy?: string
}

export interface DoctorOptions {
  readonly secretStore: SecretStore
  /** The OpenVPN to look at; undefined to search for it. */
  readonly openVpnPath: string | undefined
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** A text that the key store does not hold yet. */
  readonly randomText: () => string
}

/** Looks at everything that Causeway needs of this machine. Never throws: what cannot be looked at is a finding. */
export async function diagnose(options: DoctorOptions): Promise<Finding[]> {
  return Promise.all([
    openVpn(options),
    rights(options),
    ...(options.platform === 'linux' ? [tunDevice(), dns(options)] : []),
    keyStore(options),
  ])
}

async function openVpn({ openVpnPath }: DoctorOptions): Promise<Finding> {
  try {
    const { path, version } = await findOpenVpn(openVpnPath)
    return { name: 'openvpn', status: 'ok', detail: `OpenVPN ${version} at ${path}` }
  } catch (error) {
    return {
      name: 'openvpn',
      status: 'missing',
      detail: toErrorReport(error).message,
      remedy: 'Install OpenVPN 2.5 or newer, or name it in the setting openvpnPath.',
    }
  }
}

async function rights({ platform }: DoctorOptions): Promise<Finding> {
  if (await canConfigureNetwork()) {
    return { name: 'rights', status: 'ok', detail: 'This process may set up a network device and routes.' }
  }
  return {
    name: 'rights',
    status: 'limited',
    detail: 'This process may not set up a network device, so only `connect --check` works.',
    remedy:
      platform === 'linux'
        ? 'Run Causeway with the capability CAP_NET_ADMIN, or as root.'
        : 'Run Causeway as an administrator.',
  }
}

async function tunDevice(): Promise<Finding> {
  const device = '/dev/net/tun'
  try {
    await access(device, constants.R_OK | constants.W_OK)
    return { name: 'tun-device', status: 'ok', detail: `${device} can be opened.` }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return {
      name: 'tun-device',
      status: 'missing',
      detail: absent ? `There is no ${device}.` : `${device} may not be opened by this user.`,
      remedy: absent
        ? 'Load the kernel module: modprobe tun'
        : `Give ${device} the mode 0666, as desktops do.`,
    }
  }
}

async function keyStore({ secretStore, randomText }: DoctorOptions): Promise<Finding> {
  const account = 'doctor'
  try {
    const text = randomText()
    await secretStore.set(account, text)
    const read = await secretStore.get(account).finally(() => secretStore.delete(account))
    if (read === text) {
      return { name: 'key-store', status: 'ok', detail: 'The key store was written and read back.' }
    }
    return {
      name: 'key-store',
      status: 'missing',
      detail: 'The key store gave back something else than was written.',
      remedy: 'Unlock the key store, or log out of your session and in again.',
    }
  } catch (error) {
    return {
      name: 'key-store',
      status: 'missing',
      detail: toErrorReport(error).message,
      remedy: 'Unlock or start the key store of your desktop, or use --secret-store file.',
    }
  }
}

async function dns({ env }: DoctorOptions): Promise<Finding> {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(isAbsolute), '/usr/sbin', '/sbin']
  for (const program of ['resolvectl', 'resolvconf']) {
    for (const folder of folders) {
      if (!(await isProgram(join(folder, program)))) continue
      return { name: 'dns', status: 'ok', detail: `${program} is here to set name servers with.` }
    }
  }
  return {
    name: 'dns',
    status: 'limited',
    detail: 'Neither resolvectl nor resolvconf is here, so name servers of a VPN cannot be set.',
    remedy: 'Install systemd-resolved or resolvconf.',
  }
}
