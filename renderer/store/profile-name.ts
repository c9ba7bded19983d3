import type { ConnectionTarget } from '../../contract/connection'
import { serviceNameOf } from '../../contract/service-name'
import { useAppState } from './context'

/** Returns the name of a service; its id once it is removed. */
export function useServiceName(instanceId: string | undefined): string {
  const { instances } = useAppState()
  return serviceNameOf(instances, instanceId ?? '')
}

/** Returns the name of a profile in the person's language; undefined where it isn't known, as after signing out. */
export function useProfileName(target: ConnectionTarget | undefined): string | undefined {
  const { instances } = useAppState()
  const instance = instances.find(({ id }) => id === target?.instanceId)
  return instance?.profiles.items.find(({ profileId }) => profileId === target?.profileId)?.displayName
}
