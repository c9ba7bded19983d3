import type { Fault } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import type { ContentService } from './content-service'
import type { Situation } from './situation'

const everyCall = { path: '/2.3/*' }

/** Returns the scenarios of the content API. */
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
      'The newest entries, from 9001 on, contain scripts, event handlers, javascript: and data: addresses, SVG and MathML ' +
        'tricks, frames, forms, tracking pictures, very deep and very long texts, broken entryJSON and unknown blocks; ' +
        'a client that runs any of it calls an address with "canary" in it, which the journal shows.',
    ),
    shown('thousand-entries', 'thousand-entries', 'The club has 1000 entries, for endless scrolling.'),
    shown(
      'entries-arriving',
      'content-entries-arriving',
      'Every list of the club has one more new entry on top, so that paging by offset returns some entries twice.',
    ),
    shown(
      'odd-types',
      'content-odd-types',
      'Answers of the content API are loosely typed, as from real servers: numbers as text, 0 and 1 as booleans, ' +
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
      'Times of the content API alternate between formats: "Wed Oct 10 20:19:24 +0000 2018", ISO 8601, milliseconds, ' +
        'and RFC 2822.',
    ),
    shown(
      'bad-records',
      'content-bad-records',
      "One record in three of every list can't be read: it lacks its id, is null, or has the id 0. Another one has an " +
        'unknown kind, and null for its lists.',
    ),
    shown(
      'fixed-pages',
      'content-fixed-pages',
      'A page of a list has at most ten records, whatever count requests.',
    ),
    shown(
      'entry-vanished',
      'entry-vanished',
      'Entries are still listed, but opening or revealing any of them is answered 404.',
    ),
    shown(
      'images-broken',
      'images-broken',
      'Pictures are broken in different ways, by their number: 404, empty, half a picture, a sign-in page, or a picture ' +
        'that claims to be 60000 pixels wide and high.',
    ),
    faulty('content-down', 'The content API answers every call 503 with its error object.', {
      status: 503,
      headers: { 'retry-after': '30' },
      body: { error: { code: 503, message: 'The service is temporarily unavailable.' } },
    }),
    faulty('content-slow', 'The content API takes three seconds for every answer.', { delayMs: 3000 }),
    faulty(
      'content-rate-limited',
      'The next three calls of the content API are answered 429 with Retry-After: 2; later ones work.',
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
