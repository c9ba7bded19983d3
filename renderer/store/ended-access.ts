import { isAccessOver } from '../../contract/connection-summary'
import type { ConnectionTarget } from '../../contract/connection'
import { useAppState, useCommand } from './context'
import { ipcError } from './ipc-error'
import { useReportRow } from './row-failure'
import { useTimeAt } from './use-time-at'

/** Returns a function that tells whether the access to a service has ended; the caller is rendered again when one ends. */
export function useEndedAccess(): (instanceId: string | undefined) => boolean {
  const { connection, instances } = useAppState()
  const now = useTimeAt((time) => {
    const later = instances.flatMap(({ ends }) => ends?.at ?? []).filter((at) => at > time)
    return later.length === 0 ? undefined : Math.min(...later)
  })
  return (instanceId) => {
    const instance = instances.find(({ id }) => id === instanceId)
    return instance !== undefined && isAccessOver(instance, connection, now)
  }
}

/**
 * Returns a function that connects to a profile, where access has ended after renewing it. It reports an error that main's state
 * doesn't show. `isHeld`: takes the connection over from another process.
 */
export function useStart(): (target: ConnectionTarget, how: { readonly isHeld: boolean }) => Promise<void> {
  const connect = useCommand('connect')
  const renew = useCommand('renewSession')
  const isOver = useEndedAccess()
  const report = useReportRow()
  return async (target, { isHeld }) => {
    report(undefined)
    const renews = isOver(target.instanceId)
    const result = await (renews ? renew : connect).run({ ...target, takeOver: isHeld ? true : undefined })
    if (result.ok) return
    const error = renews ? result.error : ipcError(result.error, undefined)
    report(error && { error, instanceId: target.instanceId })
  }
}
