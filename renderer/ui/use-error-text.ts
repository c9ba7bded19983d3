import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../contract/error-codes'

/** What happened, and what to do. */
export interface ErrorText {
  readonly what: string
  readonly todo: string
}

/** Codes of which the status says more: a service that is busy, or has an internal problem, refused nothing. */
const refusals: readonly ErrorReport['code'][] = [
  'vpn-api/refused',
  'vpn-api/server-error',
  'discovery/server-error',
  'attachments/refused',
  'attachments/unavailable',
  'organizations/refused',
  'content/refused',
  'content/unavailable',
]

/** Returns the text of an error in the person's language. */
export function useErrorText(error: ErrorReport): ErrorText {
  const { t, i18n } = useTranslation()
  const general = { what: t(`errors.${error.code}.what`), todo: t(`errors.${error.code}.todo`) }
  if (error.code === 'organizations/unauthorized') return credentialsText(error, t) ?? general
  const { status, retryAfterSeconds } = error.details ?? {}
  if (!refusals.includes(error.code) || typeof status !== 'number') return general
  if (status !== 429 && status < 500) return general
  return {
    what: status === 429 ? t('error.busy') : t('errors.vpn-api/server-error.what'),
    todo: isTime(retryAfterSeconds)
      ? t('error.tryAgain', { when: inTime(retryAfterSeconds, i18n.language) })
      : t('errors.vpn-api/server-error.todo'),
  }
}

/** What is wrong with the credentials that were sent; undefined where none were. */
function credentialsText(error: ErrorReport, t: TFunction): ErrorText | undefined {
  const { sent, wants } = error.details ?? {}
  if (sent !== 'bearer' && sent !== 'basic') return undefined
  const name =
    wants === sent || (wants !== 'bearer' && wants !== 'basic')
      ? ({ bearer: 'tokenRefused', basic: 'passwordRefused' } as const)[sent]
      : ({ bearer: 'tokenWanted', basic: 'passwordWanted' } as const)[wants]
  return { what: t(`error.credentials.${name}.what`), todo: t(`error.credentials.${name}.todo`) }
}

/** What nobody can wait for is not said. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 1 && seconds <= 86_400
}

/** Such as `in 2 minutes`: in the largest unit of which there are two, rounded up. */
function inTime(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  if (seconds < 120) return format.format(Math.ceil(seconds), 'second')
  if (seconds < 7200) return format.format(Math.ceil(seconds / 60), 'minute')
  return format.format(Math.ceil(seconds / 3600), 'hour')
}
