import { toErrorReport } from '../errors'
import { expiryReport } from '../connection/expiry-report'
import type { WatchedLogin } from '../connection/expiry-watch'
import type { Instance } from '../portal/instance/instance'
import type { Context } from './context'

/** Prints expiry notices for the login of the connected instance; returns a function that stops it. */
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
      await watch.check()
    } catch (error) {
      terminal.warn(toErrorReport(error))
    }
  }
  // A reconnect may use another login.
  const stop = services.connection.onChange(({ state }) => {
    if (state === 'connected') void read()
  })
  void read()
  return () => {
    stop()
    watch.dispose()
  }
}
