const units = ['kilobyte-per-second', 'megabyte-per-second', 'gigabyte-per-second'] as const

/**
 * Formats bytes a second, such as `3.4 MB/s`: steps of 1000, with one decimal below 10, so that the width changes
 * little.
 */
export function rateText(bytesPerSecond: number, language: string): string {
  const thousands = Math.log10(Math.max(1000, bytesPerSecond) * 1.00005) / 3
  const step = Math.min(units.length, Math.max(1, Math.floor(thousands)))
  const value = bytesPerSecond / 1000 ** step
  const decimals = value < 0.05 || value >= 9.95 ? 0 : 1
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step - 1] ?? 'kilobyte-per-second',
    unitDisplay: 'short',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)
}

/** Returns the widest texts of rates below 1 GB/s, one in each unit, on lines of their own. */
export function widestRates(language: string): string {
  return [999_000, 999_000_000].map((rate) => rateText(rate, language)).join('\n')
}
