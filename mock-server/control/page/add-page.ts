import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { sendJson, sendPage } from '../../http/answer'
import type { App } from '../../http/app'
import { wholeNumber } from '../../http/whole-number'
import type { MockState } from '../../mock-state'
import { described } from '../replies'
import { scenariosOf } from '../scenarios'
import { summaryOf, summarySchema, type About } from '../summary'
import { controlPage, stateFragment } from './page'
import type { PageState } from './state'

/** More rows would make the page slow; the journal itself holds more. */
const mostRows = 200

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const since = z.object({ since: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0) })

/** Adds `GET /_mock`, the state as JSON for programs and as a page with controls for browsers, and the page's files. */
export function addPage(app: App, base: string, mockState: MockState, about: About): void {
  const scenarios = scenariosOf(mockState)
  const state = (after = 0): PageState => ({
    scenario: mockState.scenario,
    now: mockState.clock.now(),
    offsetMs: mockState.clock.offsetMs,
    faults: mockState.faults.rules,
    requests: mockState.journal.find({ since: after, limit: mostRows }).reverse(),
  })
  const schema = {
    ...described(
      'The state of the mock, or a page to control it',
      'An HTML page; JSON for clients that accept application/json.',
    ),
    response: {
      200: {
        description: 'What runs.',
        content: { 'application/json': { schema: summarySchema }, 'text/html': { schema: z.string() } },
      },
    },
  }
  for (const path of [base, `${base}/`]) {
    app.get(path, { schema: path === base ? schema : { hide: true } }, (request, reply) => {
      const summary = summaryOf(mockState, about)
      if (/\bapplication\/json\b/i.test(request.headers.accept ?? '')) return sendJson(reply, 200, summary)
      return sendPage(reply, 200, {
        html: controlPage(base, summary, scenarios, state()),
        contentSecurityPolicy,
      })
    })
  }
  app.get(`${base}/page/state`, { schema: { hide: true, querystring: since } }, ({ query }, reply) =>
    sendPage(reply, 200, { html: stateFragment(state(query.since)), contentSecurityPolicy }),
  )
  for (const [name, type] of [
    ['page.css', 'text/css'],
    ['page.js', 'text/javascript'],
  ] as const) {
    const text = readFileSync(new URL(`client/${name}`, import.meta.url), 'utf8')
    app.get(`${base}/page/${name}`, { schema: { hide: true } }, (_request, reply) =>
      reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .send(text),
    )
  }
}
