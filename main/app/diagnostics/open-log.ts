import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { FindingItem } from '../../../contract/doctor'
import type { Connection } from '../../connection/connection'
import type { SettingName, Settings } from '../../../contract/settings'
import { followLog } from '../../platform/log/follow-log'
import { createLog, type Log } from '../../platform/log/log'
import { logPath } from '../../platform/log/log-file'
import { lastLogLines } from '../../platform/log/read-log'
import type { Reporter } from '../../reporter'
import { RunMarker } from '../../platform/log/run-marker'
import { unreadable } from '../../platform/storage/data-errors'
import { isRunning } from '../../platform/storage/file-lock'
import { endOrphans } from '../../tunnel/openvpn/orphans'
import { supportReport, type SupportReport } from './support-report'
import { versions } from '../../platform/log/versions'
import { watchRuns } from './watch-runs'

/** The number of log lines in a report. */
const reportedLines = 500

export type FollowLog = (
  count: number,
  signal: AbortSignal,
  onLines: (lines: string[]) => void,
) => Promise<void>

export interface OpenLog {
  readonly log: Log
  readonly logPath: string
  /** Returns the last lines, oldest first. Throws `data/unreadable`. */
  readonly logLines: (count: number) => Promise<string[]>
  /** Calls back with the last lines, then with those that any process adds, until the signal aborts. Throws `data/unreadable`. */
  readonly followLog: FollowLog
  /** Throws `data/unreadable`. */
  readonly makeReport: (known: {
    readonly settings: Settings
    readonly managed: readonly SettingName[]
    readonly findings: readonly FindingItem[]
  }) => Promise<SupportReport>
  /**
   * Reports earlier runs that ended unexpectedly and marks this one as running. Returns a function that removes the mark and
   * completes the log.
   */
  readonly keepRunMarker: (
    connection: Pick<Connection, 'onChange'>,
    reporter: Pick<Reporter, 'notice'>,
  ) => () => Promise<void>
}

/** Opens the log of this process in the data directory. It begins with the versions. */
export function openLog({ dataDir, now }: { readonly dataDir: string; readonly now: () => Date }): OpenLog {
  const folder = join(dataDir, 'logs')
  const log = createLog({ folder, now })
  const running = versions()
  log.write('info', 'app', 'started', { ...running, pid: process.pid })

  async function logLines(count: number): Promise<string[]> {
    await log.flush()
    return lastLogLines(folder, count)
  }

  return {
    log,
    logPath: logPath(folder),
    logLines,
    followLog: async (count, signal, onLines) => {
      let wasRead = false
      await log.flush()
      await followLog(folder, signal, (lines) => {
        // The first look finds the whole file.
        onLines(wasRead ? lines : lines.slice(Math.max(0, lines.length - count)))
        wasRead = true
      }).catch((cause: unknown) => {
        throw unreadable(logPath(folder), cause)
      })
    },
    makeReport: async ({ settings, managed, findings }) =>
      supportReport(
        {
          madeAt: now().toISOString(),
          versions: running,
          settings,
          managed,
          findings,
          log: await logLines(reportedLines),
        },
        { home: homedir(), userName: userName() },
      ),
    keepRunMarker: (connection, reporter) => {
      const marker = new RunMarker({ folder: join(dataDir, 'running'), pid: process.pid, isRunning })
      const { program } = running
      const endRun = watchRuns({ marker, log, connection, program, now, reporter, endOrphans })
      return async () => {
        await endRun()
        log.write('info', 'app', 'ended')
        await log.flush()
      }
    },
  }
}

/** Returns the name of this user, or an empty text if the system has none. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
