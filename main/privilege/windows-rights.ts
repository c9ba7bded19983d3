import { execa } from 'execa'

/** The integrity levels of processes run as administrator and of the system (winnt.h). */
const elevated = ['S-1-16-12288', 'S-1-16-16384']

/** The group of administrators, which OpenVPN's service accepts without elevation (validate.c). */
const administrators = 'S-1-5-32-544'
const openVpnAdministrators = 'openvpn administrators'

/** Returns true if this process runs with an administrator's rights, according to `whoami`; false if that fails. */
export async function isElevated(listGroups = ownGroups): Promise<boolean> {
  return hasElevatedLevel(await listGroups())
}

/** Returns the output of `whoami /groups /fo csv /nh` for this process; empty if it fails. */
export async function ownGroups(systemRoot = process.env.SystemRoot ?? 'C:\\Windows'): Promise<string> {
  const { stdout, exitCode } = await execa(
    `${systemRoot}\\System32\\whoami.exe`,
    ['/groups', '/fo', 'csv', '/nh'],
    {
      reject: false,
      timeout: 10_000,
      stdin: 'ignore',
      stderr: 'ignore',
      windowsHide: true,
      maxBuffer: 1_000_000,
    },
  )
  return exitCode === 0 ? stdout : ''
}

/**
 * Returns true if OpenVPN's service starts connections for this user, unless an administrator has renamed its group.
 *
 * @param groups as for hasElevatedLevel
 */
export function isAllowedByService(groups: string): boolean {
  return groups.split(/\r?\n/).some((line) => {
    const [name = '', , id] = line.replace(/^"/, '').split('","')
    return id === administrators || name.toLowerCase().split('\\').at(-1) === openVpnAdministrators
  })
}

/** @param groups output of `whoami /groups /fo csv /nh`: name, kind, SID, attributes; only the SID is not translated */
export function hasElevatedLevel(groups: string): boolean {
  return groups.split(/\r?\n/).some((line) => elevated.includes(line.split('","')[2] ?? ''))
}
