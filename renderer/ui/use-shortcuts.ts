import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { browserWait } from '../../contract/browser-wait'
import { isUnderWay } from '../../contract/connection-summary'
import type { ErrorReport } from '../../contract/error-codes'
import { useAppState, useBridge } from '../store/context'
import { useStart } from '../store/ended-access'
import { useTarget } from '../store/target'
import { shortcutOf } from './shortcuts'
import { showView } from './use-view'
import { askFor, type WindowAction } from './window-actions'

const isMac = navigator.userAgent.includes('Mac OS')

/** The shortcut of the search, as a menu shows it. */
export const searchKeys = isMac ? '⌘F' : 'Ctrl F'

/** Handles the window's shortcuts. Returns why disconnecting failed, until the connection moves on. */
export function useShortcuts(): ErrorReport | undefined {
  const { connection, instances } = useAppState()
  const { target } = useTarget()
  const start = useStart()
  const bridge = useBridge()
  const [failure, setFailure] = useState<ErrorReport>()
  const [shownIn, setShownIn] = useState(connection.state)
  if (shownIn !== connection.state) {
    setShownIn(connection.state)
    setFailure(undefined)
  }

  async function disconnect(): Promise<void> {
    setFailure(undefined)
    const result = await bridge.run('disconnect', undefined)
    if (!result.ok) setFailure(result.error)
  }

  function connectOrDisconnect(): void {
    showView('connection')
    if (connection.state === 'disconnecting' && connection.switching !== true) return
    if (isUnderWay(connection)) {
      void disconnect()
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
  return failure
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
