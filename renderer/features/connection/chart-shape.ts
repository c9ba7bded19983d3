/** Value at a time in ms since the epoch. */
export interface Sample {
  readonly at: number
  readonly value: number
}

/** Range of the chart: times from `from` to `to`, values from 0 to `top`. */
export interface Frame {
  readonly from: number
  readonly to: number
  readonly top: number
}

/** Size of the chart in its own coordinates. */
export const chartWidth = 300
export const chartHeight = 100

/** Samples further apart than this, in milliseconds, have a gap between them. */
const maxGapMs = 3000

/**
 * Returns the end of a scale for this value: 1, 2 or 5 times a power of ten, at least 1000, so that the scale seldom
 * changes.
 */
export function niceTop(highest: number): number {
  const wanted = Math.max(1000, highest || 0)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const top = [1, 2, 5].map((step) => step * power).find((each) => each >= wanted)
  return top ?? 10 * power
}

const spans = [1, 2, 5] as const

/** Returns the minutes to show, so that the samples since `oldest` (ms since the epoch) fill most of the chart. */
export function minutesShown(oldest: number | undefined, now: number): number {
  const known = oldest === undefined ? 0 : now - oldest
  return spans.find((minutes) => minutes * 60_000 >= known) ?? 5
}

/** Returns an SVG path through the samples, oldest first, with a break at each gap. */
export function linePath(samples: readonly Sample[], frame: Frame): string {
  return runs(samples, frame)
    .map((run) => `M${run.map((sample) => place(sample, frame)).join('L')}`)
    .join('')
}

/** Returns an SVG path for the area below that line. */
export function areaPath(samples: readonly Sample[], frame: Frame): string {
  return runs(samples, frame)
    .map((run) => {
      const ground = ({ at }: Sample): string => place({ at, value: 0 }, frame)
      const [first] = run
      const last = run.at(-1) ?? first
      return `M${ground(first)}L${run.map((sample) => place(sample, frame)).join('L')}L${ground(last)}Z`
    })
    .join('')
}

function runs(samples: readonly Sample[], { from, to }: Frame): [Sample, ...Sample[]][] {
  const found: [Sample, ...Sample[]][] = []
  let before: number | undefined
  for (const sample of samples) {
    if (sample.at < from || sample.at > to) continue
    if (before === undefined || sample.at - before > maxGapMs) found.push([sample])
    else found.at(-1)?.push(sample)
    before = sample.at
  }
  return found
}

function place({ at, value }: Sample, { from, to, top }: Frame): string {
  const x = ((at - from) / (to - from)) * chartWidth
  const y = (1 - Math.min(1, Math.max(0, value / top))) * chartHeight
  return `${round(x)} ${round(y)}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
