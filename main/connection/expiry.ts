import type { ErrorReport } from '../../contract/error-codes'
import { report } from '../errors'
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
  readonly timeLeft: number
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
  const timeLeft = Math.max(0, notAfter.getTime() - now.getTime())
  const stage = timeLeft === 0 ? 'over' : timeLeft <= renewalWindowMs ? 'soon' : 'far'
  return {
    endsAt: notAfter,
    timeLeft,
    stage,
    renewable: now >= renewableFrom(validity),
  }
}

/** Returns the time from which to offer a renewal. */
export function renewableFrom({ notBefore, notAfter }: Validity): Date {
  const isBrief = notAfter.getTime() - notBefore.getTime() < 2 * minAgeMs
  const offered = isBrief ? notBefore.getTime() : notBefore.getTime() + minAgeMs
  return new Date(Math.min(notAfter.getTime(), Math.max(notAfter.getTime() - renewalWindowMs, offered)))
}

/** Returns true for a login that lasts for less than a day. */
export function isShort({ notBefore, notAfter }: Validity): boolean {
  return notAfter.getTime() - notBefore.getTime() < 24 * hourMs
}

/** The hours before the end of a login at which notices are due (field notes, "How good clients behave"). */
export const noticeHours = [4, 2, 1, 0] as const
export type NoticeHours = (typeof noticeHours)[number]

/**
 * Returns the latest notice that is due. Notices from before the login don't count, so a short login doesn't begin with a
 * warning.
 */
export function noticeDue({ notBefore, notAfter }: Validity, now: Date): NoticeHours | undefined {
  const timeLeft = notAfter.getTime() - now.getTime()
  const life = notAfter.getTime() - notBefore.getTime()
  return noticeHours.findLast((hours) => timeLeft <= hours * hourMs && hours * hourMs < life)
}

/** Returns the time of the next notice; undefined after the last. */
export function nextNoticeAt({ notAfter }: Validity, now: Date): Date | undefined {
  const times = noticeHours.map((hours) => notAfter.getTime() - hours * hourMs)
  const next = times.find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}

export interface ExpiryNotice {
  readonly instanceId: string
  readonly endsAt: Date
  /** The hours before the end at which the notice was due; 0 after the end. */
  readonly hours: NoticeHours
}

/** Returns `session/ends-soon` or `session/over` for a notice; details: `instance`, `endsAt`, `hours`. */
export function expiryReport({ instanceId, endsAt, hours }: ExpiryNotice, now: Date): ErrorReport {
  const details = { instance: instanceId, endsAt: endsAt.toISOString(), hours }
  return endsAt <= now ? report('session/over', { details }) : report('session/ends-soon', { details })
}
