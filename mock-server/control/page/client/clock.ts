import { call, doAndSay } from './control'
import { byId, element } from './dom'

const second = 1000
const hour = 3600
const day = 24 * hour
const moves: [string, number][] = [
  ['+1 hour', hour],
  ['+1 day', day],
  ['+90 days', 90 * day],
]

/** By how much the clock of the mock is ahead of the browser's, in milliseconds. */
let aheadMs = 0

function aheadText(): string {
  const seconds = Math.round(aheadMs / second)
  const size = Math.abs(seconds)
  if (size < 5) return ''
  const [amount, unit] =
    size >= 2 * day
      ? [size / day, 'days']
      : size >= 2 * hour
        ? [size / hour, 'hours']
        : [size / 60, 'minutes']
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit} ${seconds > 0 ? 'ahead' : 'behind'}`
}

function tick(): void {
  const now = new Date(Date.now() + aheadMs)
  const shown = byId('now', HTMLTimeElement)
  shown.dateTime = now.toISOString()
  shown.textContent = `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  byId('ahead', HTMLSpanElement).textContent = aheadText()
}

/** Shows the time of the mock, which runs on as ours does. */
export function showClock(now: string): void {
  aheadMs = Date.parse(now) - Date.now()
  tick()
}

/** Makes the buttons that move the clock. */
export function startClock(): void {
  const move = (name: string, change: () => unknown) =>
    element(
      'button',
      {
        onclick: () => {
          doAndSay(call('POST', '/clock', change()), `Clock: ${name}`)
        },
      },
      name,
    )
  byId('clock-moves', HTMLDivElement).append(
    ...moves.map(([name, advanceSeconds]) => move(name, () => ({ advanceSeconds }))),
    move('Back to now', () => ({ now: new Date().toISOString() })),
  )
  setInterval(tick, second)
}
