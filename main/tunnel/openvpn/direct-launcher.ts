import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pushedOptions from '../../../helper/pushed-options.json' with { type: 'json' }
import { afterLifeline, lifelineWords, untilTied } from '../../platform/child-process/lifeline'
import { type Program, startProgram } from '../../platform/child-process/start-program'
import {
  type Launch,
  type LaunchRequest,
  type ProgramExit,
  type TunnelProgram,
  type WaitingProgram,
  waitingProgram,
} from '../../privilege/helper-client'
import { createOpenVpnFinder, programNotFound } from './find-openvpn'
import { LeftoverRoutes } from './leftover-routes'
import { startedByThisProcess } from './orphans'

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
 * Creates a launcher that runs OpenVPN as a child process with this process's own rights (openvpn.md, "direct"). Reuse it:
 * it caches the version of OpenVPN.
 *
 * OpenVPN gets a clean environment and the configuration on its standard input, so that the private key is on no disk and in
 * no command line. Its log, on standard output, must be read to the end: OpenVPN blocks when the pipe is full.
 *
 * @param binary returns the path of OpenVPN at each start; undefined to search the usual folders
 * @param graceMs the log's end comes after the process has ended, but may never come if another process has the log's pipe
 * too, so it is waited for this long only
 */
export function createDirectLauncher(binary: () => Promise<string | undefined>, graceMs = 5000): Launch {
  const find = createOpenVpnFinder()
  // Cached, because it does not change while this process runs.
  let lifeline: Promise<readonly string[]> | undefined

  const start = async (): Promise<RunningProgram> => {
    lifeline ??= lifelineWords()
    const [openVpn, tie] = await Promise.all([find(await binary()), lifeline])
    const program = startProgram(
      [...afterLifeline(tie, openVpn.path), '--config', 'stdin', ...ownWords],
      ownEnvironment(process.platform),
    )
    const { pid } = program
    if (pid === undefined) throw programNotFound(openVpn.path)
    // A process that has ended reads nothing; its exit is reported by `exited`.
    program.stdin.on('error', () => undefined)
    return { ...program, pid }
  }

  const run = (program: RunningProgram, { configuration }: LaunchRequest): TunnelProgram => {
    const { pid, stdin, stdout, stderr } = program
    // Without a configuration it exits when this process does; with one it keeps running.
    void untilTied(pid).then(() => stdin.end(configuration))

    const leftover = new LeftoverRoutes()
    let logged: () => void = () => undefined
    const wholeLog = new Promise<void>((resolve) => (logged = resolve))
    const exited = async (): Promise<ProgramExit> => {
      const [end] = await Promise.all([program.ended, wholeLog])
      if (end.signal !== undefined) await leftover.remove()
      await leftover.restoreReplaced()
      return end
    }
    return {
      followLog: async (onLine) => {
        // OpenVPN logs to standard output; standard error has messages of the system about a broken program.
        const logs = [stdout, stderr].map((input) => ({
          input,
          lines: createInterface({ input, crlfDelay: Infinity }).on('line', (line) => {
            leftover.note(line)
            // Asked to end, it would first add the rest.
            if (leftover.tooMany) program.kill('SIGKILL')
            onLine(line)
          }),
        }))
        const giveUp = () => {
          for (const { input, lines } of logs) {
            lines.close()
            input.destroy()
          }
        }
        void program.ended.then(() => setTimeout(giveUp, graceMs).unref())
        await Promise.all(logs.map(({ lines }) => once(lines, 'close')))
        logged()
      },
      // OpenVPN has nothing to clean up before it tries a remote.
      end: ({ hasBegun }) => {
        program.kill(hasBegun ? 'SIGTERM' : 'SIGKILL')
      },
      exited: exited(),
    }
  }

  return Object.assign(async (request: LaunchRequest) => run(await start(), request), {
    begin: async (): Promise<WaitingProgram> => {
      const program = await start()
      return waitingProgram(
        program.ended,
        (request) => run(program, request),
        () => {
          program.kill('SIGKILL')
        },
      )
    },
  })
}

type RunningProgram = Program & { readonly pid: number }

/**
 * Returns the environment. Nothing is inherited: LD_PRELOAD, OPENSSL_CONF and others could make OpenVPN load code with its
 * rights.
 */
function ownEnvironment(platform: NodeJS.Platform): Record<string, string> {
  if (platform !== 'win32') {
    return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...startedByThisProcess }
  }
  const root = process.env.SystemRoot ?? 'C:\\Windows'
  return { SystemRoot: root, PATH: `${root}\\System32`, TEMP: process.env.TEMP ?? root }
}
