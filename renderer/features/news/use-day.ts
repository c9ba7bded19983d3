import { useTranslation } from 'react-i18next'

const styles = {
  short: { dateStyle: 'medium' },
  long: { dateStyle: 'long', timeStyle: 'short' },
} as const

/** Formats by language and style: creating one takes longer than rendering a row. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns a function that formats seconds since the epoch in the window's language; an empty string for an invalid
 * date.
 */
export function useDay(style: keyof typeof styles = 'short'): (seconds: number) => string {
  const { language } = useTranslation().i18n
  return (seconds) => {
    const date = new Date(seconds * 1000)
    return Number.isNaN(date.getTime()) ? '' : formatIn(language, style).format(date)
  }
}

function formatIn(language: string, style: keyof typeof styles): Intl.DateTimeFormat {
  const key = `${style} ${language}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, styles[style])
  formats.set(key, format)
  return format
}
