import { expect, it } from 'vitest'
import { mutated } from './mutant'
import { typescriptMutants } from './typescript-mutants'

it.each([
  ['if (a) b()', ['if (!(a)) b()', 'if (a) ;']],
  ['const x = a <= 1', ['const x = a < 1']],
  ['const x = a && (b)', ['const x = a || (b)']],
  ['const x = a ? true : c', ['const x = !(a) ? true : c', 'const x = a ? false : c']],
  ['await save()', [';']],
  ['const x = a as string', []],
  ['let x: true', []],
])('changes %s', (source, expected) => {
  const changed = typescriptMutants('a.ts', source).map(mutated)
  expect(changed.toSorted()).toEqual(expected.toSorted())
})
