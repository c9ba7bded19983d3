const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats bytes, such as `3.4 MB`: steps of 1000, at most one decimal. */
export function bytesText(bytes: number, language: string): string {
  // Use the next unit where 999.96 would be rounded to 1000.
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes) * 1.00005) / 3)),
  )
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step)
}

/** Formats a time left, such as `12 seconds` or `5 minutes`. Rounds up, so that it never shows zero. */
export function timeText(seconds: number, language: string): string {
  const [value, unit] = inUnit(seconds)
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(Math.max(1, Math.ceil(value)))
}

function inUnit(seconds: number): readonly [number, 'second' | 'minute' | 'hour'] {
  if (seconds < 60) return [seconds, 'second']
  return seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
}
