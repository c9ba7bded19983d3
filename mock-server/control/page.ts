import { z } from 'zod'
import { sendJson, sendPage } from '../http/answer'
import type { App } from '../http/app'
import { html, type Html } from '../http/html'
import { page } from '../http/page'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import type { JournalEntry } from './journal'
import { allWell } from './scenario'
import { scenariosOf } from './scenarios'
import { summaryOf, summarySchema, type About, type Summary } from './summary'

/** More rows would make the page slow; the journal itself holds more. */
const maxRows = 100

/**
 * Adds `GET /_mock`: the state as JSON for programs, and for browsers as a page whose buttons are forms. A browser that
 * has sent one of these forms gets the page again.
 */
export function addPage(app: App, base: string, mockState: MockState, about: About): void {
  const scenarios = scenariosOf(mockState)
  const schema = {
    tags: [tags.control],
    summary: 'The state of the mock, or a page to control it',
    description: 'An HTML page; JSON for clients that accept application/json.',
    response: {
      200: {
        description: 'The state.',
        content: { 'application/json': { schema: summarySchema }, 'text/html': { schema: z.string() } },
      },
    },
  }
  for (const path of [base, `${base}/`]) {
    app.get(path, { schema: path === base ? schema : { hide: true } }, (request, reply) => {
      const summary = summaryOf(mockState, about)
      if (/\bapplication\/json\b/i.test(request.headers.accept ?? '')) return sendJson(reply, 200, summary)
      const requests = mockState.journal.find({ limit: maxRows }).reverse()
      const content = controlPage(base, summary, { scenarios, faults: mockState.faults.rules, requests })
      // With `no-referrer`, browsers would send forms of the page with the Origin `null`.
      const answer = page('Causeway mock server', content.text, "'self'")
      return sendPage(reply, 200, { ...answer, referrerPolicy: 'same-origin' })
    })
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const isForm = request.method === 'POST' && /\btext\/html\b/i.test(request.headers.accept ?? '')
    if (isForm && reply.statusCode === 200) reply.code(303).header('location', base)
    done(null, payload)
  })
}

const button = (base: string, call: string, name: string): Html =>
  html`<form method="post" action="${base}${call}"><button>${name}</button></form>`

function requestRow(base: string, { id, time, method, path, query, status, outcome }: JournalEntry): Html {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
  const result = outcome === 'answered' ? (status ?? '') : outcome
  return html`<tr>
    <td>${time.slice(11, 19)}</td>
    <td>${method}</td>
    <td><a href="${base}/requests?since=${id - 1}">${path}${search}</a></td>
    <td>${result}</td>
  </tr> `
}

function controlPage(
  base: string,
  { origin, discovery, tunnel, now, scenario, options }: Summary,
  shown: {
    scenarios: ReturnType<typeof scenariosOf>
    faults: MockState['faults']['rules']
    requests: readonly JournalEntry[]
  },
): Html {
  const facts = {
    'VPN instance': `${origin}/`,
    'Discovery server': discovery.url,
    'Discovery key': discovery.key,
    Attachments: `${origin}/v2.0.0`,
    Content: origin,
    Organizations: origin,
    Tunnel: tunnel.mode,
    Clock: now,
    'Active scenario': scenario,
    'Active faults': JSON.stringify(shown.faults),
    Options: JSON.stringify(options),
  }
  const rows = Object.entries(facts).map(
    ([name, fact]) =>
      html`<dt>${name}</dt>
        <dd>${fact}</dd>`,
  )
  const scenarioRows = shown.scenarios.map(
    ({ name, sentence }) =>
      html`<tr>
        <td>${button(base, `/scenarios/${name}`, name)}</td>
        <td>${sentence}</td>
      </tr> `,
  )
  return html`<p><a href="${base}/api">Try the interfaces</a> · <a href="${base}/openapi.json">OpenAPI</a></p>
    <dl>${rows}</dl>
    ${button(base, `/scenarios/${allWell}`, 'End the scenario and all faults')}
    ${button(base, '/reset', 'Reset to the seed data')}
    <h2>Requests, newest first</h2>
    <table>
      ${shown.requests.map((entry) => requestRow(base, entry))}
    </table>
    <h2>Scenarios</h2>
    <table>
      ${scenarioRows}
    </table>`
}
