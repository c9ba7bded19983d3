import { html, type Html } from '../../http/html'
import { allWell } from '../scenario'
import type { scenariosOf } from '../scenarios'
import type { Summary } from '../summary'
import { clock, faultList, requestRows, situation, type PageState } from './state'

type Scenario = ReturnType<typeof scenariosOf>[number]

const titles: Record<Scenario['part'], string> = {
  general: 'Everything',
  vpn: 'VPN instance',
  discovery: 'Discovery server',
  attachments: 'Attachments',
  content: 'Content',
  organizations: 'Organizations',
}

const hour = 3600
const moves = [
  ['+1 hour', { advanceSeconds: hour }],
  ['+1 day', { advanceSeconds: 24 * hour }],
  ['+90 days', { advanceSeconds: 90 * 24 * hour }],
  // The script inserts the time of the browser.
  ['Back to now', { now: 'NOW' }],
] as const

function optionText([name, value]: [string, unknown]): string {
  return value === true ? name : `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

function overview({ origin, discovery, tunnel, profiles, options }: Summary): Html[] {
  const addresses = [
    ['VPN instance', `${origin}/`],
    ['Discovery server', discovery.url],
    ['Discovery key', discovery.key],
    ['Attachments', `${origin}/v2.0.0`],
    ['Content', origin],
    ['Organizations', origin],
  ] as const
  const given = Object.entries(options).filter(([, value]) => value !== false)
  const facts = [
    ['Tunnel', tunnel.mode],
    ['Profiles', profiles.slice(0, 20).join(', ')],
    ['Options', given.map(optionText).join(' · ')],
  ] as const
  return [
    ...addresses.map(
      ([name, address]) =>
        html`<dt>${name}</dt>
          <dd>
            <span class="mono">${address}</span>
            <button type="button" aria-label="Copy: ${name}" data-copy="${address}">Copy</button>
          </dd>`,
    ),
    ...facts.map(
      ([name, fact]) =>
        html`<dt>${name}</dt>
          <dd>${fact}</dd>`,
    ),
  ]
}

function scenarioButton({ name, sentence }: Scenario, active: string): Html {
  const done = name === allWell ? 'All is well.' : `In force: ${name}`
  return html`<button
    type="button"
    class="scenario"
    aria-pressed="${String(name === active)}"
    data-call="POST /scenarios/${name}"
    data-scenario="${name}"
    data-done="${done}"
  >
    <strong>${name}</strong> <span>${sentence}</span>
  </button>`
}

/** Returns the control page of the mock. */
export function controlPage(
  base: string,
  summary: Summary,
  scenarios: readonly Scenario[],
  state: PageState,
): string {
  const parts = [...new Set(scenarios.map(({ part }) => part))]
  const groups = parts.map((part) => {
    const buttons = scenarios.filter((one) => one.part === part)
    return html`<div class="group">
      <h3>${titles[part]}</h3>
      <div class="scenarios">${buttons.map((one) => scenarioButton(one, state.scenario))}</div>
    </div>`
  })
  const moveButtons = moves.map(
    ([name, change]) =>
      html`<button
        type="button"
        data-call="POST /clock"
        data-body="${JSON.stringify(change)}"
        data-done="Clock: ${name}"
      >
        ${name}
      </button>`,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Causeway mock server</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${base}/page/page.css" />
        <script type="module" src="${base}/page/page.js"></script>
      </head>
      <body data-base="${base}">
        <header>
          <h1>Mock server</h1>
          ${situation(state)}
          <nav aria-label="Documents">
            <a href="${base}/api">Try the interfaces</a>
            <a href="${base}/openapi.json">OpenAPI</a>
          </nav>
          <button
            type="button"
            class="primary"
            data-call="POST /scenarios/${allWell}"
            data-done="All is well."
          >
            All well
          </button>
          <button
            type="button"
            data-call="POST /reset"
            data-confirm="Go back to the seed data? This deletes logins, certificates, uploads and requests."
            data-done="Everything is as it was at the start."
          >
            Reset
          </button>
        </header>
        <p id="message" role="status"></p>
        <noscript
          ><p>
            The buttons need JavaScript. Everything works with requests, too: see
            <a href="${base}/api">the interfaces</a>.
          </p></noscript
        >
        <main>
          <div>
            <section aria-labelledby="overview-title">
              <h2 id="overview-title">Addresses</h2>
              <dl>${overview(summary)}</dl>
            </section>
            <section aria-labelledby="clock-title">
              <h2 id="clock-title">Clock</h2>
              ${clock(state)}
              <div class="row">${moveButtons}</div>
              <p class="quiet">
                Tokens, codes, certificates and pre-signed URLs expire by it. OpenVPN doesn't know it.
              </p>
            </section>
            <section aria-labelledby="faults-title">
              <h2 id="faults-title">Active faults</h2>
              ${faultList(state)}
              <p class="quiet">None. <code>POST ${base}/faults</code> adds one.</p>
            </section>
          </div>
          <div>
            <section aria-labelledby="requests-title">
              <div class="row">
                <h2 id="requests-title">Requests</h2>
                <input
                  type="search"
                  placeholder="Filter"
                  aria-label="Filter requests"
                  data-filter="#requests details"
                />
                <button type="button" id="pause" aria-pressed="false">Pause</button>
                <button type="button" data-call="DELETE /requests" data-done="The journal is empty.">
                  Clear
                </button>
              </div>
              <div id="requests">${requestRows(state)}</div>
              <p class="quiet">No requests yet. They appear here when they are answered.</p>
            </section>
            <section aria-labelledby="scenarios-title">
              <div class="row">
                <h2 id="scenarios-title">Scenarios</h2>
                <input
                  type="search"
                  placeholder="Filter"
                  aria-label="Filter scenarios"
                  data-filter=".scenario"
                />
              </div>
              <p class="quiet">One is active at a time. The mock never forgets what clients did.</p>
              ${groups}
            </section>
          </div>
        </main>
      </body>
    </html> `.text
}

/** Returns the parts of the page that changed, and the rows of these requests. */
export function stateFragment(state: PageState): string {
  return html`${situation(state)}${clock(state)}${faultList(state)}
    <div>${requestRows(state)}</div>`.text
}
