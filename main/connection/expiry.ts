import type { Validity } from '../portal/portal'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The time before the end at which the countdown and the offer to renew begin (field notes, "How good clients behave"). */
const renewalWindowMs = 24 * hourMs
/**
 * The least age of a login before a renewal is offered, so that a service with short sessions doesn't always show the
 * offer. A session of less than twice that time can be renewed at once.
 */
const minAgeMs = 30 * minuteMs

export interface Expiry {
  readonly endsAt: Date
  /** Milliseconds; 0 after the end. */
  readonly left: number
  /** `soon`: near enough to the end to tell the user. */
  readonly stage: 'far' | 'soon' | 'over'
  /** True to offer a renewal. */
  readonly renewable: boolean
}

/**
 * Returns how near a login is to its end. Its age is taken from what the portal granted at the first connection after it.
 */
export function expiryAt(validity: Validity, now: Date): Expiry {
  const { notAfter } = validity
  const left = Math.max(0, notAfter.getTime() - now.getTime())
  const stage = left === 0 ? 'over' : left <= renewalWindowMs ? 'soon' : 'far'
  return {
    endsAt: notAfter,
    left,
    stage,
    renewable: now >= renewableFrom(validity),
  }
}

/** Returns the time from which to offer a renewal. */
export function renewableFrom({ notBefore, notAfter }: Validity): Date {
  const isShort = notAfter.getTime() - notBefore.getTime() < 2 * minAgeMs
  const offered = isShort ? notBefore.getTime() : notBefore.getTime() + minAgeMs
  return new Date(Math.min(notAfter.getTime(), Math.max(notAfter.getTime() - renewalWindowMs, offered)))
}
