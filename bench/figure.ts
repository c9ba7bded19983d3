import { median } from './median'

/** Something measured in rounds. What is beside it took turns with it in the same run, so that the machine hardly matters. */
export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'Mbit/s' | 'MB/s' | 'MB' | 's/h' | 'requests/s' | 'kB' | 'times a minute'
  /** A value for each round. */
  readonly own: readonly number[]
  /** The values of the same rounds. */
  readonly beside?: { readonly what: string; readonly values: readonly number[] }
  /** Unit of the ratio, or of the value if nothing is compared. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number }
  /** Why the goal is missed, and by what. */
  readonly why?: string
}

export interface Summary {
  /** Summary of the ratios within each round, or of the values if nothing is compared. */
  readonly median: number
  readonly low: number
  readonly high: number
  /** Undefined without a goal. */
  readonly isMet: boolean | undefined
}

/** Returns the median of a figure and its range, the middle half of the rounds. */
export function summarize({ own, beside, goal }: Figure): Summary {
  const values = beside === undefined ? own : own.map((value, round) => value / (beside.values[round] ?? NaN))
  const sorted = values.toSorted((a, b) => a - b)
  const quarter = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? NaN
  const middle = median(values)
  const isMet =
    goal === undefined ? undefined : 'atMost' in goal ? middle <= goal.atMost : middle >= goal.atLeast
  return { median: middle, low: quarter(0.25), high: quarter(0.75), isMet }
}

/** Prints a number with three digits that count. */
export function inDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** Returns a goal in words; an empty text for none. */
export function goalOf({ goal }: Figure): string {
  if (goal === undefined) return ''
  return 'atMost' in goal ? `≤ ${String(goal.atMost)}` : `≥ ${String(goal.atLeast)}`
}
