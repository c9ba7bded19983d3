import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pushedOptions from '../../../helper/pushed-options.json' with { type: 'json' }
import { untilTied } from '../../platform/child-process/lifeline'
import { type Program, startProgram } from '../../platform/child-process/start-program'

/**
 * Command line options that overrule the configuration. At script-security 1, OpenVPN starts no programs but the system's
 * own for addresses and routes, and from 2.7 on a script of its own with the server's DNS settings, unless it is off. The
 * server may push what is on the list that the helper uses too; OpenVPN compares the text before it removes quotes, so an
 * option that is not accepted in its plain form is ignored.
 */
export const openVpnOptions: readonly (readonly [string, ...string[]])[] = [
  ['script-security', '1'],
  ['ignore-unknown-option', 'dns-updown'],
  ['dns-updown', 'disable'],
  ['verb', '3'],
  ['suppress-timestamps'],
  ...pushedOptions.map(([action = '', beginning = '']): [string, string, string] => [
    'pull-filter',
    action,
    beginning,
  ]),
]

const ownWords = openVpnOptions.flatMap(([name, ...words]) => [`--${name}`, ...words])

/**
 * Starts OpenVPN with a clean environment and the configuration on its standard input, so that the private key is on no
 * disk and in no command line. Its log, on standard output, must be read to the end: OpenVPN blocks when the pipe is full.
 *
 * @param command the absolute path of OpenVPN, after the lifeline's words
 */
export function spawnOpenVpn(command: readonly [string, ...string[]], configuration: string): Program {
  const openVpn = startProgram(
    [...command, '--config', 'stdin', ...ownWords],
    ownEnvironment(process.platform),
  )
  void giveConfiguration(openVpn, configuration)
  return openVpn
}

/** Waits until the process ends with this one: OpenVPN exits without a configuration, but keeps running with one. */
async function giveConfiguration({ pid, stdin }: Program, configuration: string): Promise<void> {
  if (pid !== undefined) await untilTied(pid)
  // A process that has ended reads nothing; its exit is reported elsewhere.
  stdin.on('error', () => undefined)
  stdin.end(configuration)
}

/**
 * Returns the environment. Nothing is inherited: LD_PRELOAD, OPENSSL_CONF and others could make OpenVPN load code with its
 * rights.
 */
function ownEnvironment(platform: NodeJS.Platform): Record<string, string> {
  if (platform !== 'win32') {
    return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
  }
  const root = process.env.SystemRoot ?? 'C:\\Windows'
  return { SystemRoot: root, PATH: `${root}\\System32`, TEMP: process.env.TEMP ?? root }
}

/**
 * Calls back with each line of the process's log; resolves at its end. That comes after the process has ended, but may never
 * come if another process has the log's pipe too, so this waits for it `graceMs` only.
 */
export async function followLog(
  openVpn: Program,
  onLine: (line: string) => void,
  graceMs = 5000,
): Promise<void> {
  // OpenVPN logs to standard output; standard error has messages of the system about a broken program.
  const logs = [openVpn.stdout, openVpn.stderr].map((input) => ({
    input,
    lines: createInterface({ input, crlfDelay: Infinity }),
  }))
  const giveUp = () => {
    for (const { input, lines } of logs) {
      lines.close()
      input.destroy()
    }
  }
  void openVpn.ended.then(() => setTimeout(giveUp, graceMs).unref())
  await Promise.all(logs.map(({ lines }) => once(lines.on('line', onLine), 'close')))
}
