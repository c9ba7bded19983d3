const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Returns the age of a time (ISO 8601) in the words of such servers: `< 1 minute`, `1 hour`, `3 months`. */
export function ageOf(time: string, now: Date): string {
  const seconds = (now.getTime() - new Date(time).getTime()) / 1000
  const unit = units.find(([, length]) => seconds >= length)
  if (unit === undefined) return '< 1 minute'
  const [name, length] = unit
  const count = Math.floor(seconds / length)
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
