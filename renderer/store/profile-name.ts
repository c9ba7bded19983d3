import type { ConnectionTarget } from '../../contract/connection'
import { useAppState } from './context'

/** Returns the name of a service as a list of organizations has it, else its host. */
export function useServiceName(instanceId: string | undefined): string {
  const { instances } = useAppState()
  return instances.find(({ id }) => id === instanceId)?.listing?.name ?? instanceId ?? ''
}

/** Returns the name of a profile in the person's language; undefined where it isn't known, as after signing out. */
export function useProfileName(target: ConnectionTarget | undefined): string | undefined {
  const { instances } = useAppState()
  const instance = instances.find(({ id }) => id === target?.instanceId)
  return instance?.profiles.items.find(({ profileId }) => profileId === target?.profileId)?.displayName
}
