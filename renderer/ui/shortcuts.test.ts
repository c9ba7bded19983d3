import { describe, expect, it } from 'vitest'
import { shortcutOf } from './shortcuts'

const pressed = (given: Partial<KeyboardEvent>) => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...given,
})

describe('shortcutOf', () => {
  it.each([
    ['Digit1', { to: 'connection' }],
    ['Digit5', { to: 'organization' }],
    ['Numpad6', { to: 'settings' }],
    ['Digit7', undefined],
  ])('opens a view with %s', (code, shortcut) => {
    expect(shortcutOf(pressed({ code, key: '&', ctrlKey: true }), false)).toEqual(shortcut)
  })

  it('opens the settings with the comma, and connects with Enter', () => {
    expect(shortcutOf(pressed({ key: ',', ctrlKey: true }), false)).toEqual({ to: 'settings' })
    expect(shortcutOf(pressed({ key: 'Enter', ctrlKey: true }), false)).toBe('connect-or-disconnect')
  })

  it('uses Cmd on macOS only', () => {
    expect(shortcutOf(pressed({ key: ',', metaKey: true }), true)).toEqual({ to: 'settings' })
    expect(shortcutOf(pressed({ key: ',', ctrlKey: true }), true)).toBeUndefined()
    expect(shortcutOf(pressed({ key: ',', metaKey: true }), false)).toBeUndefined()
  })

  it.each([{ altKey: true }, { shiftKey: true }, { repeat: true }, { ctrlKey: false }])(
    'leaves other keys to what they write (%o)',
    (given) => {
      expect(shortcutOf(pressed({ key: 'Enter', ctrlKey: true, ...given }), false)).toBeUndefined()
    },
  )
})
