import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { execa } from 'execa'
import { untilTied } from '../../platform/child-process/lifeline'

/**
 * Pushed options are a server's text too. Of them OpenVPN takes only those it deems safe to be pushed, and at
 * script-security 1 it starts no program but the system's own for addresses and routes; environment variables
 * (`setenv-safe`, `dhcp-option`) then reach nobody. `verb` and `mute` are refused because they would silence the log
 * that Causeway reads. Options on the command line come after the configuration and overrule it.
 */
export const openVpnOptions = [
  '--script-security',
  '1',
  '--verb',
  '3',
  '--suppress-timestamps',
  '--pull-filter',
  'ignore',
  'verb',
  '--pull-filter',
  'ignore',
  'mute',
]

/**
 * Starts OpenVPN with an environment of its own and the configuration on its standard input, so that the private key is
 * on no disk and in no command line. Its log, on standard output, has to be read to the end: OpenVPN stands still when
 * the pipe is full.
 *
 * @param command the absolute path of OpenVPN, with the lifeline's words before it
 */
export function spawnOpenVpn(command: readonly [string, ...string[]], configuration: string) {
  const [program, ...words] = command
  const subprocess = execa(program, [...words, '--config', 'stdin', ...openVpnOptions], {
    env: ownEnvironment(process.platform),
    extendEnv: false,
    // Lines are read below: execa's own iteration costs a millisecond of the fifteen that connecting takes.
    buffer: false,
    reject: false,
    forceKillAfterDelay: 5000,
    windowsHide: true,
  })
  void giveConfiguration(subprocess, configuration)
  return subprocess
}

/** Only to a process that ends with this one: without a configuration OpenVPN ends by itself, with one it stays. */
async function giveConfiguration(
  { pid, stdin }: Pick<ChildProcess, 'pid'> & { readonly stdin: Writable },
  configuration: string,
): Promise<void> {
  if (pid !== undefined) await untilTied(pid)
  // A process that has ended takes nothing; it says itself how it ended.
  stdin.on('error', () => undefined)
  stdin.end(configuration)
}

/** Nothing is inherited: LD_PRELOAD, OPENSSL_CONF and others would decide what OpenVPN loads, with its rights. */
function ownEnvironment(platform: NodeJS.Platform): Record<string, string> {
  if (platform !== 'win32') {
    return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
  }
  const root = process.env.SystemRoot ?? 'C:\\Windows'
  return { SystemRoot: root, PATH: `${root}\\System32`, TEMP: process.env.TEMP ?? root }
}

export type OpenVpnProcess = ReturnType<typeof spawnOpenVpn>

/** Calls back with each line of the process's log; resolves when there will be no more. */
export async function followLog(
  { stdout, stderr }: OpenVpnProcess,
  onLine: (line: string) => void,
): Promise<void> {
  // What OpenVPN itself says is on standard output; the other holds what the system says of a broken program.
  const streams = [stdout, stderr].map((input) => createInterface({ input, crlfDelay: Infinity }))
  await Promise.all(streams.map((lines) => once(lines.on('line', onLine), 'close')))
}
