import type { Fault } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import type { ContentService } from './content-service'
import type { Situation } from './situation'

const everyCall = { path: '/2.3/*' }

/** The situations of the content API. */
export function contentScenarios(service: ContentService, tools: ScenarioTools): Scenario[] {
  const shown = (situation: Exclude<Situation, 'usual'>, name: string, sentence: string): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.situation = situation
    },
  })
  const faulty = (name: string, sentence: string, fault: Fault, times?: number): Scenario => ({
    name,
    sentence,
    apply: () => {
      tools.faults.add({ match: everyCall, fault, ...(times === undefined ? {} : { times }) })
    },
  })
  return [
    shown('no-news', 'no-news', 'Every list of the content API is empty: entries, posts, tweets and news.'),
    shown(
      'hostile-entries',
      'hostile-entries',
      'The newest entries, 9001 and on, carry scripts, event handlers, javascript: and data: addresses, SVG and MathML ' +
        'tricks, frames, forms, tracking pictures, very deep and very long texts, broken entryJSON and unknown blocks; ' +
        'a client that runs any of it calls an address with "canary" in it, which the journal shows.',
    ),
    shown(
      'thousand-entries',
      'thousand-entries',
      'The club has 1000 entries, for scrolling that does not end.',
    ),
    shown(
      'entries-arriving',
      'content-entries-arriving',
      'Every listing of the club finds one more new entry on top, so that paging by offset meets entries twice.',
    ),
    shown(
      'odd-types',
      'content-odd-types',
      'Answers of the content API are loosely typed, as real servers send them: numbers as text, 0 and 1 for truth, ' +
        'empty arrays for objects, nulls, and optional fields left out.',
    ),
    shown(
      'large-ids',
      'content-large-ids',
      'Tweets and the users who wrote them have ids above 2^53, as JSON numbers.',
    ),
    shown(
      'textual-dates',
      'content-textual-dates',
      'Times of the content API are written in turns like "Wed Oct 10 20:19:24 +0000 2018", as ISO 8601, in milliseconds, ' +
        'and as RFC 2822.',
    ),
    shown(
      'bad-records',
      'content-bad-records',
      'One record in three of every list cannot be read: it lacks its id, is null, or has the id 0. Another one has a kind ' +
        'that nobody knows, and null for its lists.',
    ),
    shown(
      'fixed-pages',
      'content-fixed-pages',
      'A page of a list has at most ten records, whatever count says.',
    ),
    shown(
      'entry-vanished',
      'entry-vanished',
      'Entries are still listed, and opening or revealing any of them is answered 404.',
    ),
    shown(
      'images-broken',
      'images-broken',
      'Pictures are broken in turns by their number: 404, nothing at all, half a picture, a sign-in page, or one that ' +
        'claims to be 60000 pixels wide and high.',
    ),
    faulty('content-down', 'The content API answers every call 503 with its error object.', {
      status: 503,
      headers: { 'retry-after': '30' },
      body: { error: { code: 503, message: 'The service is temporarily unavailable.' } },
    }),
    faulty('content-slow', 'The content API takes three seconds for every answer.', { delayMs: 3000 }),
    faulty(
      'content-rate-limited',
      'The next three calls of the content API are answered 429 with Retry-After: 2, and the ones after them as usual.',
      {
        status: 429,
        headers: { 'retry-after': '2' },
        body: { error: { code: 429, message: 'Too many requests.' } },
      },
      3,
    ),
    faulty(
      'content-rate-limited-for-years',
      'The content API answers every call 429 with Retry-After: 2300894574, which is 73 years.',
      {
        status: 429,
        headers: { 'retry-after': '2300894574' },
        body: { error: { code: 429, message: 'Too many requests.' } },
      },
    ),
    faulty('content-error', 'The content API answers every call 500 with its error object.', {
      status: 500,
      body: { error: { code: 500, message: 'Internal error.' } },
    }),
    faulty(
      'content-gateway-page',
      'A gateway in front of the content API answers every call 502 with a page instead of JSON.',
      {
        status: 502,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
      },
    ),
    faulty('content-cut-off', 'Every answer of the content API breaks off in the middle.', {
      truncate: true,
    }),
  ]
}
