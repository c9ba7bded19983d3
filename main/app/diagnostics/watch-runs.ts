import { report } from '../../errors'
import type { Connection } from '../../connection/connection'
import type { Log } from '../../platform/log/log'
import type { Reporter } from '../../reporter'
import type { Run, RunMarker } from '../../platform/log/run-marker'
import { isUnderWay } from '../../../contract/connection-summary'

export interface RunsOptions {
  readonly marker: RunMarker
  readonly log: Log
  readonly connection: Pick<Connection, 'onChange'>
  readonly program: Run['program']
  readonly now: () => Date
  /** Receives `app/ended-unexpectedly` for each run that didn't end normally. */
  readonly reporter: Pick<Reporter, 'notice'>
  /** Ends what such a run has left running. */
  readonly endOrphans: () => Promise<void>
}

/**
 * Reports earlier runs that ended unexpectedly while connected or connecting, ends what they left running, and keeps a marker
 * while this run is. Errors of this are only logged. Returns a function to call when the connection has ended.
 */
export function watchRuns({
  marker,
  log,
  connection,
  program,
  now,
  reporter,
  endOrphans,
}: RunsOptions): () => Promise<void> {
  const startedAt = now().toISOString()
  const safely = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => {
        log.write('warning', 'app', 'run-marker-failed', { error })
      },
    )

  const reported = safely(
    marker.takeEnded().then(async (runs) => {
      for (const run of runs) {
        log.write('error', 'app', 'ended-unexpectedly', run)
        reporter.notice(
          report('app/ended-unexpectedly', {
            details: { program: run.program, startedAt: run.startedAt, state: run.state },
          }),
        )
      }
      if (runs.length > 0) await endOrphans()
    }),
  )
  connection.onChange((state) => {
    void safely(isUnderWay(state) ? marker.set({ program, startedAt, state: state.state }) : marker.clear())
  })
  return async () => {
    await reported
    await safely(marker.clear())
  }
}
