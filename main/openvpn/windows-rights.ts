import { execa } from 'execa'

/** The integrity levels of a process that was started as an administrator, and of the system (winnt.h). */
const elevated = ['S-1-16-12288', 'S-1-16-16384']

/** Whether this process runs with an administrator's rights, as Windows' own `whoami` tells; false where it does not. */
export async function isElevated(systemRoot = process.env.SystemRoot ?? 'C:\\Windows'): Promise<boolean> {
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
  return exitCode === 0 && hasElevatedLevel(stdout)
}

/** @param groups what `whoami /groups /fo csv /nh` says: name, kind, SID, attributes; only the SID is no translated text */
export function hasElevatedLevel(groups: string): boolean {
  return groups.split(/\r?\n/).some((line) => elevated.includes(line.split('","')[2] ?? ''))
}
