import { execa } from 'execa'

/** The integrity levels of a process that was started as an administrator, and of the system (winnt.h). */
const elevated = ['S-1-16-12288', 'S-1-16-16384']

/** The group of all administrators, which OpenVPN's service lets in though their rights are not in use (validate.c). */
const administrators = 'S-1-5-32-544'
const openVpnAdministrators = 'openvpn administrators'

/** Whether this process runs with an administrator's rights, as Windows' own `whoami` tells; false where it does not. */
export async function isElevated(listGroups = ownGroups): Promise<boolean> {
  return hasElevatedLevel(await listGroups())
}

/** What `whoami /groups /fo csv /nh` says of this process; nothing where it cannot be asked. */
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
 * Whether OpenVPN's service starts what this user asks for, as far as can be told: an administrator of the computer may
 * have given its group another name.
 *
 * @param groups as for hasElevatedLevel
 */
export function isAllowedByService(groups: string): boolean {
  return groups.split(/\r?\n/).some((line) => {
    const [name = '', , id] = line.replace(/^"/, '').split('","')
    return id === administrators || name.toLowerCase().split('\\').at(-1) === openVpnAdministrators
  })
}

/** @param groups what `whoami /groups /fo csv /nh` says: name, kind, SID, attributes; only the SID is no translated text */
export function hasElevatedLevel(groups: string): boolean {
  return groups.split(/\r?\n/).some((line) => elevated.includes(line.split('","')[2] ?? ''))
}
