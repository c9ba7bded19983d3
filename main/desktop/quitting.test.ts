import { beforeEach, expect, it } from 'vitest'
import { Quitting } from './quitting'

let underWay: number
let quits: number
let defects: unknown[]
let asked: {
  readonly count: number
  readonly signal: AbortSignal
  readonly answer: (quit: boolean) => void
}[]
let quitting: Quitting

beforeEach(() => {
  underWay = 2
  quits = 0
  defects = []
  asked = []
  quitting = new Quitting({
    underWay: () => underWay,
    ask: (count, signal) => new Promise((answer) => asked.push({ count, signal, answer })),
    quit: () => {
      // Electron also sends `before-quit` again.
      if (!quitting.holdsBack()) quits += 1
    },
    onDefect: (error) => defects.push(error),
  })
})

async function answered(quit: boolean): Promise<void> {
  asked.at(-1)?.answer(quit)
  await new Promise(setImmediate)
}

it('does not ask without transfers', () => {
  underWay = 0
  expect(quitting.asksFirst).toBe(false)
  expect(quitting.holdsBack()).toBe(false)
  expect(asked).toEqual([])
})

it('stays open if the user keeps the transfers, and asks again the next time', async () => {
  expect(quitting.holdsBack()).toBe(true)
  expect(asked.map(({ count }) => count)).toEqual([2])
  await answered(false)
  expect(quits).toBe(0)
  underWay = 1
  expect(quitting.holdsBack()).toBe(true)
  expect(asked.map(({ count }) => count)).toEqual([2, 1])
})

it('asks once for several requests to quit', async () => {
  expect(quitting.holdsBack()).toBe(true)
  expect(quitting.holdsBack()).toBe(true)
  await answered(true)
  expect(quits).toBe(1)
  expect(asked).toHaveLength(1)
  expect(quitting.asksFirst).toBe(false)
})

it('quits without an answer at the end of the session', async () => {
  quitting.holdsBack()
  quitting.sessionEnds()
  expect(asked[0]?.signal.aborted).toBe(true)
  // The answer of a closed dialog.
  await answered(false)
  expect(quits).toBe(1)
  expect(quitting.holdsBack()).toBe(false)
})

it('quits if the question cannot be shown', async () => {
  const broken = new Quitting({
    underWay: () => 1,
    ask: () => Promise.reject(new Error('no display')),
    quit: () => {
      quits += 1
    },
    onDefect: (error) => defects.push(error),
  })
  expect(broken.holdsBack()).toBe(true)
  await new Promise(setImmediate)
  expect(quits).toBe(1)
  expect(defects).toHaveLength(1)
})

it('asks before an update, which then quits without a further question', async () => {
  const first = quitting.agrees()
  expect(await quitting.agrees()).toBe(false)
  await answered(false)
  expect(await first).toBe(false)
  const second = quitting.agrees()
  await answered(true)
  expect(await second).toBe(true)
  expect([quits, quitting.asksFirst]).toEqual([0, true])
  quitting.quitAsAgreed()
  expect([quits, asked.length]).toEqual([1, 2])
})

it('installs no update at the end of the session', async () => {
  const agreed = quitting.agrees()
  quitting.sessionEnds()
  await answered(true)
  expect(await agreed).toBe(false)
  expect(await quitting.agrees()).toBe(false)
})
