import { browserWait, type BrowserWait } from '../../contract/browser-wait'
import { promisesAll } from '../../contract/connection-summary'
import { type ConnectionDescription, describeConnection } from '../../contract/describe-connection'
import { useAppState } from './context'
import { useProfileName, useServiceName } from './profile-name'

/** Returns the description of the connection, with the names of its profile and service; of a sign-in that waits, it comes first. */
export function useDescription(): ConnectionDescription {
  const { instances } = useAppState()
  return useDescriptionWith(browserWait(instances))
}

/** Returns the description while this sign-in waits; without one, of the connection alone. */
export function useDescriptionWith(signIn: BrowserWait | undefined): ConnectionDescription {
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
    signIn,
  })
}
