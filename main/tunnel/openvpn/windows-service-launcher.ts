import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CausewayError } from '../../errors'
import type { WindowsHelper } from '../../platform/child-process/windows-helper'
import type { Launch, ProgramExit, TunnelProgram } from '../../privilege/helper-client'
import { withoutTimestamp } from './log-parser'
import { configurationForDisk } from './windows-checked-configuration'
import { type ExitEvent, isExitEventName, openExitEvent } from './windows-exit-event'
import { followLogFile } from './windows-log-file'
import { askService, type ServiceConversation } from './windows-service-conversation'

/** The pipe of OpenVPN's interactive service. */
const servicePipe = '\\\\.\\pipe\\openvpn\\service'

const configurationFile = 'tunnel.ovpn'
const logFile = 'openvpn.log'
/** Names the event for the next Causeway, in case this one is killed together with the event's owner. */
const eventFile = 'exit-event'

export interface WindowsServiceLauncherOptions {
  /** A private folder for one tunnel at a time; its content is deleted. */
  readonly folder: string
  /** The pipe of the service; default: its real one. */
  readonly pipe?: string
  readonly helper?: WindowsHelper
  /** Time limit for the owner to start, in milliseconds; default 20 s. */
  readonly ownerTimeoutMs?: number
  /** Kills a process at once, which Windows allows for processes of the same user. */
  readonly kill?: (pid: number) => void
  /** Time limit for the service's answer, in milliseconds; default 15 s. */
  readonly timeoutMs?: number
  /** Time for OpenVPN to exit in order before it is killed, in milliseconds; default 5 s. */
  readonly gentleMs?: number
  /**
   * Time after that for the service to undo its settings, in milliseconds; default 60 s, because it may run programs of Windows
   * for that.
   */
  readonly goneMs?: number
}

/**
 * Creates a launcher that runs OpenVPN through its interactive service on Windows, as the user, while the service applies
 * and undoes network settings (docs/platforms.md, "Windows"). Throws `profile-configuration/*`, `certificate/invalid`,
 * `helper/service-missing`, `helper/service-refused`, `helper/not-authorized`, `helper/windows-helper-unusable`,
 * `helper/failed`, `data/unwritable`.
 */
export function createWindowsServiceLauncher(options: WindowsServiceLauncherOptions): Launch {
  return async ({ configuration, killSwitch }) => {
    const passphrase = randomBytes(32).toString('hex')
    const text = configurationForDisk(configuration.toString(), passphrase, killSwitch)
    const { folder } = options
    const earlier = await earlierEvent(folder)
    const exitEvent = await openExitEvent({
      helper: options.helper,
      timeoutMs: options.ownerTimeoutMs,
      earlier,
    })
    try {
      // An OpenVPN that is about to exit keeps its log open.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, configurationFile), text, { mode: 0o600, flag: 'wx' })
      await writeFile(join(folder, eventFile), exitEvent.name, { mode: 0o600, flag: 'wx' })
      await writeFile(join(folder, logFile), '', { mode: 0o600, flag: 'wx' })
      const conversation = await askService(
        options.pipe ?? servicePipe,
        { folder, options: optionsFor(exitEvent), input: `${passphrase}\n` },
        options.timeoutMs ?? 15_000,
      )
      exitEvent.belongsTo(conversation.pid)
      return running(options, conversation, exitEvent)
    } catch (error) {
      // The service may still start it after the timeout.
      exitEvent.set()
      await forget(folder)
      throw error instanceof CausewayError ? error : unwritable(error)
    }
  }
}

/**
 * Returns the command line. File names have no folder, because OpenVPN is started in it; nothing private is on the command
 * line. The log comes first, so that it includes errors in the configuration.
 */
function optionsFor({ name }: ExitEvent): string {
  return `--log ${logFile} --config ${configurationFile} --service ${name} 0`
}

function running(
  {
    folder,
    kill = (pid) => void process.kill(pid, 'SIGKILL'),
    gentleMs = 5000,
    goneMs = 60_000,
  }: WindowsServiceLauncherOptions,
  conversation: ServiceConversation,
  exitEvent: ExitEvent,
): TunnelProgram {
  let isGone = false
  let isRead = false
  let namesFailed = false
  let killTimer: NodeJS.Timeout | undefined
  let mayRun = false

  const giveUp = () => {
    mayRun = true
    conversation.giveUp()
  }

  const killIt = () => {
    // The process id may be reused after the exit.
    if (isGone) return
    clearTimeout(killTimer)
    // A driver or service that hangs can keep it for ever.
    killTimer = setTimeout(giveUp, goneMs)
    try {
      kill(conversation.pid)
    } catch {
      // It has just ended, which the service reports.
    }
  }

  const end = () => {
    if (isGone) return
    exitEvent.set()
    killTimer ??= setTimeout(killIt, gentleMs)
  }

  // Ends a tunnel that would otherwise outlive Causeway.
  void exitEvent.lost.then(killIt)

  const ended = async (): Promise<ProgramExit> => {
    const exitCode = await conversation.ended
    isGone = true
    clearTimeout(killTimer)
    if (exitCode === undefined) exitEvent.set()
    else exitEvent.forget()
    if (mayRun) return { error: new CausewayError('helper/failed', { variant: 'not-ended' }) }
    return { exitCode }
  }
  const gone = ended()

  const followLog = async (onLine: (line: string) => void): Promise<void> => {
    const onLogLine = (line: string) => {
      namesFailed ||= isNamesFailure(line)
      if (!isRead && isFirstAfterConfiguration(line)) {
        isRead = true
        // If this fails, the end of the tunnel deletes it.
        void rm(join(folder, configurationFile), { force: true }).catch(() => undefined)
      }
      onLine(line)
    }
    await followLogFile(join(folder, logFile), onLogLine, { ended: gone, onFailure: end })
    await forget(folder)
  }

  return {
    followLog,
    end,
    exited: gone,
    // OpenVPN sets them through the service before it reports the connection.
    applyDns: () => Promise.resolve({ applied: !namesFailed }),
  }
}

/** Returns true for the first line after OpenVPN has read and checked its whole configuration. */
function isFirstAfterConfiguration(line: string): boolean {
  return /^OpenVPN \d/.test(withoutTimestamp(line))
}

function isNamesFailure(line: string): boolean {
  return /^TUN: .*\bdns\b.* failed using service|^DNS: could not talk to service/i.test(line)
}

async function earlierEvent(folder: string): Promise<string | undefined> {
  try {
    const name = await readFile(join(folder, eventFile), 'utf8')
    return isExitEventName(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** Deletes the folder. The next connection deletes files that remain; the key in them is encrypted. */
async function forget(folder: string): Promise<void> {
  // Windows may keep a file open for a moment after its writer has ended.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}

function unwritable(cause: unknown): CausewayError {
  return new CausewayError('data/unwritable', { variant: 'connection-files', cause })
}
