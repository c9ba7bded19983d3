/** Returns the median. Throws an Error for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const lower = sorted[Math.ceil(middle) - 1]
  const upper = sorted[Math.floor(middle)]
  if (lower === undefined || upper === undefined) throw new Error('There is no median of nothing')
  return (lower + upper) / 2
}
