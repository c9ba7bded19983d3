const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Such as `3.4 MB`: in steps of 1000, with at most one decimal. */
export function bytesText(bytes: number, language: string): string {
  // Where 999.96 would be shown as 1000, the next unit is meant.
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

/** Such as `12 seconds` or `5 minutes`; rounded up, so that it never says that no time is left. */
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
