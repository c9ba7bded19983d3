import { z } from 'zod'
import { toNumber } from './loose'

/**
 * A time in whole seconds since 1970, sent in seconds, in milliseconds, or as a text of ISO 8601, RFC 2822, the forms `20.11.2026`, `2026/11/20` or `Wed
 * Oct 10 20:19:24 +0000 2018`. Undefined for anything else.
 */
export const timestamp = z.unknown().optional().transform(secondsOf)

/** Larger numbers are milliseconds: seconds reach this number in the year 5138, milliseconds did in 1973. */
const leastMilliseconds = 1e11
/** The last time that Date can represent, in seconds. */
const longestTime = 8.64e12

function secondsOf(value: unknown): number | undefined {
  const time = toNumber(value)
  if (typeof time === 'string') return secondsOfText(time)
  if (typeof time !== 'number') return undefined
  const seconds = Math.trunc(Math.abs(time) < leastMilliseconds ? time : time / 1000)
  return Math.abs(seconds) <= longestTime ? seconds : undefined
}

/** Other orders of the numbers, as those of ISO 8601. */
function inOrder(text: string): string {
  return text
    .trim()
    .replace(/^(\d\d?)\.(\d\d?)\.(\d{4})\b/, '$3/$2/$1')
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/i, '$1/$2/$3T$4:$5:$6')
    .replace(/^(\d{4})[/.](\d\d?)[/.](\d\d?)(?!\d)/, (_, year: string, month: string, day: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )
}

function secondsOfText(written: string): number | undefined {
  const text = inOrder(written)
  const iso = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[-+]\d\d:?\d\d)?)?\s*$/i.exec(
    text,
  )
  const mail =
    /^\s*(?:\w{3},\s*)?(\d{1,2} \w{3} \d{4} \d\d:\d\d(?::\d\d)?)\s+([-+]\d{4}|[A-Z]{1,4})\s*$/i.exec(text)
  const tweeted = /^\s*\w{3} (\w{3}) (\d\d?) (\d\d:\d\d:\d\d) ([-+]\d{4}) (\d{4})\s*$/i.exec(text)
  let plain = ''
  // A time without a zone is in UTC.
  if (iso !== null) plain = `${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? 'Z'}`
  else if (mail !== null) plain = `${mail[1]} ${mail[2]}`
  else if (tweeted !== null) plain = `${tweeted[2]} ${tweeted[1]} ${tweeted[5]} ${tweeted[3]} ${tweeted[4]}`
  const time = Date.parse(plain)
  return Number.isNaN(time) ? undefined : Math.trunc(time / 1000)
}
