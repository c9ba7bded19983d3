import type { ErrorReport } from '../../../contract/error-codes'
import { serviceNameOf } from '../../../contract/service-name'
import type { AppState } from '../../../contract/state'
import type { AppLanguage } from '../../commands/models/app-language'
import type { DesktopText } from './desktop-notifications'

/** Returns the desktop notification for an expiry notice. */
export function expiryText(
  report: ErrorReport,
  { t, wording }: AppLanguage,
  instances: AppState['instances'],
): DesktopText {
  const endsAt = new Date(String(report.details?.endsAt))
  const time = new Intl.DateTimeFormat(wording.locale, { timeStyle: 'short' }).format(endsAt)
  return {
    title: report.code === 'session/over' ? t('desktop.expiry.over') : t('desktop.expiry.soon', { time }),
    body: t('desktop.expiry.todo', { instance: serviceNameOf(instances, String(report.details?.instance)) }),
  }
}
