import { expect, it } from 'vitest'
import { mutantsOf } from './mutants'

it.each([
  ['if (a) b()', ['if (!(a)) b()', 'if (a) ;']],
  ['const x = a <= 1', ['const x = a < 1']],
  ['const x = a && (b)', ['const x = a || (b)']],
  ['const x = a ? true : c', ['const x = !(a) ? true : c', 'const x = a ? false : c']],
  ['await save()', [';']],
  ['const x = a as string', []],
])('changes %s', (source, expected) => {
  const changed = mutantsOf('a.ts', source).map(
    ({ start, end, text }) => source.slice(0, start) + text + source.slice(end),
  )
  expect(changed.toSorted()).toEqual(expected.toSorted())
})
