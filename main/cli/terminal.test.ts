import { expect, it } from 'vitest'
import { table } from './terminal'

it('sets a table in columns, and ends no line with spaces', () => {
  const rows = [
    ['a', 'first'],
    ['longer', ''],
  ]
  expect(table(['ID', 'TITLE'], rows)).toBe('ID      TITLE\na       first\nlonger')
})

it('takes control characters out of a table', () => {
  expect(table(['ID'], [['\u001b[31mred']])).toBe('ID\n[31mred')
})
