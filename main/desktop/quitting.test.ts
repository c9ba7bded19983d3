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
      // As Electron, which asks again whether it may.
      if (!quitting.holdsBack()) quits += 1
    },
    onDefect: (error) => defects.push(error),
  })
})

async function answered(quit: boolean): Promise<void> {
  asked.at(-1)?.answer(quit)
  await new Promise(setImmediate)
}

it('nobody is asked who has nothing on its way', () => {
  underWay = 0
  expect(quitting.asksFirst).toBe(false)
  expect(quitting.holdsBack()).toBe(false)
  expect(asked).toEqual([])
})

it('who keeps the files going keeps them, and is asked again the next time', async () => {
  expect(quitting.holdsBack()).toBe(true)
  expect(asked.map(({ count }) => count)).toEqual([2])
  await answered(false)
  expect(quits).toBe(0)
  underWay = 1
  expect(quitting.holdsBack()).toBe(true)
  expect(asked.map(({ count }) => count)).toEqual([2, 1])
})

it('who quits anyway is asked once, however often they ask for it meanwhile', async () => {
  expect(quitting.holdsBack()).toBe(true)
  expect(quitting.holdsBack()).toBe(true)
  await answered(true)
  expect(quits).toBe(1)
  expect(asked).toHaveLength(1)
  expect(quitting.asksFirst).toBe(false)
})

it('the end of the session waits for no answer, whether it was asked before or not', async () => {
  quitting.holdsBack()
  quitting.sessionEnds()
  expect(asked[0]?.signal.aborted).toBe(true)
  // What a dialog gives that was taken away.
  await answered(false)
  expect(quits).toBe(1)
  expect(quitting.holdsBack()).toBe(false)
})

it('a question that cannot be shown keeps nobody from quitting', async () => {
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
