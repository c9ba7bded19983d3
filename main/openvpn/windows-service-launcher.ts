import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CausewayError } from '../errors'
import type { LaunchedOpenVpn, Launcher, LauncherExit } from './launcher'
import { openVpnOptions } from './openvpn-process'
import { configurationForDisk } from './windows-checked-configuration'
import { type LogLine, openLogLine } from './windows-log-line'
import { askService, type ServiceConversation } from './windows-service-conversation'

/** Where OpenVPN's interactive service listens. */
const servicePipe = '\\\\.\\pipe\\openvpn\\service'

const configurationFile = 'tunnel.ovpn'
const logFile = 'openvpn.log'
/** OpenVPN writes little before it has connected to Causeway. */
const maxEarlyLogCharacters = 20_000

export interface WindowsServiceLauncherOptions {
  /** A folder of the user's own for one tunnel at a time; what lies there is deleted. */
  readonly folder: string
  /** Where the service listens, other than in its own place. */
  readonly pipe?: string
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
 * `helper/service-missing`, `helper/service-refused`, `helper/not-authorized`, `helper/failed`.
 */
export function createWindowsServiceLauncher(options: WindowsServiceLauncherOptions): Launcher {
  return {
    name: 'windows-service',
    launch: async ({ configuration }) => {
      const passphrase = randomBytes(32).toString('hex')
      const mark = `msg${randomBytes(16).toString('hex')}`
      const text = configurationForDisk(configuration, { passphrase, mark })
      const { folder } = options
      const logLine = await openLogLine(mark)
      try {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(join(folder, configurationFile), text, { mode: 0o600, flag: 'wx' })
        const conversation = await askService(
          options.pipe ?? servicePipe,
          { folder, options: optionsFor(logLine.port), input: `${passphrase}\n` },
          options.patienceMs ?? 15_000,
        )
        return running(options, conversation, logLine)
      } catch (error) {
        logLine.close()
        await forget(folder)
        throw error instanceof CausewayError ? error : unwritable(error)
      }
    },
  }
}

/** Names without a folder: OpenVPN is started in it, and nothing of the user's is on the command line. */
function optionsFor(port: number): string {
  return [
    ['--config', configurationFile, '--log', logFile],
    openVpnOptions,
    ['--askpass', 'stdin', '--persist-key'],
    ['--management', '127.0.0.1', String(port), '--management-client'],
  ]
    .flat()
    .join(' ')
}

function running(
  { folder, kill = (pid) => void process.kill(pid), gentleMs = 5000 }: WindowsServiceLauncherOptions,
  conversation: ServiceConversation,
  logLine: LogLine,
): LaunchedOpenVpn {
  let isGone = false
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

  void deleteOnceRead(folder, logLine)

  const ended = async (): Promise<LauncherExit> => {
    const exitCode = await conversation.ended
    isGone = true
    clearTimeout(impatience)
    logLine.close()
    return exitCode === undefined ? {} : { exitCode }
  }
  const gone = ended()

  const followLog = async (onLine: (line: string) => void): Promise<void> => {
    await logLine.follow((line) => {
      namesFailed ||= isNamesFailure(line)
      onLine(line)
    })
    await gone
    // What keeps OpenVPN from starting it says before it connects to anybody.
    if (!logLine.isConnected()) (await earlyLog(folder)).forEach(onLine)
    await forget(folder)
  }

  return {
    followLog,
    end: () => {
      if (isGone) return
      if (!logLine.isConnected()) killIt()
      logLine.close()
      impatience ??= setTimeout(killIt, gentleMs)
    },
    exited: gone,
    // OpenVPN itself has the service set them, before it says that it is connected.
    applyDns: () => Promise.resolve(!namesFailed),
  }
}

async function deleteOnceRead(folder: string, logLine: LogLine): Promise<void> {
  await logLine.connected
  // If it stays, the end of the tunnel deletes it.
  await rm(join(folder, configurationFile), { force: true }).catch(() => undefined)
}

function isNamesFailure(line: string): boolean {
  return /^TUN: .*\bdns\b.* failed using service|^DNS: could not talk to service/i.test(line)
}

async function earlyLog(folder: string): Promise<string[]> {
  try {
    const text = await readFile(join(folder, logFile), 'utf8')
    return text.slice(0, maxEarlyLogCharacters).split(/\r?\n/).filter(Boolean)
  } catch {
    return []
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
    'Causeway cannot write the files of this connection. Check the free space and the rights of its data directory.',
    { cause },
  )
}
