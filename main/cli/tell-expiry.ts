import { toErrorReport } from '../errors'
import { type ExpiryNotice, expiryReport } from '../connection/expiry'
import type { WatchedLogin } from '../connection/expiry-watch'
import type { Instance } from '../portal/instance/instance'
import type { Context } from './context'
import { t } from './language'
import { timeLeftText } from './time-left'

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
      const now = new Date()
      terminal.notice({ ...expiryReport(notice, now), message: sentence(notice, now) })
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

function sentence({ instanceId: instance, endsAt }: ExpiryNotice, now: Date): string {
  const left = endsAt.getTime() - now.getTime()
  return left <= 0
    ? t('terminal.login.expired', { instance })
    : t('terminal.login.expiresIn', { instance, left: timeLeftText(left) })
}
