import type { ServiceName } from '../../../contract/choices'
import { CausewayError } from '../../errors'
import type { Endpoints, Instance } from '../instance/instance'

/**
 * Returns the base address of a service of an instance, without a final slash: the one that the user set, or the one from
 * discovery. Discovery only runs if needed, so that a service with a set address works while the instance is unreachable.
 * Throws `<service>/not-offered`, and what `endpoints` throws.
 */
export async function findService(
  instance: Instance,
  service: ServiceName,
  endpoints: () => Promise<Pick<Endpoints, 'services'>>,
): Promise<string> {
  const set = instance.services?.[service]
  if (set !== undefined) return set
  const offered = (await endpoints()).services[service]
  if (offered !== undefined) return offered
  throw new CausewayError(`${service}/not-offered`, {
    details: { instance: instance.id },
  })
}
