import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Settings } from '../../contract/settings'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import { browserCommands } from '../portal/oauth/open-browser'
import { withLogin } from '../portal/oauth/with-login'
import type { GlobalOptions } from './global-options'
import type { MaybeCached } from '../services/offline-cache/read-or-cached'
import { lazy } from '../app/lazy'
import { createServices, type Services } from '../app/services'
import { policyReader } from '../app/policy'
import type { StartOptions } from '../app/start-places'
import { leave } from '../platform/child-process/leave'
import { createSettingsStore } from '../platform/settings/settings-store'
import { requireOwnFolder } from '../platform/storage/own-folder'
import { type Program, programOfSourceTree, runningProgram } from '../platform/autostart/app-program'
import { createStartAtLogin } from '../platform/autostart/start-at-login'
import type { SharedCommands } from '../commands/shared-commands'
import { loginWithoutBrowser, openBrowserWith } from './browser'
import { tellWaitingProcess } from './connect-in-background'
import type { Context } from './command-context'
import { cancelledStatus, exitStatus, sysexits } from './exit-status'
import { errorMessage, shellWord, speak, t } from './language'
import { loadBeforeUpgrade } from './load-before-upgrade'
import { isFirstOfDay } from './once-a-day'
import { screenOf } from './screen'
import { isUnderNohup, StopSignals } from './stop-signals'
import { Terminal } from './terminal'
import { watchReader } from './watch-reader'

/** The shared options, and those of the terminal command only. */
interface TerminalOptions extends Omit<GlobalOptions, 'browser'> {
  /** True without `--browser` for a command that has `--no-browser`, which commander stores under the same name. */
  readonly browser?: string | boolean
  readonly offline?: true
  readonly quiet?: true
  /** `connect --background`. */
  readonly background?: true
  /** `connect --sysexits`. */
  readonly sysexits?: true
  /** `status --watch` and `log --follow`. */
  readonly watch?: true
  readonly follow?: true
}

/** Where a command starts: with the folder that gives no answer, if there is one. */
interface Start extends StartOptions {
  readonly silent: Promise<string | undefined>
}

/** Runs a command with new services, and turns errors into one line on standard error and the exit status. */
export async function runAction(
  command: Command,
  { silent, ...start }: Start,
  run: (context: Context) => Promise<void>,
): Promise<void> {
  const options = command.optsWithGlobals<TerminalOptions>()
  const terminal = new Terminal({
    json: options.json ?? false,
    verbose: options.verbose ?? false,
    quiet: options.quiet ?? false,
  })
  const stop = new StopSignals({
    source: process,
    ignoresHangUp: isUnderNohup(),
    now: () => performance.now(),
    onInsist: () => {
      terminal.note(t('terminal.stopped'))
      leave(1)
    },
  })
  const readerGone = () => {
    stop.stop()
  }
  process.stdout.on('error', readerGone)
  const waits = options.watch === true || options.follow === true
  const stopWatching = waits ? watchReader(readerGone) : undefined
  const stopLoading = loadBeforeUpgrade()
  // A folder on a dead disk can be asked for ever, and until there are services there is nothing to clean up.
  const giveUpStart = () => {
    if (stop.received) leave(cancelledStatus)
  }
  stop.signal.addEventListener('abort', giveUpStart)
  try {
    await requireStart(command, { silent, ...start }, options)
    const services = await terminalServices(command, start, { options, terminal, stop })
    stop.signal.removeEventListener('abort', giveUpStart)
    try {
      await run(createContext(services, terminal, options, stop))
    } catch (error) {
      services.log.write('error', 'command', command.name(), { error })
      throw error
    } finally {
      await services.dispose()
    }
  } catch (error) {
    const report = toErrorReport(error)
    if (options.background !== true || !tellWaitingProcess({ error: report })) terminal.error(report)
    if (!hasCode(error, report.code)) terminal.detail(placeOf(error))
    const status = exitStatus(report.code)
    process.exitCode = options.sysexits === true ? (sysexits[status] ?? status) : status
  } finally {
    terminal.end()
    stop.dispose()
    stopWatching?.()
    stopLoading()
    process.stdout.off('error', readerGone)
  }
}

/** Throws if the data directory gives no answer, or belongs to another user; from here on, texts are in the user's language. */
async function requireStart(
  command: Command,
  { silent, dataDir }: Start,
  options: TerminalOptions,
): Promise<void> {
  const given = givenOptions(command, { ...options, dataDir })
  const path = await silent
  if (path !== undefined) {
    await speak([options.lang ?? systemLanguage()], given)
    throw new CausewayError('data/not-responding', { details: { path } })
  }
  await speak([options.lang ?? (await ownLanguage(dataDir))], given)
  requireOwnFolder(dataDir)
}

