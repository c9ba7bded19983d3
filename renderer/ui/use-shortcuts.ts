import { useWindowEvent } from '@mantine/hooks'
import { browserWait } from '../../contract/browser-wait'
import { isUnderWay } from '../../contract/connection-summary'
import type { ErrorReport } from '../../contract/error-codes'
import { useAppState, useCommand } from '../store/context'
import { useStart } from '../store/ended-access'
import { useTarget } from '../store/target'
import { shortcutOf } from './shortcuts'
import { showView } from './use-view'
import { askFor, type WindowAction } from './window-actions'

const isMac = navigator.userAgent.includes('Mac OS')

/** The shortcut of the search, as a menu shows it. */
export const searchKeys = isMac ? '⌘F' : 'Ctrl F'

/** Handles the window's shortcuts. Returns why disconnecting failed. */
export function useShortcuts(): ErrorReport | undefined {
  const { connection, instances } = useAppState()
  const { target } = useTarget()
  const start = useStart()
  const disconnect = useCommand('disconnect')

  function connectOrDisconnect(): void {
    showView('connection')
    if (connection.state === 'disconnecting' && connection.switching !== true) return
    if (isUnderWay(connection)) {
      void disconnect.run()
      return
    }
    // The stage offers no Connect while a sign-in waits.
    if (target !== undefined && browserWait(instances) === undefined) void start(target, { isHeld: false })
  }
  useWindowEvent('keydown', (event) => {
    const shortcut = event.defaultPrevented ? undefined : shortcutOf(event, isMac)
    if (shortcut === undefined) return
    event.preventDefault()
    if (shortcut === 'connect-or-disconnect') connectOrDisconnect()
    else if ('to' in shortcut) showView(shortcut.to)
    else askInConnection(shortcut.action)
  })
  return disconnect.error
}

/** Shows the connection, and asks it for an action. */
export function askInConnection(action: WindowAction): void {
  // After the view is drawn.
  const ask = (): void => {
    requestAnimationFrame(() => {
      askFor(action)
    })
  }
  if (['', '#connection'].includes(window.location.hash)) {
    ask()
  } else {
    // The view follows the address in a later task, and a frame may come before that.
    window.addEventListener('hashchange', ask, { once: true })
    showView('connection')
  }
}
