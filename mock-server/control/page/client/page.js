/** @file Script of the control page. The server renders everything; data attributes tell what buttons and filters do. */

const base = document.body.dataset.base ?? ''
const mostRows = 200
const refreshMs = 5000

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

/** Shows a message in the live region. @param {string} text */
function say(text, isBad = false) {
  const region = byId('message')
  region.textContent = text
  region.classList.toggle('bad', isBad)
}

/** @param {unknown} error */
function sayError(error) {
  say(error instanceof Error ? error.message : String(error), true)
}

/**
 * Sends a request to the mock. Throws an Error with a sentence if it is refused or there is no answer.
 *
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init) {
  const response = await fetch(`${base}${path}`, init).catch(() => {
    throw new Error("The mock server doesn't answer. Is it still running?")
  })
  if (response.ok) return response
  /** @type {unknown} */
  const answer = await response.json()
  const isRefusal = typeof answer === 'object' && answer !== null && 'error' in answer
  throw new Error(isRefusal ? String(answer.error) : `The mock server answered ${response.status}.`)
}

/** Makes the control call of a button, such as `POST /reset`. @param {DOMStringMap} data */
async function call({ call = '', body, confirm: question, done = '' }) {
  if (question !== undefined && !confirm(question)) return
  const [method = '', path = ''] = call.split(' ')
  const json = body?.replace('NOW', new Date().toISOString())
  const headers = { 'content-type': 'application/json' }
  await ask(path, json === undefined ? { method } : { method, headers, body: json })
  say(done)
  await refresh()
}

/** @param {string} text */
async function copy(text) {
  await navigator.clipboard.writeText(text).catch(() => {
    throw new Error("The browser doesn't let this page copy.")
  })
  say(`Copied ${text}`)
}

let isPaused = false
let isRefreshing = false
let isStale = false

/** Shows what has changed since the last time. */
async function refresh() {
  isStale = true
  if (isRefreshing) return
  isRefreshing = true
  try {
    while (isStale) {
      isStale = false
      const response = await ask(`/page/state?since=${lastComplete()}`)
      const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
      for (const fresh of body.querySelectorAll(':scope > [id]')) {
        if (!byId(fresh.id).isEqualNode(fresh)) byId(fresh.id).replaceWith(fresh)
      }
      const { scenario } = byId('situation').dataset
      for (const button of document.querySelectorAll('.scenario')) {
        const isActive = button instanceof HTMLElement && button.dataset.scenario === scenario
        button.setAttribute('aria-pressed', String(isActive))
      }
      if (!isPaused) showRows([...body.querySelectorAll('details')])
    }
  } finally {
    isRefreshing = false
  }
}

/** Returns the id of the newest request before which all others have ended. */
function lastComplete() {
  const rows = [...document.querySelectorAll('#requests details')]
  const open = rows.findLast((row) => row.matches('[data-outcome="open"]'))
  const newest = Number(rows[0]?.id.slice('request-'.length) ?? 0)
  return open === undefined ? newest : Number(open.id.slice('request-'.length)) - 1
}

/** Adds rows on top or in the place of their former selves. @param {HTMLDetailsElement[]} newestFirst */
function showRows(newestFirst) {
  const list = byId('requests')
  for (const row of newestFirst.reverse()) {
    const before = document.getElementById(row.id)
    if (before instanceof HTMLDetailsElement) {
      row.open = before.open
      before.replaceWith(row)
    } else {
      list.prepend(row)
    }
  }
  while (list.childElementCount > mostRows) list.lastElementChild?.remove()
  filterAll()
}

/** Hides the elements that don't contain all words of their filter. */
function filterAll() {
  for (const input of document.querySelectorAll('input')) {
    const words = input.value.toLowerCase().split(/\s+/)
    for (const element of document.querySelectorAll(input.dataset.filter ?? '')) {
      const text = element.textContent.toLowerCase()
      element.toggleAttribute('hidden', !words.every((word) => text.includes(word)))
    }
  }
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (button === null) return
  const { dataset } = button
  if (dataset.call !== undefined) call(dataset).catch(sayError)
  if (dataset.copy !== undefined) copy(dataset.copy).catch(sayError)
  if (button.id === 'pause') {
    isPaused = !isPaused
    button.setAttribute('aria-pressed', String(isPaused))
    refresh().catch(sayError)
  }
})
document.addEventListener('input', filterAll)

const events = new EventSource(`${base}/events`)
for (const name of ['request', 'faults', 'clock', 'scenario']) {
  events.addEventListener(name, () => {
    refresh().catch(sayError)
  })
}
events.addEventListener('journal', () => {
  byId('requests').replaceChildren()
})
let wasLost = false
events.addEventListener('open', () => {
  // The ids of requests start again with the mock server.
  if (wasLost) location.reload()
})
events.addEventListener('error', () => {
  wasLost = true
  say("The mock server doesn't answer; trying again.", true)
})
setInterval(() => {
  if (!document.hidden && !wasLost) refresh().catch(sayError)
}, refreshMs)
