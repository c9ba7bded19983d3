import { useTranslation } from 'react-i18next'

/** Writes a time, in seconds since the epoch, in the language of the window; what no calendar has, as nothing. */
export function useDay(style: 'short' | 'long' = 'short'): (seconds: number) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(
    i18n.language,
    style === 'short' ? { dateStyle: 'medium' } : { dateStyle: 'long', timeStyle: 'short' },
  )
  return (seconds) => {
    const date = new Date(seconds * 1000)
    return Number.isNaN(date.getTime()) ? '' : format.format(date)
  }
}
