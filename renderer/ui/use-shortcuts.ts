import { useEffect } from 'react'
import { connectTarget } from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import { isUnderWay } from '../features/connection/describe'
import { borderError } from '../store/border-error'
import { useAppState, useCommand } from '../store/context'
import { useShownInstance } from '../store/shown-instance'
import { shortcutOf } from './shortcuts'
import { showView } from './use-view'

const isMac = navigator.userAgent.includes('Mac OS')

/** The window's own keys; returns what failed of what they asked for and no view shows. */
export function useShortcuts(): ErrorReport | undefined {
  const { connection } = useAppState()
  const { shown } = useShownInstance()
  const connect = useCommand('connect')
  const disconnect = useCommand('disconnect')

  useEffect(() => {
    function connectOrDisconnect(): void {
      showView('connection')
      if (connection.state === 'disconnecting') return
      if (isUnderWay(connection)) {
        void disconnect.run()
        return
      }
      const target = connectTarget({ connection, instances: shown === undefined ? [] : [shown] })
      if (target !== undefined) void connect.run(target)
    }
    function onKeyDown(event: KeyboardEvent): void {
      const shortcut = event.defaultPrevented ? undefined : shortcutOf(event, isMac)
      if (shortcut === undefined) return
      event.preventDefault()
      if (shortcut === 'connect-or-disconnect') connectOrDisconnect()
      else showView(shortcut.to)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
    }
  })
  return (
    borderError(connect.error, connection.state === 'failed' ? connection.error : undefined) ??
    disconnect.error
  )
}
