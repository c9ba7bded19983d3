import type { AnswerHeaders } from '../http/answer-headers'
import { CausewayError } from '../../errors'
import type { HttpClient } from '../http/http-client'

/** Smaller differences are harmless: new certificates of these services start five minutes in the past. */
export const toleranceMs = 5 * 60_000

/** The only date format that servers send today (RFC 9110, 5.6.7). */
const imfFixdate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the milliseconds by which this computer's clock is ahead of the server's (negative if behind); `answeredAt` is
 * the time of the answer since the epoch. Undefined for an answer without a date or from a cache.
 */
export function clockAhead(headers: AnswerHeaders, answeredAt: number): number | undefined {
  const date = headers.get('date') ?? ''
  if (!imfFixdate.test(date) || Number(headers.get('age') ?? 0) > 0) return undefined
  const theirs = Date.parse(date)
  return Number.isNaN(theirs) ? undefined : answeredAt - theirs
}

interface ClockCheck {
  readonly http: HttpClient
  /** The address of an instance, with its final slash. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Checks the clock after a failure that a wrong clock would cause. Returns `clock/wrong` if the instance's clock differs
 * (`details`: `instance`, `aheadSeconds`, negative for behind, `localTime`, `serverTime`), else undefined, also if the
 * instance does not answer. Sends one request, whose status does not matter.
 */
export async function findWrongClock(
  { http, address, now }: ClockCheck,
  cause: CausewayError,
  signal?: AbortSignal,
): Promise<CausewayError | undefined> {
  const url = new URL('info.json', address)
  const answer = await http
    .send(url, { headers: { 'cache-control': 'no-cache' }, signal })
    // The original request has failed already, and its error is reported.
    .catch(() => undefined)
  const localTime = now()
  const ahead = answer && clockAhead(answer.headers, localTime)
  if (ahead === undefined || Math.abs(ahead) <= toleranceMs) return undefined
  return new CausewayError('clock/wrong', {
    cause,
    details: {
      instance: url.host,
      aheadSeconds: Math.round(ahead / 1000),
      localTime: new Date(localTime).toISOString(),
      serverTime: new Date(localTime - ahead).toISOString(),
    },
  })
}
