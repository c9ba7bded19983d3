import { mainViews, type MainView } from '../../contract/views'

export type Shortcut = { readonly to: MainView } | 'connect-or-disconnect'

/**
 * What a key press asks for: Ctrl (on macOS Cmd) with 1 to 6 a view, with the comma the settings, with Enter to connect or
 * disconnect. The native menu shows the same keys and leaves them to the window.
 */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>,
  isMac: boolean,
): Shortcut | undefined {
  const held = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (!held || event.altKey || event.shiftKey || event.repeat) return undefined
  if (event.key === 'Enter') return 'connect-or-disconnect'
  if (event.key === ',') return { to: 'settings' }
  // By its place on the keyboard: not everywhere does the key give a digit without Shift.
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1]
  const to = digit === undefined ? undefined : mainViews[Number(digit) - 1]
  return to === undefined ? undefined : { to }
}
