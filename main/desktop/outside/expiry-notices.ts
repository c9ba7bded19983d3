import { type ExpiryNotice, expiryReport } from '../../connection/expiry'
import type { ExpiryWatch, WatchedLogin } from '../../connection/expiry-watch'
import { toErrorReport } from '../../errors'
import type { AppModel } from '../../commands/models/app-model'
import type { DesktopText } from './desktop-notifications'
import { expiryText } from './expiry-texts'

export interface ExpiryNoticesOptions {
  readonly model: AppModel
  readonly watchExpiry: (options: {
    readonly logins: () => readonly WatchedLogin[]
    readonly refresh: (instanceId: string) => Promise<void>
    readonly onNotice: (notice: ExpiryNotice) => void
  }) => ExpiryWatch
  readonly now: () => Date
  readonly showOnDesktop: (text: DesktopText) => void
  /** Subscribes to wake-ups of the computer; returns a function that unsubscribes. */
  readonly onResume: (listener: () => void) => () => void
}

/** Shows each expiry notice as a desktop notification, and in the window instead of the one before. */
export function showExpiryNotices(options: ExpiryNoticesOptions): () => void {
  const { model, watchExpiry, now, showOnDesktop, onResume } = options
  const { notices } = model
  const watch = watchExpiry({
    logins: () => model.endingLogins(),
    refresh: (instanceId) => model.instance(instanceId).readValidity(),
    onNotice: (notice) => {
      const report = expiryReport(notice, now())
      notices.remove(({ code, details }) => isExpiry(code) && details?.instance === notice.instanceId)
      notices.add(report)
      showOnDesktop(expiryText(report, model.language, model.state().instances))
    },
  })
  const check = (): void => {
    watch.check().catch((error: unknown) => {
      notices.add(toErrorReport(error))
    })
  }
  /** Removes the notices of logins that were renewed or forgotten. */
  const dropOutdated = (): void => {
    const ends = new Map(model.state().instances.map((instance) => [instance.id, instance.ends?.at]))
    notices.remove(
      ({ code, details }) =>
        isExpiry(code) && ends.get(String(details?.instance)) !== Date.parse(String(details?.endsAt)),
    )
  }
  const stops = [
    model.onChange(({ instances }) => {
      if (instances === undefined) return
      dropOutdated()
      check()
    }),
    onResume(check),
  ]
  check()
  return () => {
    for (const stop of stops) stop()
    watch.dispose()
  }
}

function isExpiry(code: string): boolean {
  return code === 'session/ends-soon' || code === 'session/over'
}
