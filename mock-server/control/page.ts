import { z } from 'zod'
import { sendJson, sendPage } from '../http/answer'
import type { App } from '../http/app'
import { type Html, html, page } from '../http/page'
import { allWell, type MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn, optional } from '../schemas'
import type { ServerFacts } from './control-calls'
import { type Scenario, scenarios } from './scenarios'

const base = paths.control

/** More rows would make the page slow; the journal itself holds more. */
const maxRows = 100

const summarySchema = z.object({
  origin: z.string(),
  now: z.string().describe("The mock's clock"),
  scenario: z.string().describe('The active scenarios in one text; all-well if there are none'),
  scenarios: z.array(z.string()).describe('The active scenarios'),
  discovery: z.object({ url: z.string(), key: z.string() }).describe('The discovery server and its key'),
  tunnel: z.looseObject({ mode: z.enum(['none', 'handshake', 'full']) }),
  profiles: z.array(z.string()),
  faults: z.int().describe('The number of active faults'),
  requests: z.int().describe('The number of requests in the journal'),
  worlds: z.array(z.string()).describe('The names of the other worlds'),
  options: z.record(z.string(), z.unknown()).describe('The options that the mock was started with'),
})

export type Summary = z.infer<typeof summarySchema>

/** Adds `GET /_mock`: JSON for programs, and for browsers a page whose buttons are forms that lead back to it. */
export function addPage(app: App, server: ServerFacts): void {
  const querystring = z.strictObject({
    find: optional(z.string().max(100), 'Shows the scenarios whose name or sentence has these words'),
  })
  const schema = {
    querystring,
    tags: [tags.control],
    summary: 'The state of the mock, or a page to control it',
    description: 'An HTML page; JSON for clients that accept application/json.',
    response: {
      200: answerIn('The state.', { 'application/json': summarySchema, 'text/html': z.string() }),
    },
  }
  for (const path of [base, `${base}/`]) {
    app.get(path, { schema: path === base ? schema : { hide: true, querystring } }, (request, reply) => {
      const { headers, query, world, worldPrefix } = request
      const summary: Summary = {
        origin: world.origin,
        now: world.clock.now().toISOString(),
        scenario: world.scenario,
        scenarios: [...world.scenarios],
        discovery: { url: world.discovery.url, key: world.discovery.publicKey },
        tunnel: { ...world.vpn.tunnelStatus },
        profiles: world.vpn.offeredProfiles.map(({ profile_id }) => profile_id),
        faults: world.faults.rules.length,
        requests: world.journal.records.length,
        worlds: [...server.worlds.others.keys()],
        options: Object.fromEntries(
          Object.entries(server.options).filter(([, value]) => value !== undefined),
        ),
      }
      if (/\bapplication\/json\b/i.test(headers.accept ?? '')) return sendJson(reply, 200, summary)
      const content = controlPage(`${worldPrefix}${base}`, summary, world, query.find ?? '')
      // With `no-referrer`, browsers would send forms of the page with the Origin `null`.
      const answer = page('Causeway mock server', content.text, "'self'")
      return sendPage(reply, 200, { ...answer, referrerPolicy: 'same-origin' })
    })
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const isForm = request.method === 'POST' && /\btext\/html\b/i.test(request.headers.accept ?? '')
    if (isForm && reply.statusCode === 200)
      reply.code(303).header('location', `${request.worldPrefix}${base}`)
    done(null, payload)
  })
}

const button = (action: string, name: string): Html =>
  html`<form method="post" action="${action}"><button>${name}</button></form>`

function table(rows: readonly (readonly (string | number | Html)[])[]): Html {
  const cells = (row: (typeof rows)[number]) => row.map((cell) => html`<td>${cell}</td>`)
  return html`<table>
    ${rows.map(
      (row) =>
        html`<tr>
          ${cells(row)}
        </tr> `,
    )}
  </table>`
}

function controlPage(home: string, summary: Summary, world: MockState, wanted: string): Html {
  const { origin, discovery, tunnel, options } = summary
  const facts = {
    'VPN instance': `${origin}/`,
    'Discovery server': discovery.url,
    'Discovery key': discovery.key,
    Attachments: `${origin}/v2.0.0`,
    'Content, organizations': origin,
    Tunnel: tunnel.mode,
    Clock: summary.now,
    'Active scenario': summary.scenario,
    'Active faults': JSON.stringify(world.faults.rules),
    Options: JSON.stringify(options),
    Worlds: summary.worlds.join(', '),
  }
  const records = world.journal.records.slice(-maxRows).reverse()
  const requestRows = records.map((record) => {
    const { id, time, method, status, outcome } = record.entry()
    const link = html`<a href="${home}/requests?since=${id - 1}">${record.request.url}</a>`
    return [time.slice(11, 19), method, link, outcome === 'answered' ? (status ?? '') : outcome]
  })
  return html`<p><a href="${home}/api">Try the interfaces</a> · <a href="${home}/openapi.json">OpenAPI</a></p>
    ${table(Object.entries(facts))}
    ${button(`${home}/scenarios/${allWell}`, 'End the scenario and all faults')}
    ${button(`${home}/reset`, 'Reset to the seed data')}
    <h2>Requests, newest first</h2>
    ${table(requestRows)}
    <h2>Scenarios</h2>
    <form action="${home}">
      <input name="find" list="names" value="${wanted}" placeholder="such as login or certificate" />
      <button>Find</button>
      <datalist id="names">${scenarios.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
    </form>
    ${table(findScenarios(wanted).map(({ name, sentence }) => [button(`${home}/scenarios/${name}`, name), sentence]))}`
}

/** Returns the scenarios with all of these words; none without a word. */
function findScenarios(wanted: string): readonly Scenario[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  return scenarios.filter(({ name, sentence }) => {
    const text = `${name} ${sentence}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
