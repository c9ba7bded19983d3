import { useTranslation } from 'react-i18next'

const styles = {
  short: { dateStyle: 'medium' },
  long: { dateStyle: 'long', timeStyle: 'short' },
} as const

/** Formats by language, style and time zone, which they keep: creating one takes longer than rendering a row. */
const formats = new Map<string, ReturnType<typeof createFormat>>()

/**
 * Returns a function that formats ms since the epoch in the window's language, with "today" and "yesterday"; an empty string
 * for an invalid date. `long` has the time of day too.
 */
export function useDay(style: keyof typeof styles = 'short'): (time: number) => string {
  const { language } = useTranslation().i18n
  return (time) => {
    const date = new Date(time)
    return Number.isNaN(date.getTime()) ? '' : formatIn(language, style)(date)
  }
}

function formatIn(language: string, style: keyof typeof styles): (date: Date) => string {
  const key = `${style} ${language} ${new Date().getTimezoneOffset()}`
  const format = formats.get(key) ?? createFormat(language, style)
  formats.set(key, format)
  return format
}

function createFormat(language: string, style: keyof typeof styles): (date: Date) => string {
  const day = new Intl.DateTimeFormat(language, styles[style])
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return (date) => {
    const ago = daysAgo(date)
    if (ago !== 0 && ago !== 1) return day.format(date)
    const word = near.format(-ago, 'day')
    return style === 'short' ? word : `${word}, ${time.format(date)}`
  }
}

/** Counts days of the calendar here, some of which have 23 or 25 hours. */
function daysAgo(date: Date): number {
  const noon = (of: Date): number => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate(), 12)
  return Math.round((noon(new Date()) - noon(date)) / 86_400_000)
}
