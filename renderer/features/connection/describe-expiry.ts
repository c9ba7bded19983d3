const minuteMs = 60_000
const lastStretchMs = 24 * 60 * minuteMs

export interface ExpiryDescription {
  readonly stage: 'far' | 'soon' | 'over'
  /** Time left on the last day, rounded up to minutes. */
  readonly hours: number
  readonly minutes: number
  readonly renewable: boolean
  /** Time of the next change, in ms since the epoch like all times here; undefined for never. */
  readonly changesAt: number | undefined
}

/** Returns what to show of a login that expires at `at` and can be renewed from `renewableFrom`. */
export function describeExpiry(
  { at, renewableFrom }: { readonly at: number; readonly renewableFrom: number },
  now: number,
): ExpiryDescription {
  const timeLeft = at - now
  const minutesLeft = Math.max(0, Math.ceil(timeLeft / minuteMs))
  const stage = timeLeft <= 0 ? 'over' : timeLeft <= lastStretchMs ? 'soon' : 'far'
  const changes = {
    far: at - lastStretchMs,
    soon: at - (minutesLeft - 1) * minuteMs,
    over: undefined,
  }[stage]
  const offered = renewableFrom > now ? renewableFrom : undefined
  return {
    stage,
    hours: Math.floor(minutesLeft / 60),
    minutes: minutesLeft % 60,
    renewable: now >= renewableFrom,
    changesAt: changes === undefined ? offered : Math.min(changes, offered ?? changes),
  }
}
