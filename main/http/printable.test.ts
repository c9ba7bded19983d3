import { expect, it } from 'vitest'

import { printable } from './printable'

it('keeps a server from writing over the terminal or over other lines', () => {
  expect(printable('no\u001b[2J\r\nway\u202e!')).toBe('no [2J way !')
})

it('keeps a server from filling the screen', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…')
  expect(printable('🔒'.repeat(50), 3)).toBe('🔒🔒…')
})

it('leaves plain text as it is', () => {
  expect(printable(' profile not available – être ')).toBe('profile not available – être')
})
