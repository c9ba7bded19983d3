import { toErrorReport } from '../errors'
import { type ExpiryNotice, expiryReport, isShort, noticeDue } from '../connection/expiry'
import type { WatchedLogin } from '../connection/expiry-watch'
import type { Instance } from '../portal/instance/instance'
import type { Context } from './command-context'
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
  let isFirst = true
  const read = async (): Promise<void> => {
    try {
      await load()
      if (isFirst) tellShort({ terminal }, logins)
      isFirst = false
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

/** Says when access ends if that is within a day of the login, unless a notice says so anyway. */
function tellShort({ terminal }: Pick<Context, 'terminal'>, logins: readonly WatchedLogin[]): void {
  const now = new Date()
  for (const { instanceId, ...validity } of logins)
    if (isShort(validity) && noticeDue(validity, now) === undefined)
      terminal.note(sentence({ instanceId, endsAt: validity.notAfter }, now))
}

function sentence(
  { instanceId: instance, endsAt }: Pick<ExpiryNotice, 'instanceId' | 'endsAt'>,
  now: Date,
): string {
  const timeLeft = endsAt.getTime() - now.getTime()
  return timeLeft <= 0
    ? t('terminal.login.expired', { instance })
    : t('terminal.login.expiresIn', { instance, left: timeLeftText(timeLeft) })
}
