import type { ErrorReport } from '../errors'
import type { DesktopText } from './desktop-notifications'

const texts = {
  en: {
    soon: (time: string) => `Your login ends at ${time}`,
    over: 'Your login has ended',
    todo: (instance: string) => `Click to renew it in Causeway: ${instance}`,
  },
  nl: {
    soon: (time: string) => `Je login loopt om ${time} af`,
    over: 'Je login is afgelopen',
    todo: (instance: string) => `Klik om hem in Causeway te vernieuwen: ${instance}`,
  },
} as const

/** The end of a login, as a notification of the desktop says it in the best of these languages (BCP 47, best first). */
export function expiryText(report: ErrorReport, languages: readonly string[]): DesktopText {
  const known = languages.map((tag) => tag.toLowerCase().split('-')[0])
  const language = known.find((each) => each === 'en' || each === 'nl') ?? 'en'
  const { soon, over, todo } = texts[language]
  const endsAt = new Date(String(report.details?.endsAt))
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(endsAt)
  return {
    title: report.code === 'session/over' ? over : soon(time),
    body: todo(String(report.details?.instance)),
  }
}
