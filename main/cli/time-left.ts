import { amount, t } from './language'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Formats the time left of a login: days and hours, on the last day hours and minutes; always rounded down. */
export function timeLeftText(timeLeft: number): string {
  if (timeLeft <= 0) return t('terminal.login.over')
  const minutes = Math.floor(timeLeft / minuteMs)
  const hours = Math.floor(timeLeft / hourMs)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${amount(days, 'day')} ${amount(hours % 24, 'hour')}`
  if (hours > 0) return `${amount(hours, 'hour')} ${amount(minutes % 60, 'minute')}`
  return minutes > 0 ? amount(minutes, 'minute') : t('terminal.login.moment')
}
