import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { ErrorReport } from '../../../contract/error-codes'
import type { Connection } from '../../connection/connection'
import type { Finding } from './doctor'
import type { Settings } from '../../../contract/settings'
import { createLog, type Log } from '../../platform/log/log'
import { logPath } from '../../platform/log/log-file'
import { lastLogLines } from '../../platform/log/read-log'
import { Redactor } from '../../platform/log/redactor'
import { isRunning, RunMarker } from '../../platform/log/run-marker'
import { supportReport, type SupportReport } from './support-report'
import { versions } from '../../platform/log/versions'
import { watchRuns } from './watch-runs'

/** How much of the log goes with a report. */
const reportedLines = 500

export interface OpenLog {
  readonly log: Log
  readonly redactor: Redactor
  readonly logPath: string
  /** The last lines, oldest first. Throws `data/unreadable`. */
  readonly logLines: (count: number) => Promise<string[]>
  /** Throws `data/unreadable`. */
  readonly makeReport: (known: {
    readonly settings: Settings
    readonly findings: readonly Finding[]
  }) => Promise<SupportReport>
  /**
   * Tells of runs that ended unexpectedly, and lets the next one tell of this one. Returns what says that this run
   * ends in order; after it the log is complete.
   */
  readonly keepRunMarker: (
    connection: Pick<Connection, 'onChange'>,
    onNotice: (notice: ErrorReport) => void,
  ) => () => Promise<void>
}

/** The log of this process under the data directory; begins with the versions. */
export function openLog({ dataDir, now }: { readonly dataDir: string; readonly now: () => Date }): OpenLog {
  const folder = join(dataDir, 'logs')
  const redactor = new Redactor({ home: homedir(), userName: userName() })
  const log = createLog({ folder, redactor, now })
  const running = versions()
  log.write('info', 'app', 'started', { ...running, pid: process.pid })

  async function logLines(count: number): Promise<string[]> {
    await log.flush()
    return lastLogLines(folder, count)
  }

  return {
    log,
    redactor,
    logPath: logPath(folder),
    logLines,
    makeReport: async ({ settings, findings }) =>
      supportReport(
        {
          madeAt: now().toISOString(),
          versions: running,
          settings,
          findings,
          log: await logLines(reportedLines),
        },
        redactor,
      ),
    keepRunMarker: (connection, onNotice) => {
      const marker = new RunMarker({ folder: join(dataDir, 'running'), pid: process.pid, isRunning })
      const { program } = running
      const endRun = watchRuns({ marker, log, connection, program, now, onNotice })
      return async () => {
        await endRun()
        log.write('info', 'app', 'ended')
        await log.flush()
      }
    },
  }
}

/** Empty where the system knows no name for this user. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
