import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import type { Instance } from '../portal/instance/instance'
import { withLogin } from '../portal/oauth/with-login'
import type { GlobalOptions } from './global-options'
import type { Seen } from '../services/offline-cache/read-or-recall'
import type { ReadingClients } from '../app/service-reads'
import { createServices, type Services } from '../app/services'
import { dataDirectory } from '../platform/storage/data-directory'
import { type Program, programOfSourceTree, runningProgram } from '../platform/autostart/app-program'
import { createStartAtLogin } from '../platform/autostart/start-at-login'
import type { Portal } from '../portal/portal'
import { openBrowserWith } from './browser'
import { exitStatus } from './exit-status'
import { StopSignals } from './stop-signals'
import { Terminal } from './terminal'

/** What every command of the terminal works with. */
export interface Context {
  readonly services: Services
  readonly terminal: Terminal
  readonly login: 'allowed' | 'never'
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP, and when nobody reads the output any more. */
  readonly signal: AbortSignal
  /** The person's languages, best first. */
  languages(): Promise<string[]>
  /** A call of the portal, with a login where it is needed and allowed. */
  authorized<T>(instance: Instance, call: (portal: Portal) => Promise<T>): Promise<T>
  /** The same for a call that only reads; with `--offline` what it gave last where the instance cannot be reached. */
  authorizedRead<T>(instance: Instance, read: (portal: ReadingClients['vpn']) => Promise<T>): Promise<T>
  /**
   * What was read (`services.read`). Where it is old, that is told, and without `--offline` it is an error, which is the one
   * that the service could not be reached for: a script must not take it for something of now.
   */
  known<T>(seen: Seen<T>): T
}

/** The options of the terminal command alone, beside the shared ones. */
interface TerminalOptions extends GlobalOptions {
  readonly offline?: true
}

/**
 * Runs the action of a command with services made for it, and turns what it throws into one line on standard error
 * and the exit status. Commander hands each action its arguments, then its options, then the command.
 */
export function action<Arguments extends unknown[]>(
  run: (context: Context, ...args: Arguments) => Promise<void>,
): (...args: [...Arguments, Command]) => Promise<void> {
  return async (...given) => {
    const args = given.slice(0, -1) as unknown as Arguments
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<TerminalOptions>()
    const terminal = new Terminal({ json: options.json ?? false, verbose: options.verbose ?? false })
    const stop = new StopSignals({
      source: process,
      now: () => performance.now(),
      onInsist: () => {
        terminal.note('Stopped immediately because you asked twice.')
        process.exit(1)
      },
    })
    const readerGone = () => {
      stop.stop()
    }
    process.stdout.on('error', readerGone)
    try {
      const { secretStore } = options
      const computer = { platform: process.platform, env: process.env, home: homedir() }
      const dataDir = dataDirectory({
        ...computer,
        ...(options.dataDir === undefined ? {} : { override: options.dataDir }),
      })
      const services = createServices({
        dataDir,
        secretStore,
        startAtLogin: createStartAtLogin({ ...computer, dataDir, secretStore, program: appProgram }),
        openBrowser: openBrowserWith(options.browser ?? process.env.BROWSER, terminal),
        onLoginElsewhere: () => {
          terminal.note('Another Causeway process has opened your browser to log in. Waiting for that login.')
        },
        onNotice: (notice) => {
          terminal.warn(notice)
        },
        ...(options.openvpn === undefined ? {} : { openVpnPath: options.openvpn }),
      })
      try {
        await run(createContext(services, terminal, options, stop.signal), ...args)
      } catch (error) {
        services.log.write('error', 'command', command.name(), { error })
        throw error
      } finally {
        await services.dispose()
      }
    } catch (error) {
      const report = toErrorReport(error)
      terminal.error(report)
      if (!hasCode(error, report.code)) terminal.detail(placeOf(error))
      process.exitCode = exitStatus(report.code)
    } finally {
      terminal.end()
      stop.dispose()
      process.stdout.off('error', readerGone)
    }
  }
}

/** Where in the program a defect showed; without its text, which could hold anything. */
function placeOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
  return lines.filter((line) => line.startsWith('    at ')).join('\n')
}

/** An installed app is the terminal command as well; from source, Node.js runs that. */
function appProgram(): Promise<Program | undefined> {
  if (!('electron' in process.versions)) return programOfSourceTree(process)
  const appPath = process.defaultApp ? resolve(process.argv[1] ?? '') : undefined
  return Promise.resolve(runningProgram(process, appPath))
}

function createContext(
  services: Services,
  terminal: Terminal,
  options: TerminalOptions,
  signal: AbortSignal,
): Context {
  const login = options.login ? 'allowed' : 'never'
  const known = <T>(seen: Seen<T>): T => {
    if (seen.seenAt === undefined) return seen.data
    const { data, seenAt, because } = seen
    const time = new Date(seenAt).toISOString()
    const details = { ...because.details, seenAt: time }
    if (options.offline !== true) {
      throw new CausewayError(
        because.code,
        `${because.message} To print the data from ${time}, use --offline.`,
        { details, cause: because },
      )
    }
    terminal.notice({
      code: because.code,
      message: `This data was last updated ${time}. ${because.message}`,
      details,
    })
    return data
  }
  return {
    services,
    terminal,
    login,
    signal,
    languages: async () => {
      if (options.lang !== undefined) return [options.lang]
      const { language } = await services.settings.all()
      return [language === 'system' ? Intl.DateTimeFormat().resolvedOptions().locale : language]
    },
    authorized: (instance, call) =>
      withLogin(services.session(instance), { login, signal }, async () =>
        call(await services.portal(instance, signal)),
      ),
    authorizedRead: async (instance, read) =>
      known(
        await withLogin(services.session(instance), { login, signal }, () =>
          services.read.vpn(instance, read, signal),
        ),
      ),
    known,
  }
}
