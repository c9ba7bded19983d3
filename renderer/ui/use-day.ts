import { useTranslation } from 'react-i18next'

const styles = {
  short: { dateStyle: 'medium' },
  long: { dateStyle: 'long', timeStyle: 'short' },
} as const

/** Formats by language and style: creating one takes longer than rendering a row. */
const formats = new Map<string, ReturnType<typeof createFormat>>()

/**
 * Returns a function that formats ms since the epoch in the window's language, with "today" and "yesterday"; an empty string
 * for an invalid date. `long` has the time of day too.
 */
export function useDay(style: keyof typeof styles = 'short'): (time: number) => string {
  const { language } = useTranslation().i18n
  return (time) => {
    const date = here(time)
    return Number.isNaN(date.getTime()) ? '' : formatIn(language, style)(date)
  }
}

/** Returns the date whose time in UTC is that of the clock here. A format keeps its time zone, but the computer's may change. */
function here(time: number): Date {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000)
}

function formatIn(language: string, style: keyof typeof styles): (date: Date) => string {
  const key = `${style} ${language}`
  const format = formats.get(key) ?? createFormat(language, style)
  formats.set(key, format)
  return format
}

function createFormat(language: string, style: keyof typeof styles): (date: Date) => string {
  const timeZone = 'UTC'
  const day = new Intl.DateTimeFormat(language, { ...styles[style], timeZone })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone })
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return (date) => {
    const ago = dayNumber(here(Date.now())) - dayNumber(date)
    if (ago !== 0 && ago !== 1) return day.format(date)
    const word = near.format(-ago, 'day')
    return style === 'short' ? word : `${word}, ${time.format(date)}`
  }
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000)
}
