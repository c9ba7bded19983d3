import { isUnderWay } from '../../../contract/connection-summary'
import type { AppState, InstanceSlice } from '../../../contract/state'
import type { ListOfInstance } from './poller'

/**
 * Returns the lists to keep up to date in the background. A service of version 3 of the portal API has no messages, and
 * gets no calls while there is a connection to it (docs/portal-api.md).
 */
export function polledLists(
  { instances, connection }: Pick<AppState, 'instances' | 'connection'>,
  list: 'messages' | 'profiles',
): ListOfInstance[] {
  const isInUse = ({ id }: InstanceSlice): boolean =>
    isUnderWay(connection) && 'target' in connection && connection.target.instanceId === id
  return instances
    .filter((instance) => instance.hasNoMessages !== true || (list === 'profiles' && !isInUse(instance)))
    .map(({ id, login, [list]: { status } }) => ({ id, login, status }))
}
