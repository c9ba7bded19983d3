import { CausewayError } from '../../errors'
import type { HttpClient } from '../http/http-client'

/** Less than this is nobody's trouble: new certificates of these services begin five minutes in the past. */
const toleranceMs = 5 * 60_000

/** RFC 9110, 5.6.7: the one form that servers send today. */
const imfFixdate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * By how many milliseconds this computer is ahead of who answered at this time (ms since the epoch); behind, where it is
 * negative. Undefined where the answer does not tell, because it has no date, or comes out of a cache.
 */
export function clockAhead(headers: Headers, answeredAt: number): number | undefined {
  const date = headers.get('date') ?? ''
  if (!imfFixdate.test(date) || Number(headers.get('age') ?? 0) > 0) return undefined
  const theirs = Date.parse(date)
  return Number.isNaN(theirs) ? undefined : answeredAt - theirs
}

export interface ClockCheck {
  readonly http: HttpClient
  /** Of an instance, with its final slash. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * To be asked after a failure that a wrong clock of this computer would cause: `clock/wrong` where the clock of the instance
 * says so (`details`: `instance`, `aheadSeconds`, negative for behind, `localTime`, `serverTime`), else undefined, also where
 * the instance cannot be asked. One request; an answer of any status will do.
 */
export async function findWrongClock(
  { http, address, now }: ClockCheck,
  cause: CausewayError,
  signal?: AbortSignal,
): Promise<CausewayError | undefined> {
  const url = new URL('info.json', address)
  const answer = await http
    .send(url, { headers: { 'cache-control': 'no-cache' }, ...(signal === undefined ? {} : { signal }) })
    // What it was asked for has failed already, and that is what is told then.
    .catch(() => undefined)
  const localTime = now()
  const ahead = answer && clockAhead(answer.headers, localTime)
  if (ahead === undefined || Math.abs(ahead) <= toleranceMs) return undefined
  return new CausewayError(
    'clock/wrong',
    `This computer's clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} ${url.host}. Set the clock and time zone in your system settings, preferably automatically, then try again.`,
    {
      cause,
      details: {
        instance: url.host,
        aheadSeconds: Math.round(ahead / 1000),
        localTime: new Date(localTime).toISOString(),
        serverTime: new Date(localTime - ahead).toISOString(),
      },
    },
  )
}

/** In the largest unit of which there are two, such as `90 minutes`. */
function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
