import type { InstanceSettings, instanceSettingsCommands } from '../../contract/instance-settings'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import { clientIdFor } from '../portal/oauth/client-id'

/** Returns the handlers for the settings of an instance. They throw the errors of InstanceList. */
export function instanceSettingsCommandHandlers(
  services: Pick<Services, 'instances' | 'offeredServices'>,
): CommandHandlers<keyof typeof instanceSettingsCommands> {
  return {
    instanceSettings: async ({ instanceId }): Promise<InstanceSettings> => {
      const instance = await services.instances.find(instanceId)
      const { clientId, apiVersion, identity } = instance
      const offered = await offeredBy(services, instance)
      return {
        clientId,
        apiVersion,
        builtInClientId: clientIdFor({}, process.platform),
        services: { ...instance.services },
        userId: identity?.userId,
        roles: [...(identity?.roles ?? [])],
        offered: offered && { ...offered },
      }
    },
    setInstanceSettings: async ({ instanceId, ...changes }) => {
      await services.instances.set(instanceId, changes)
    },
  }
}

/** Returns the announced services, or undefined if the instance can't be reached. */
async function offeredBy(
  services: Pick<Services, 'instances' | 'offeredServices'>,
  instance: Instance,
): Promise<ServiceAddresses | undefined> {
  try {
    return await services.offeredServices(instance)
  } catch (error) {
    if (error instanceof CausewayError) return undefined
    throw error
  }
}
