import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { evenParts, secondsOfFiles } from './even-parts'

const files = readdirSync('e2e').filter((name) => name.endsWith('.e2e.ts'))

it.each([1, 2, 3, 4])('puts each end-to-end file into exactly one of %d parts', (count) => {
  const parts = evenParts(files, count, {})
  expect(parts).toHaveLength(count)
  expect(parts.flat().sort()).toEqual(files.sort())
  expect(parts.map(({ length }) => length).sort()[0]).toBeGreaterThanOrEqual(Math.floor(files.length / count))
})

it('evens out the seconds that the files took before', () => {
  const report = (durations: { test: string; ms: number }[]) => ({ passed: 1, failed: 0, durations })
  const measured = secondsOfFiles([
    report([
      { test: 'slow.e2e.ts: opens', ms: 20_000 },
      { test: 'slow.e2e.ts: closes', ms: 10_000 },
    ]),
    report([
      { test: 'other.e2e.ts: opens: twice', ms: 15_000 },
      { test: 'quick.e2e.ts: opens', ms: 2000 },
    ]),
  ])
  expect(measured).toEqual({ 'slow.e2e.ts': 30, 'other.e2e.ts': 15, 'quick.e2e.ts': 2 })
  expect(evenParts(['new.e2e.ts', ...Object.keys(measured)], 2, measured)).toEqual([
    ['slow.e2e.ts', 'quick.e2e.ts'],
    ['new.e2e.ts', 'other.e2e.ts'],
  ])
})
