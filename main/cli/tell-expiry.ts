import { toErrorReport } from '../errors'
import { expiryReport } from '../connection/expiry-report'
import type { WatchedLogin } from '../connection/expiry-watch'
import type { Instance } from '../portal/instance/instance'
import type { Context } from './context'

/** Says on standard error, while there is a tunnel, that the login of its instance ends soon; returns how to stop it. */
export function tellExpiry({ services, terminal }: Context, instance: Instance): () => void {
  let logins: readonly WatchedLogin[] = []
  const load = async (): Promise<void> => {
    const held = await services.validity(instance)
    logins = held === undefined ? [] : [{ ...held, instanceId: instance.id }]
  }
  const watch = services.watchExpiry({
    logins: () => logins,
    refresh: load,
    onNotice: (notice) => {
      terminal.notice(expiryReport(notice, new Date()))
    },
  })
  const read = async (): Promise<void> => {
    try {
      await load()
      await watch.look()
    } catch (error) {
      terminal.warn(toErrorReport(error))
    }
  }
  // A tunnel that was built anew may come from another login.
  const stop = services.connection.onChange(({ state }) => {
    if (state === 'connected') void read()
  })
  void read()
  return () => {
    stop()
    watch.dispose()
  }
}
