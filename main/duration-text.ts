/** Returns a duration in English, in the largest unit of which there are two, such as `1 second` or `90 minutes`. */
export function durationText(seconds: number): string {
  const inUnit = (value: number, unit: 'second' | 'minute' | 'hour' | 'day'): string =>
    new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(value))
  if (seconds < 119.5) return inUnit(seconds, 'second')
  if (seconds < 119.5 * 60) return inUnit(seconds / 60, 'minute')
  return seconds < 47.5 * 3600 ? inUnit(seconds / 3600, 'hour') : inUnit(seconds / 86_400, 'day')
}
