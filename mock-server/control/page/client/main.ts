import type { FaultInForce } from '../../faults'
import type { JournalEntry } from '../../journal'
import type { Summary } from '../../summary'
import { showClock, startClock } from './clock'
import { call, doAndSay, events, say } from './control'
import { byId } from './dom'
import { showFaults } from './faults'
import { addRequest, showJournal, startJournal } from './journal'
import { showOverview } from './overview'
import { showInForce, showScenarios, startScenarios, type ListedScenario } from './scenarios'

const sureMs = 4000
const shownRequests = 500

/** Asks the mock for everything. It is the one that serves this page, so its answers are what its documents say. */
async function load(): Promise<void> {
  const [summary, scenarios, faults, requests] = await Promise.all([
    call('GET', '') as Promise<Summary>,
    call('GET', '/scenarios') as Promise<ListedScenario[]>,
    call('GET', '/faults') as Promise<FaultInForce[]>,
    call('GET', `/requests?limit=${shownRequests}`) as Promise<JournalEntry[]>,
  ])
  showOverview(summary)
  showClock(summary.now)
  showScenarios(scenarios)
  showInForce(summary.scenario)
  showFaults(faults)
  showJournal(requests)
}

function reload(): void {
  load().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error), true)
  })
}

/** A first click asks, a second one within a few seconds does it. */
function startReset(): void {
  const button = byId('reset', HTMLButtonElement)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (isAsking: boolean) => {
    button.classList.toggle('sure', isAsking)
    button.textContent = isAsking ? 'Forget everything?' : 'Reset'
    clearTimeout(timer)
    timer = isAsking
      ? setTimeout(() => {
          ask(false)
        }, sureMs)
      : undefined
  }
  button.addEventListener('click', () => {
    if (timer === undefined) {
      ask(true)
      say('Click again to go back to the seed: logins, certificates, uploads and requests will be gone.')
      return
    }
    ask(false)
    doAndSay(call('POST', '/reset').then(load), 'Everything is as it was at the start.')
  })
}

/** What the events carry. */
interface Events {
  request: JournalEntry
  journal: unknown
  faults: FaultInForce[]
  clock: { now: string }
  scenario: { name: string }
}

function listen(): void {
  const feed = events()
  const on = <N extends keyof Events>(name: N, show: (data: Events[N]) => void) => {
    feed.addEventListener(name, (event: MessageEvent<string>) => {
      show(JSON.parse(event.data) as Events[N])
    })
  }
  on('request', addRequest)
  on('journal', () => {
    showJournal([])
  })
  on('faults', showFaults)
  on('clock', ({ now }) => {
    showClock(now)
  })
  on('scenario', ({ name }) => {
    showInForce(name)
  })
  let wasLost = false
  feed.addEventListener('open', () => {
    reload()
    if (wasLost) say('The mock server is there again.')
    wasLost = false
  })
  feed.addEventListener('error', () => {
    wasLost = true
    say('The mock server does not answer; trying again.', true)
  })
}

startClock()
startScenarios()
startJournal()
startReset()
listen()
