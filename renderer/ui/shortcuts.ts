import { mainViews, type MainView } from '../../contract/views'
import type { WindowAction } from './window-actions'

export type Shortcut = { readonly to: MainView } | { readonly action: WindowAction } | 'connect-or-disconnect'

/**
 * Returns the shortcut of a key press: Ctrl (Cmd on macOS) with 1 to 6 for a view, with the comma for the settings, with F
 * to search, with N to add a service, with Enter to connect or disconnect. The native menu shows the same keys and leaves them to the window.
 */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>,
  isMac: boolean,
): Shortcut | undefined {
  const held = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (!held || event.altKey || event.shiftKey || event.repeat) return undefined
  if (event.key === 'Enter') return 'connect-or-disconnect'
  if (event.key === ',') return { to: 'settings' }
  const key = event.key.toLowerCase()
  if (key === 'f') return { action: 'search' }
  if (key === 'n') return { action: 'addService' }
  // By position: some layouts need Shift for digits.
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1]
  const to = digit === undefined ? undefined : mainViews[Number(digit) - 1]
  return to === undefined ? undefined : { to }
}
