import { expect, it } from 'vitest'
import { table } from './terminal'

it('aligns the columns of a table, without trailing spaces', () => {
  const rows = [
    ['a', 'first'],
    ['longer', ''],
  ]
  expect(table(['ID', 'TITLE'], rows)).toBe('ID      TITLE\na       first\nlonger')
})

it('prints a table without a header', () => {
  expect(
    table(
      [],
      [
        ['Instance', 'vpn.example.org'],
        ['Key', 'x'],
      ],
    ),
  ).toBe('Instance  vpn.example.org\nKey       x')
})

it('removes control characters from a table', () => {
  expect(table(['ID'], [['\u001b[31mred']])).toBe('ID\n[31mred')
})

it('prints each line of a cell below the other, as wide as the widest', () => {
  const rows = [
    ['a', 'first\nsecond line', 'x'],
    ['b', '東京', 'y'],
  ]
  expect(table(['ID', 'TEXT', 'C'], rows)).toBe(
    ['ID  TEXT         C', 'a   first        x', '    second line', 'b   東京         y'].join('\n'),
  )
})

it('has as many rows as a service has users', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [String(at), 'tester'])
  expect(table(['USER', 'LOGIN'], rows).endsWith('\n199999  tester')).toBe(true)
})
