import { expect, it } from 'vitest'
import { withScores } from '../mutants'
import { includedIn } from './judge-process'
import { diffOf, mutated, shuffled, type Mutant } from './mutant'

const source = 'const a = 1\nif (a <\n  2) b()\nc()\n'
const boundary: Mutant = { path: 'a.ts', source, start: 18, end: 19, text: '<=' }

it('shows the changed lines with the place', () => {
  expect(mutated(boundary)).toBe('const a = 1\nif (a <=\n  2) b()\nc()\n')
  expect(diffOf(boundary)).toBe('a.ts:2\n- if (a <\n+ if (a <=')
  const condition = { ...boundary, start: 16, end: 23, text: '!(a)' }
  expect(diffOf(condition)).toBe('a.ts:2\n- if (a <\n-   2) b()\n+ if (!(a)) b()')
})

it('has an order for each seed, in which other files change nothing', () => {
  const mutants = Array.from({ length: 20 }, (_, at) => ({ ...boundary, text: String(at) }))
  const order = shuffled(mutants, 1)
  expect(shuffled(mutants.toReversed(), 1)).toEqual(order)
  expect(shuffled(mutants, 2)).not.toEqual(order)
  const others = mutants.map((mutant) => ({ ...mutant, path: 'b.ts' }))
  expect(shuffled([...others, ...mutants], 1).filter(({ path }) => path === 'a.ts')).toEqual(order)
})

it('replaces the rows of what was tried', () => {
  const page = (...rows: string[]) =>
    [
      'Before\n\n<!-- mutants -->\n',
      '| Folder | Mutants | Tried | Killed | Score | Day |',
      '| - | -: | -: | -: | -: | - |',
      ...rows,
      '\n<!-- /mutants -->\n\nAfter\n',
    ].join('\n')
  const [portal, store] = ['main/portal', 'renderer/store'].map(
    (room) => `| \`${room}\` | 9 | 8 | 7 | 87 % | 2026-11-20 |`,
  )
  const helper = '| `helper` | 9 | 8 | 8 | 100 % | 2026-11-21 |'
  expect(withScores(page(portal ?? '', store ?? ''), new Map([['helper', helper]]))).toBe(
    page(portal ?? '', store ?? '', helper),
  )
  const better = '| `main/portal` | 9 | 8 | 8 | 100 % | 2026-11-21 |'
  expect(withScores(page(portal ?? '', helper), new Map([['main/portal', better]]))).toBe(
    page(better, helper),
  )
})

it('lets each project run only its own files', () => {
  const only = ['main/portal', 'main/a.test.ts', 'main/b.isolated.test.ts', 'renderer/c.test.tsx']
  expect(includedIn('node', only)).toEqual(['main/portal/**/*.test.ts', 'main/a.test.ts'])
  expect(includedIn('isolated', only)).toEqual([
    'main/portal/**/*.isolated.test.ts',
    'main/b.isolated.test.ts',
  ])
  expect(includedIn('renderer', only)).toEqual(['main/portal/**/*.test.tsx', 'renderer/c.test.tsx'])
})
