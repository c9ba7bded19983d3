import type { JournalEntry } from '../../journal'
import { call, doAndSay } from './control'
import { byId, element } from './dom'

/** More rows make the page slow; the journal itself holds more. */
const mostRows = 500

let entries: JournalEntry[] = []
/** What came while the list was paused. */
let waiting: JournalEntry[] = []
let isPaused = false

function statusClass(entry: JournalEntry): string {
  if (entry.outcome === 'broken-off' || entry.status === null || entry.status >= 500) return 'failed'
  if (entry.status >= 400) return 'refused'
  return entry.status >= 300 ? 'moved' : 'good'
}

function statusText(entry: JournalEntry): string {
  const status = entry.status === null ? '' : String(entry.status)
  return entry.outcome === 'broken-off' ? `${status}✕` : status || '…'
}

function table(values: Record<string, string | string[]>): HTMLTableElement {
  return element(
    'table',
    {},
    ...Object.entries(values).flatMap(([name, value]) =>
      [value].flat().map((one) => element('tr', {}, element('th', {}, name), element('td', {}, one))),
    ),
  )
}

function bodyNote({ body, bodyBytes }: JournalEntry): string {
  if (body === null)
    return bodyBytes === 0 ? 'None.' : `Not kept${bodyBytes === null ? '' : `: ${bodyBytes} bytes`}.`
  const shown = new TextEncoder().encode(body).length
  return bodyBytes !== null && bodyBytes > shown
    ? `The first ${shown} of ${bodyBytes} bytes.`
    : `${shown} bytes.`
}

function inside(entry: JournalEntry): Node[] {
  const parts: Node[] = []
  if (Object.keys(entry.query).length > 0) parts.push(element('h3', {}, 'Query'), table(entry.query))
  parts.push(element('h3', {}, 'Headers'), table(entry.headers))
  parts.push(element('h3', {}, 'Body'), element('p', { class: 'quiet' }, bodyNote(entry)))
  if (entry.body !== null && entry.body !== '') parts.push(element('pre', {}, entry.body))
  return parts
}

function row(entry: JournalEntry): HTMLDetailsElement {
  const query = new URLSearchParams(
    Object.entries(entry.query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString()
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: 'time' }, entry.time.slice(11, 19)),
      element('span', {}, entry.method),
      element('span', { class: 'path' }, query === '' ? entry.path : `${entry.path}?${query}`),
      element('span', { class: `status ${statusClass(entry)}` }, statusText(entry)),
      element('span', { class: 'duration' }, entry.durationMs === null ? '' : `${entry.durationMs} ms`),
    ),
  )
  details.addEventListener(
    'toggle',
    () => {
      details.append(element('div', { class: 'inside' }, ...inside(entry)))
    },
    { once: true },
  )
  return details
}

function isWanted(entry: JournalEntry): boolean {
  const words = byId('journal-filter', HTMLInputElement).value.toLowerCase().split(/\s+/)
  const text = `${entry.method} ${entry.path} ${entry.status ?? ''} ${entry.body ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function showCount(): void {
  const count = `${entries.length}${entries.length === mostRows ? ' newest' : ''}`
  byId('journal-count', HTMLSpanElement).textContent = isPaused
    ? `${count}, ${waiting.length} waiting`
    : count
  byId('no-requests', HTMLParagraphElement).hidden = entries.length > 0
}

function show(): void {
  byId('journal', HTMLDivElement).replaceChildren(...entries.filter(isWanted).map(row))
  showCount()
}

/** Shows the journal, given newest last, in place of what was there. */
export function showJournal(newestLast: JournalEntry[]): void {
  entries = newestLast.toReversed().slice(0, mostRows)
  waiting = []
  show()
}

/** Shows one more request on top, or keeps it back while the list is paused. */
export function addRequest(entry: JournalEntry): void {
  if (isPaused) {
    waiting = [...waiting.slice(-(mostRows - 1)), entry]
    showCount()
    return
  }
  entries = [entry, ...entries.slice(0, mostRows - 1)]
  const list = byId('journal', HTMLDivElement)
  if (isWanted(entry)) list.prepend(row(entry))
  while (list.childElementCount > mostRows) list.lastElementChild?.remove()
  showCount()
}

/** Listens to filter, pause and clear. */
export function startJournal(): void {
  byId('journal-filter', HTMLInputElement).addEventListener('input', show)
  const pause = byId('journal-pause', HTMLButtonElement)
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    const kept = waiting
    waiting = []
    for (const entry of isPaused ? [] : kept) addRequest(entry)
    showCount()
  })
  byId('journal-clear', HTMLButtonElement).addEventListener('click', () => {
    doAndSay(call('DELETE', '/requests'), 'The journal is empty.')
  })
}
