import type { Validity } from '../portal/portal'

const hourMs = 60 * 60_000

/** The hours before the end of a login at which notices are due (field notes, "How good clients behave"). */
export const noticeHours = [4, 2, 1, 0] as const
export type NoticeHours = (typeof noticeHours)[number]

/**
 * Returns the latest notice that is due. Notices from before the login don't count, so a short login doesn't begin with a
 * warning.
 */
export function noticeDue({ notBefore, notAfter }: Validity, now: Date): NoticeHours | undefined {
  const left = notAfter.getTime() - now.getTime()
  const life = notAfter.getTime() - notBefore.getTime()
  return noticeHours.findLast((hours) => left <= hours * hourMs && hours * hourMs < life)
}

/** Returns the time of the next notice; undefined after the last. */
export function nextNoticeAt({ notAfter }: Validity, now: Date): Date | undefined {
  const times = noticeHours.map((hours) => notAfter.getTime() - hours * hourMs)
  const next = times.find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}
