import { expect, it } from 'vitest'

import { printable, printableJson } from './printable'

it('keeps a server from writing over the terminal or over other lines', () => {
  expect(printable('no\u001b[2J\r\nway\u202e!')).toBe('no [2J way !')
})

it('keeps a server from filling the screen', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…')
  expect(printable('🔒'.repeat(50), 3)).toBe('🔒🔒…')
})

it('escapes in JSON what could write over the terminal, and keeps the value', () => {
  const value = { 'a\u202eb': ['\u009b2J\u007f', '\u2028', '\u{e0041}', 'être 🔒'] }
  const line = printableJson(value)
  expect(line).toBe(String.raw`{"a\u202eb":["\u009b2J\u007f","\u2028","\udb40\udc41","être 🔒"]}`)
  expect(JSON.parse(line)).toEqual(value)
})

it('leaves plain text as it is', () => {
  expect(printable(' profile not available – être ')).toBe('profile not available – être')
})
