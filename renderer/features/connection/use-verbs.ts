import type { ConnectionTarget } from '../../../contract/connection'
import type { Verb } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useCommand } from '../../store/context'
import { ipcError } from '../../store/ipc-error'
import { showView } from '../../ui/use-view'

/** Returns a function that does something about the connection, what it is busy with, and the error of the last one. */
export function useVerbs({
  target,
  instanceId,
  isOver,
}: {
  readonly target: ConnectionTarget | undefined
  /** The service whose access is renewed. */
  readonly instanceId: string | undefined
  /** Access has ended: renewing goes on to the target. */
  readonly isOver: boolean
}): {
  readonly act: (verb: Verb) => void
  readonly pending: Verb | undefined
  readonly error: ErrorReport | undefined
  /** The report for the help desk is in the clipboard. */
  readonly copied: boolean
} {
  const { connection, heldBy, instances } = useAppState()
  const connect = useCommand('connect')
  const disconnect = useCommand('disconnect')
  const retry = useCommand('retryNow')
  const release = useCommand('releaseTraffic')
  const choose = useCommand('setOpenVpn')
  const renew = useCommand('renewSession')
  const copy = useCommand('copySupportReport')
  const known = connection.state === 'failed' ? connection.error : undefined
  const takeOver = heldBy === undefined ? undefined : true
  // The row of the service shows these, and the person's own cancelling is no error.
  const shownElsewhere = [
    'oauth/cancelled',
    known?.code,
    instances.find(({ id }) => id === instanceId)?.loginError?.code,
  ]
  const renewError = renew.error && !shownElsewhere.includes(renew.error.code) ? renew.error : undefined

  function act(verb: Verb): void {
    switch (verb) {
      case 'connect':
      case 'reconnect':
      case 'tryAgain':
        if (target !== undefined) void connect.run({ ...target, takeOver })
        return
      case 'tryTcp':
        if (target !== undefined) void connect.run({ ...target, preferTcp: true })
        return
      case 'cancel':
      case 'disconnect':
        void disconnect.run()
        return
      case 'tryOther':
      case 'retryNow':
        void retry.run()
        return
      case 'allowTraffic':
        void release.run()
        return
      case 'chooseOpenVpn':
        void choose.run({ by: 'dialog' })
        return
      case 'renew':
        if (instanceId !== undefined)
          void renew.run({ instanceId, profileId: isOver ? target?.profileId : undefined, takeOver })
        return
      case 'checkComputer':
        showView('doctor')
        return
      case 'copyForHelpDesk':
        void copy.run()
    }
  }

  return {
    act,
    pending: renew.pending
      ? 'renew'
      : release.pending
        ? 'allowTraffic'
        : copy.pending
          ? 'copyForHelpDesk'
          : undefined,
    error:
      ipcError(connect.error, known) ??
      disconnect.error ??
      retry.error ??
      release.error ??
      choose.error ??
      renewError ??
      copy.error,
    copied: copy.isDone,
  }
}
