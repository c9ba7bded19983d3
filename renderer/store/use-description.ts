import { promisesAll } from '../../contract/connection-summary'
import { type ConnectionDescription, describeConnection } from '../../contract/describe-connection'
import { useAppState } from './context'
import { useProfileName, useServiceName } from './profile-name'

/** Returns the description of the connection, with the names of its profile and service. */
export function useDescription(): ConnectionDescription {
  const { connection, heldBy, helper, instances, killSwitch, settings, wording } = useAppState()
  const target = 'target' in connection ? connection.target : undefined
  const service = useServiceName(target?.instanceId)
  const profile = useProfileName(target)
  return describeConnection(connection, {
    locale: wording.locale,
    service,
    profile,
    blocks: killSwitch.blocks,
    promisesAll: promisesAll(connection, instances),
    preferTcp: settings.preferTcp,
    helper,
    hasClockSettings: /Windows|Mac OS/.test(navigator.userAgent),
    isHeld: heldBy !== undefined,
  })
}
