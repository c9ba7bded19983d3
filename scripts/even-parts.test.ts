import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { evenParts } from './even-parts'

const files = readdirSync('e2e').filter((name) => name.endsWith('.e2e.ts'))

it.each([1, 2, 3, 4])('puts each end-to-end file into exactly one of %d parts', (count) => {
  const parts = evenParts(files, count)
  expect(parts).toHaveLength(count)
  expect(parts.flat().sort()).toEqual(files.sort())
})

it('puts the two slowest files into different parts', () => {
  const parts = evenParts(['a.e2e.ts', 'tray.e2e.ts', 'accessibility.e2e.ts'], 2)
  expect(parts).toEqual([['accessibility.e2e.ts'], ['tray.e2e.ts', 'a.e2e.ts']])
})
