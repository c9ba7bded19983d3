import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CausewayError } from '../../errors'
import type { ProgramExit, TunnelProgram } from '../../privilege/helper-client'
import type { Launcher } from './launcher'
import { withoutTimestamp } from './log-parser'
import { configurationForDisk } from './windows-checked-configuration'
import { type ExitEvent, isExitEventName, openExitEvent, type OwnerCommand } from './windows-exit-event'
import { followLogFile } from './windows-log-file'
import { askService, type ServiceConversation } from './windows-service-conversation'

/** Where OpenVPN's interactive service listens. */
const servicePipe = '\\\\.\\pipe\\openvpn\\service'

const configurationFile = 'tunnel.ovpn'
const logFile = 'openvpn.log'
/** For the next Causeway, where this one is killed together with who would end the tunnel. */
const eventFile = 'exit-event'

export interface WindowsServiceLauncherOptions {
  /** A folder of the user's own for one tunnel at a time; what lies there is deleted. */
  readonly folder: string
  /** Where the service listens, other than in its own place. */
  readonly pipe?: string
  /** Who owns the event that ends OpenVPN, other than a PowerShell. */
  readonly eventOwner?: OwnerCommand
  /** How long that may take to start, in milliseconds; default 20 s. */
  readonly ownerPatienceMs?: number
  /** Ends a process at once, which Windows lets the user do whom OpenVPN runs as. */
  readonly kill?: (pid: number) => void
  /** How long the service may take to answer, in milliseconds; default 15 s. */
  readonly patienceMs?: number
  /** How long OpenVPN may take to end in order before it is ended at once, in milliseconds; default 5 s. */
  readonly gentleMs?: number
}

/**
 * Runs OpenVPN through its own interactive service on Windows, as the user, with network settings made and undone by the
 * service (docs/platforms.md, "Windows"). Throws `profile-configuration/*`, `certificate/invalid`,
 * `helper/service-missing`, `helper/service-refused`, `helper/not-authorized`, `helper/powershell-refused`, `helper/failed`, `data/unwritable`.
 */
export function createWindowsServiceLauncher(options: WindowsServiceLauncherOptions): Launcher {
  return {
    name: 'windows-service',
    launch: async ({ configuration }) => {
      const passphrase = randomBytes(32).toString('hex')
      const text = configurationForDisk(configuration, passphrase)
      const { folder } = options
      const earlier = await earlierEvent(folder)
      const exitEvent = await openExitEvent({
        ...(options.eventOwner !== undefined && { command: options.eventOwner }),
        ...(options.ownerPatienceMs !== undefined && { patienceMs: options.ownerPatienceMs }),
        ...(earlier !== undefined && { earlier }),
      })
      try {
        // An OpenVPN that is about to end holds its log.
        await rm(folder, { recursive: true, force: true, maxRetries: 10 })
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(join(folder, configurationFile), text, { mode: 0o600, flag: 'wx' })
        await writeFile(join(folder, eventFile), exitEvent.name, { mode: 0o600, flag: 'wx' })
        await writeFile(join(folder, logFile), '', { mode: 0o600, flag: 'wx' })
        const conversation = await askService(
          options.pipe ?? servicePipe,
          { folder, options: optionsFor(exitEvent), input: `${passphrase}\n` },
          options.patienceMs ?? 15_000,
        )
        exitEvent.belongsTo(conversation.pid)
        return running(options, conversation, exitEvent)
      } catch (error) {
        // The service may start it yet, though it did not say so in time.
        exitEvent.set()
        await forget(folder)
        throw error instanceof CausewayError ? error : unwritable(error)
      }
    },
  }
}

/**
 * Names without a folder: OpenVPN is started in it, and nothing of the user's is on the command line. The log comes first,
 * so that it also says what is wrong with the configuration.
 */
function optionsFor({ name }: ExitEvent): string {
  return `--log ${logFile} --config ${configurationFile} --service ${name} 0`
}

function running(
  {
    folder,
    kill = (pid) => void process.kill(pid, 'SIGKILL'),
    gentleMs = 5000,
  }: WindowsServiceLauncherOptions,
  conversation: ServiceConversation,
  exitEvent: ExitEvent,
): TunnelProgram {
  let isGone = false
  let isRead = false
  let namesFailed = false
  let impatience: NodeJS.Timeout | undefined

  const killIt = () => {
    // The number may be another process's once this one is gone.
    if (isGone) return
    try {
      kill(conversation.pid)
    } catch {
      // It ended in this moment, which the service tells.
    }
  }

  const end = () => {
    if (isGone) return
    exitEvent.set()
    impatience ??= setTimeout(killIt, gentleMs)
  }

  // A tunnel that would outlive Causeway is none to keep.
  void exitEvent.lost.then(killIt)

  const ended = async (): Promise<ProgramExit> => {
    const exitCode = await conversation.ended
    isGone = true
    clearTimeout(impatience)
    if (exitCode === undefined) exitEvent.set()
    else exitEvent.forget()
    return exitCode === undefined ? {} : { exitCode }
  }
  const gone = ended()

  const followLog = async (onLine: (line: string) => void): Promise<void> => {
    const hear = (line: string) => {
      namesFailed ||= isNamesFailure(line)
      if (!isRead && isFirstAfterConfiguration(line)) {
        isRead = true
        // If it stays, the end of the tunnel deletes it.
        void rm(join(folder, configurationFile), { force: true }).catch(() => undefined)
      }
      onLine(line)
    }
    await followLogFile(join(folder, logFile), hear, { ended: gone, onTrouble: end })
    await forget(folder)
  }

  return {
    followLog,
    end,
    exited: gone,
    // OpenVPN itself has the service set them, before it says that it is connected.
    applyDns: () => Promise.resolve(!namesFailed),
  }
}

/** OpenVPN says its version once it has read and checked its configuration, with all that is in there. */
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

/** What cannot be deleted now is deleted by the next connection; the key in it cannot be read. */
async function forget(folder: string): Promise<void> {
  // Windows may hold a file for a moment after the process that wrote it has gone.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}

function unwritable(cause: unknown): CausewayError {
  return new CausewayError(
    'data/unwritable',
    "Causeway couldn't write this connection's files. Check that there's enough disk space and that you have permission to write to the data directory.",
    { cause },
  )
}
