import { expect, it } from 'vitest'
import { Liveness } from './liveness'

it('takes data that is not answered for so long for the end of a tunnel', () => {
  const liveness = new Liveness({ now: 0, handed: 0, answered: 0 })
  const add = (now: number, handed: number, answered: number) =>
    liveness.add({ now, handed, answered }, 10_000)
  expect(add(5000, 0, 0)).toBe('quiet')
  expect(add(10_000, 4, 9)).toBe('answered')
  expect(add(15_000, 5, 9)).toBe('doubtful')
  // Nothing more was handed over, and the first packet still has no answer.
  expect(add(20_000, 5, 9)).toBe('dead')
  expect(add(25_000, 5, 10)).toBe('answered')
  expect(add(30_000, 5, 10)).toBe('quiet')
  // After a pause, it counts from when it was seen.
  expect(add(35_000, 6, 10)).toBe('doubtful')
  expect(add(40_000, 7, 10)).toBe('doubtful')
  expect(add(45_000, 7, 10)).toBe('dead')
})

it('counts from when the clock was set back', () => {
  const liveness = new Liveness({ now: 3_595_000, handed: 0, answered: 0 })
  const add = (now: number) => liveness.add({ now, handed: 1, answered: 0 }, 10_000)
  expect(add(3_600_000)).toBe('doubtful')
  expect([add(5000), add(10_000), add(15_000)]).toEqual(['doubtful', 'doubtful', 'dead'])
})

it('forgets what was handed over on another network', () => {
  const liveness = new Liveness({ now: 0, handed: 0, answered: 0 })
  expect(liveness.add({ now: 5000, handed: 1, answered: 0 }, 10_000)).toBe('doubtful')
  liveness.reset()
  expect(liveness.add({ now: 20_000, handed: 1, answered: 0 }, 10_000)).toBe('quiet')
})
