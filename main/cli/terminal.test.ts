import { expect, it } from 'vitest'
import { printable, table } from './terminal'

it('sets a table in columns, and ends no line with spaces', () => {
  const rows = [
    ['a', 'first'],
    ['longer', ''],
  ]
  expect(table(['ID', 'TITLE'], rows)).toBe('ID      TITLE\na       first\nlonger')
})

it('lets a server move no cursor, ring no bell and turn no text around', () => {
  expect(printable('a\u001b[2Jb\u0007c\u202Ed\u0000\r\ne')).toBe('a[2Jbcd\ne')
  expect(table(['ID'], [['\u001b[31mred']])).toBe('ID\n[31mred')
})
