import { median } from './median'

/** What a figure that is read after every round does over all rounds. */
export interface Growth {
  /** The median of the slopes between all pairs of rounds (Theil and Sen), by which one odd round counts little. */
  readonly perRound: number
  /** The rise from the first to the last round at that slope. */
  readonly rise: number
  /** The test of Mann and Kendall: 3 or more comes by chance once in 700 times. */
  readonly certainty: number
  readonly isGrowing: boolean
}

const certain = 3
/** The share of the rounds that load code and fill caches. */
const warmUp = 0.25

/**
 * Returns whether the values of the rounds go up for good: more often than chance allows, and by more than `tolerance` in all. A
 * test of two points would take the noise of a garbage collector for a leak, and a leak under it for noise.
 */
export function growthOf(values: readonly number[], tolerance: number): Growth {
  const warm = values.slice(Math.floor(values.length * warmUp))
  const slopes = warm.flatMap((value, from) =>
    warm.slice(from + 1).map((later, distance) => (later - value) / (distance + 1)),
  )
  const count = warm.length
  const perRound = slopes.length === 0 ? 0 : median(slopes)
  const rise = perRound * (count - 1)
  const score = slopes.reduce((sum, slope) => sum + Math.sign(slope), 0)
  const certainty = score / Math.sqrt(Math.max(1, (count * (count - 1) * (2 * count + 5)) / 18))
  return { perRound, rise, certainty, isGrowing: certainty >= certain && rise > tolerance }
}
