import type { Validity } from '../portal/portal'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long before the end it is counted down, and a new login offered (field notes, "How good clients behave"). */
const lastStretchMs = 24 * hourMs
/** Not sooner after a login: on a service with short sessions the offer would be there all the time. */
const leastAgeMs = 30 * minuteMs

export interface Expiry {
  readonly endsAt: Date
  /** Milliseconds; 0 when it is over. */
  readonly left: number
  /** Over, or so near to its end that it is worth a word. */
  readonly stage: 'far' | 'soon' | 'over'
  /** Whether a new login is worth offering. */
  readonly renewable: boolean
}

/**
 * What is to be said of the end of a login. It is taken to be as old as what the portal granted at the first
 * connection after it.
 */
export function expiryAt({ notBefore, notAfter }: Validity, now: Date): Expiry {
  const left = Math.max(0, notAfter.getTime() - now.getTime())
  const stage = left === 0 ? 'over' : left <= lastStretchMs ? 'soon' : 'far'
  return {
    endsAt: notAfter,
    left,
    stage,
    renewable: stage === 'over' || (stage === 'soon' && now.getTime() >= notBefore.getTime() + leastAgeMs),
  }
}

/** When Renew begins to be offered. */
export function renewableFrom({ notBefore, notAfter }: Validity): Date {
  const offered = Math.max(notAfter.getTime() - lastStretchMs, notBefore.getTime() + leastAgeMs)
  return new Date(Math.min(offered, notAfter.getTime()))
}

/** The time left in words for the terminal: days and hours, in the last day hours and minutes; never more than there is. */
export function timeLeftText(left: number): string {
  if (left <= 0) return 'over'
  const minutes = Math.floor(left / minuteMs)
  const hours = Math.floor(left / hourMs)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${counted(days, 'day')} ${counted(hours % 24, 'hour')}`
  if (hours > 0) return `${counted(hours, 'hour')} ${counted(minutes % 60, 'minute')}`
  return minutes > 0 ? counted(minutes, 'minute') : 'less than a minute'
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
