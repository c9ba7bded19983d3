import { useEffect } from 'react'
import type { BrowserWait } from '../../../contract/browser-wait'
import type { ConnectionTarget } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import { useAppState } from '../../store/context'
import { useEndedAccess } from '../../store/ended-access'
import { useServiceName } from '../../store/profile-name'
import { useTarget } from '../../store/target'
import { isSame } from '../instances/find-profiles'

/** What the stage is about. */
export interface StageSubject {
  /** The profile that is connected, or that the next step connects. */
  readonly target: ConnectionTarget | undefined
  /** The service of the target or of the sign-in, or the only one. */
  readonly instanceId: string | undefined
  /** The name of the service that the lanes lead to; empty if it has none. */
  readonly service: string
  /** After a failure, another profile was picked for the next try. */
  readonly isOther: boolean
  /** Access to the service has ended. */
  readonly isOver: boolean
}

/** Returns what the stage is about: the connection, a sign-in that waits for the browser, or what was picked for the next try. */
export function useStageSubject(
  signIn: BrowserWait | undefined,
  { lanes }: ConnectionDescription,
): StageSubject {
  const { connection, instances } = useAppState()
  const { target: chosen, pick } = useTarget()
  const isActive = isUnderWay(connection)
  const current = isActive && 'target' in connection ? connection.target : chosen
  const target = signIn === undefined || signIn.instanceId === current?.instanceId ? current : undefined
  useEffect(() => {
    // What is connected now was picked elsewhere, or is what was picked.
    if (isActive) pick(undefined)
  }, [isActive, pick])
  const onlyInstance = instances.length === 1 ? instances[0]?.id : undefined
  const instanceId = signIn?.instanceId ?? target?.instanceId ?? onlyInstance
  // A tunnel that stands leads to its own service.
  const isUp = isActive && lanes.organization !== 'yourTurn'
  return {
    target,
    instanceId,
    service: useServiceName(isUp && 'target' in connection ? connection.target.instanceId : instanceId),
    isOther:
      signIn === undefined &&
      connection.state === 'failed' &&
      target !== undefined &&
      !isSame(connection.target, target),
    isOver: useEndedAccess()(instanceId),
  }
}