async function terminalServices(
  command: Command,
  start: StartOptions,
  {
    options,
    terminal,
    stop,
  }: { readonly options: TerminalOptions; readonly terminal: Terminal; readonly stop: StopSignals },
): Promise<Services> {
  const { dataDir } = start
  const { secretStore } = options
  const warnsOfFile =
    secretStore === 'file' &&
    options.quiet !== true &&
    (await isFirstOfDay(join(dataDir, 'secrets-warned'), new Date()))
  return createServices({
    dataDir,
    secretStore,
    signal: stop.signal,
    startAtLogin: createStartAtLogin({ ...start, secretStore, program: appProgram }),
    openBrowser:
      command.opts<{ readonly browser?: unknown }>().browser === false
        ? loginWithoutBrowser(terminal, process.stdin)
        : openBrowserWith(browserCommands(browserOf(options), process.env, process.platform), terminal),
    onLoginElsewhere: () => {
      terminal.note(t('terminal.loginElsewhere'))
    },
    onNotice: (notice) => {
      if (warnsOfFile || notice.code !== 'secret-store/in-file') terminal.warn(notice)
    },
    openVpnPath: options.openvpn,
    discovery: { url: options.discovery, keys: options.discoveryKey },
  })
}

/** The options without which a printed command would work with other data, secrets, lists or another OpenVPN. */
const printedOptions = {
  dataDir: '--data-dir',
  secretStore: '--secret-store',
  openvpn: '--openvpn',
  discovery: '--discovery',
  discoveryKey: '--discovery-key',
} as const

/**
 * Returns these options as they were given to this command, in its words or in the environment: the next command may not have that,
 * and `sudo` drops it.
 */
function givenOptions(command: Command, values: TerminalOptions): string {
  const names = Object.keys(printedOptions) as (keyof typeof printedOptions)[]
  return names
    .filter((name) => ['cli', 'env'].includes(command.getOptionValueSourceWithGlobals(name) ?? ''))
    .flatMap((name) => (values[name] ? [printedOptions[name], shellWord(values[name])] : []))
    .join(' ')
}

function browserOf({ browser }: TerminalOptions): string | undefined {
  return typeof browser === 'string' ? browser : undefined
}

/** Returns the stack of a defect without its message, which could hold anything. */
function placeOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
  return lines.filter((line) => line.startsWith('    at ')).join('\n')
}

/** Returns the program of the app. The installed app is also the terminal command; from source, Node.js runs that. */
function appProgram(): Promise<Program | undefined> {
  if (!('electron' in process.versions)) return programOfSourceTree(process)
  const appPath = process.defaultApp ? resolve(process.argv[1] ?? '') : undefined
  return Promise.resolve(runningProgram(process, appPath))
}

/** Returns the language of LC_ALL, LC_MESSAGES or LANG on Unix; English for `C` and `POSIX`. */
function systemLanguage(): string {
  // Any of Intl's classes tells; the others load 10 ms of data.
  return new Intl.PluralRules().resolvedOptions().locale
}

function languageOf(setting: Settings['language']): string {
  return setting === 'system' ? systemLanguage() : setting
}

/** Returns the language of the terminal's own texts without `--lang`. English is sure to be in ASCII. */
async function ownLanguage(dataDir: string): Promise<string> {
  if (screenOf().ascii) return 'en'
  const options = { dataDirectory: dataDir, now: () => new Date(), policy: policyReader() }
  return languageOf(await createSettingsStore(options).language())
}

function createContext(
  services: Services,
  terminal: Terminal,
  options: TerminalOptions,
  stop: StopSignals,
): Context {
  const { signal } = stop
  const login = options.login ? 'allowed' : 'never'
  const known = <T>(answer: MaybeCached<T>): T => {
    if (answer.cachedAt === undefined) return answer.data
    const { data, cachedAt, because } = answer
    const time = new Date(cachedAt).toISOString()
    const details = { ...because.details, seenAt: time }
    if (options.offline !== true) {
      const message = t('terminal.useOffline', { problem: errorMessage(because), time })
      throw CausewayError.fromReport({ ...toErrorReport(because), message, details }, because)
    }
    terminal.notice({
      code: because.code,
      message: t('terminal.asOf', { problem: errorMessage(because), time }),
      details,
    })
    return data
  }
  const languages = async () => [options.lang ?? languageOf((await services.settings.all()).language)]
  const shared = lazy(async () => {
    const { sharedCommands } = await import('../commands/shared-commands')
    return sharedCommands(services, {
      instanceOf: (instanceId) => services.instances.find(instanceId),
      sessionOf: (instance) => services.session(instance),
      languages,
      login,
    })
  })
  const run = async (name: keyof SharedCommands, input: unknown): Promise<unknown> =>
    ((await shared())[name] as (input: unknown, signal: AbortSignal) => Promise<unknown>)(input, signal)
  return {
    services,
    terminal,
    login,
    signal,
    isCancelled: () => stop.received,
    languages,
    run: run as Context['run'],
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
    dataOf: known,
  }
}
