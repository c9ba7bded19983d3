import { html, type Html } from '../../http/html'
import type { ActiveFault, Fault } from '../faults'
import type { JournalEntry } from '../journal'
import { allWell } from '../scenario'

/** Parts of the page that change while it is open. The script replaces them by their ids. */
export interface PageState {
  scenario: string
  now: Date
  /** Milliseconds by which the mock's clock is ahead of its base. */
  offsetMs: number
  faults: readonly ActiveFault[]
  /** Newest first. */
  requests: readonly JournalEntry[]
}

const hourMs = 3_600_000
/** Characters of a body that the page shows; `GET /_mock/requests` returns more. */
const mostShown = 8192

/** Returns the name of the active scenario. */
export function situation({ scenario }: PageState): Html {
  return scenario === allWell
    ? html`<p id="situation" data-scenario="${scenario}">All well</p>`
    : html`<p id="situation" data-scenario="${scenario}" class="wrong">${scenario}</p>`
}

function ahead(offsetMs: number): string {
  const hours = Math.abs(offsetMs) / hourMs
  const [amount, unit] =
    hours >= 48 ? [hours / 24, 'days'] : hours >= 2 ? [hours, 'hours'] : [hours * 60, 'minutes']
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit} ${offsetMs > 0 ? 'ahead' : 'behind'}`
}

/** Returns the time by the mock's clock. */
export function clock({ now, offsetMs }: PageState): Html {
  const time = now.toISOString()
  return html`<p id="clock">
    <time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time>
    <span class="quiet">${Math.abs(offsetMs) < 5000 ? '' : ahead(offsetMs)}</span>
  </p>`
}

function effect(fault: Fault): string {
  if ('delayMs' in fault) return `delayed by ${fault.delayMs} ms`
  if ('slowBodyMs' in fault) return `sent over ${fault.slowBodyMs} ms`
  if ('reset' in fault) {
    return fault.afterBytes === undefined ? 'reset' : `reset after ${fault.afterBytes} bytes of the request`
  }
  if ('truncate' in fault) return 'truncated'
  if ('malformed' in fault) return 'malformed'
  const parts = [
    ...(fault.status === undefined ? [] : [String(fault.status)]),
    ...(fault.headers === undefined ? [] : [`headers ${Object.keys(fault.headers).join(', ')}`]),
    ...(fault.body === undefined ? [] : ['another body']),
  ]
  return parts.join(', ')
}

function faultText({ match: { method, path, ...others }, every, times, fault }: ActiveFault): string {
  const conditions = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`
  const often = [
    ...(every === undefined || every === 1 ? [] : [`1 of every ${every} requests`]),
    ...(times === undefined ? [] : [`${times} more`]),
  ]
  const target = `${method?.toUpperCase() ?? 'any'} ${path ?? '*'}${conditions}`
  return [`${target} → ${effect(fault)}`, ...often].join(', ')
}

/** Returns the active faults, each with a button that clears it. */
export function faultList({ faults }: PageState): Html {
  const items = faults.map((fault) => {
    const text = faultText(fault)
    return html`<li>
      <span class="mono">${text}</span>
      <button
        type="button"
        aria-label="Clear ${text}"
        data-call="DELETE /faults/${fault.id}"
        data-done="The fault is cleared."
      >
        Clear
      </button>
    </li>`
  })
  return html`<ul id="faults">
    ${items}
  </ul>`
}

function statusClass({ outcome, status }: JournalEntry): string {
  if (outcome === 'broken-off' || (status ?? 0) >= 500) return 'failed'
  if ((status ?? 0) >= 400) return 'refused'
  return (status ?? 0) >= 300 ? 'moved' : 'good'
}

function table(values: Record<string, string | string[]>): Html {
  const rows = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map(
      (one) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${one}</td>
        </tr>`,
    ),
  )
  return html`<table>
    ${rows}
  </table>`
}

function bodyOf({ body, bodyBytes }: JournalEntry): Html {
  if (body === null) {
    return html`<p class="quiet">
      ${bodyBytes === 0 ? 'None' : `Not kept: ${bodyBytes ?? 'unknown'} bytes`}
    </p>`
  }
  const shown = body.slice(0, mostShown)
  const bytes = Buffer.byteLength(shown)
  const note =
    bodyBytes !== null && bodyBytes > bytes ? `The first ${bytes} of ${bodyBytes} bytes` : `${bytes} bytes`
  return html`<p class="quiet">${note}</p>
    <pre>${shown}</pre>`
}

/** Returns a row for each request, which opens to show its headers and body. */
export function requestRows({ requests }: PageState): Html[] {
  return requests.map((entry) => {
    const { id, time, method, path, query, headers, status, durationMs, outcome } = entry
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
    const queryTable =
      search === ''
        ? ''
        : html`<h3>Query</h3>
            ${table(query)}`
    const mark = outcome === 'broken-off' ? '✕' : outcome === 'open' ? '…' : ''
    return html`<details id="request-${id}" data-outcome="${outcome}">
      <summary>
        <span class="time">${time.slice(11, 19)}</span><span>${method}</span
        ><span class="path">${path}${search}</span
        ><span class="status ${statusClass(entry)}">${status ?? ''}${mark}</span
        ><span class="duration">${durationMs === null ? '' : `${durationMs} ms`}</span>
      </summary>
      ${queryTable}
      <h3>Headers</h3>
      ${table(headers)}
      <h3>Body</h3>
      ${bodyOf(entry)}
    </details>`
  })
}
