import type { Validity } from '../portal/portal'

const hourMs = 60 * 60_000

/** How many hours before the end of a login it is told of (field notes, "How good clients behave"). */
export const noticeHours = [4, 2, 1, 0] as const
export type NoticeHours = (typeof noticeHours)[number]

/**
 * The notice that a login calls for now: the latest whose time has come. Undefined where none has, and for those whose time
 * was before the login, so that a short one does not begin with a warning.
 */
export function noticeDue({ notBefore, notAfter }: Validity, now: Date): NoticeHours | undefined {
  const left = notAfter.getTime() - now.getTime()
  const life = notAfter.getTime() - notBefore.getTime()
  return noticeHours.findLast((hours) => left <= hours * hourMs && hours * hourMs < life)
}

/** When the next notice is due; undefined after the last. */
export function nextNoticeAt({ notAfter }: Validity, now: Date): Date | undefined {
  const times = noticeHours.map((hours) => notAfter.getTime() - hours * hourMs)
  const next = times.find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}
