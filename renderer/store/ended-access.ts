import { isAccessOver } from '../../contract/connection-summary'
import type { ConnectionTarget } from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import { useAppState, useCommand } from './context'
import { ipcError } from './ipc-error'
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
 * Returns a function that connects to a profile, where access has ended (`renews`) after renewing it. It resolves with the error
 * that main's state doesn't show, if any.
 */
export function useStart(): (
  target: ConnectionTarget,
  how: { readonly renews: boolean; readonly isHeld: boolean },
) => Promise<ErrorReport | undefined> {
  const connect = useCommand('connect')
  const renew = useCommand('renewSession')
  return async (target, { renews, isHeld }) => {
    const input = { ...target, takeOver: isHeld ? true : undefined }
    if (renews) {
      const renewed = await renew.run(input)
      return renewed.ok ? undefined : renewed.error
    }
    const connected = await connect.run(input)
    return connected.ok ? undefined : ipcError(connected.error, undefined)
  }
}
