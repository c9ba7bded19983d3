import { expect, it } from 'vitest'

import { printable } from '../../../contract/printable'
import { printableJson } from './printable'

it('removes characters that could rewrite the terminal or other lines', () => {
  expect(printable('no\u001b[2J\r\nway\u202e!')).toBe('no [2J way !')
})

it('limits the length', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…')
  expect(printable('🔒'.repeat(50), 3)).toBe('🔒🔒…')
})

it('escapes characters in JSON that could rewrite the terminal, and keeps the value', () => {
  const value = { 'a\u202eb': ['\u009b2J\u007f', '\u2028', '\u{e0041}', 'être 🔒'] }
  const line = printableJson(value)
  expect(line).toBe(String.raw`{"a\u202eb":["\u009b2J\u007f","\u2028","\udb40\udc41","être 🔒"]}`)
  expect(JSON.parse(line)).toEqual(value)
})

it('keeps plain text unchanged', () => {
  expect(printable(' profile not available – être ')).toBe('profile not available – être')
})
