import type { ServiceName } from '../../../contract/choices'
import { CausewayError } from '../../errors'
import type { Endpoints, Instance } from '../instance/instance'

/**
 * The base address of a service of an instance, without a final slash: what the user has set, else what the instance's
 * info.json says. That is asked for only where it is needed, so that a service at an address of the user's can be had
 * while the instance cannot. Throws `<service>/not-offered`, and what `endpoints` throws.
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
  throw new CausewayError(`${service}/not-offered`, notOffered[service](instance.id), {
    details: { instance: instance.id },
  })
}

const set = (option: string) =>
  `If you know the service's address, set it with: causeway instance set --${option} URL`

const notOffered: Readonly<Record<ServiceName, (id: string) => string>> = {
  attachments: (id) => `${id} doesn't offer attachments. ${set('attachments')}`,
  content: (id) => `${id} doesn't offer news. ${set('content')}`,
  organizations: (id) => `${id} doesn't offer organizations. ${set('organizations')}`,
}
