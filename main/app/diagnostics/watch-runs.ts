import type { ErrorReport } from '../../../contract/error-codes'
import type { Connection } from '../../connection/connection'
import type { Log } from '../../platform/log/log'
import type { Run, RunMarker } from '../../platform/log/run-marker'
import { isUnderWay } from './watch-connection'

export interface RunsOptions {
  readonly marker: RunMarker
  readonly log: Log
  readonly connection: Pick<Connection, 'onChange'>
  readonly program: Run['program']
  readonly now: () => Date
  /** Told of each run that ended without saying so, as `app/ended-unexpectedly`. */
  readonly onNotice: (notice: ErrorReport) => void
}

/**
 * Tells of earlier runs that ended unexpectedly while a tunnel was there or on its way, and keeps this run's marker as
 * long as the same is true of it. A marker that cannot be read or written is a line in the log and nothing more.
 * Returns what ends it, once the connection is over.
 */
export function watchRuns({
  marker,
  log,
  connection,
  program,
  now,
  onNotice,
}: RunsOptions): () => Promise<void> {
  const startedAt = now().toISOString()
  const safely = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => {
        log.write('warning', 'app', 'run-marker-failed', { error })
      },
    )

  const told = safely(
    marker.takeEnded().then((runs) => {
      for (const run of runs) {
        log.write('error', 'app', 'ended-unexpectedly', run)
        onNotice(endedUnexpectedly(run))
      }
    }),
  )
  connection.onChange((state) => {
    void safely(isUnderWay(state) ? marker.set({ program, startedAt, state: state.state }) : marker.clear())
  })
  return async () => {
    await told
    await safely(marker.clear())
  }
}

function endedUnexpectedly({ program, startedAt, state }: Run): ErrorReport {
  const what = program === 'window' ? 'Causeway' : 'The command "causeway"'
  return {
    code: 'app/ended-unexpectedly',
    message: `${what} (started ${startedAt}) quit unexpectedly in the state "${state}". Connect again. If it happens again, run "causeway report" and send the output to your organization.`,
    details: { program, startedAt, state },
  }
}
