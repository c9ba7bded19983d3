import type { z } from 'zod'
import type {
  InstanceChanges,
  InstanceSettings,
  instanceSettingsCommands,
} from '../../contract/instance-settings'
import { CausewayError } from '../errors'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import { clientIdFor } from '../portal/oauth/client-id'

type Commands = typeof instanceSettingsCommands

export type InstanceSettingsCommandHandlers = {
  readonly [Name in keyof Commands]: (
    input: z.infer<Commands[Name]['input']>,
  ) => Promise<z.infer<Commands[Name]['output']>>
}

export interface InstanceSettingsCommandServices {
  readonly instances: {
    find(id: string): Promise<Instance>
    set(id: string, changes: InstanceChanges): Promise<Instance>
  }
  offeredServices(instance: Instance): Promise<ServiceAddresses>
}

/** Returns the handlers for the settings of an instance. They throw the errors of InstanceList. */
export function instanceSettingsCommandHandlers(
  services: InstanceSettingsCommandServices,
): InstanceSettingsCommandHandlers {
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
        ...(identity?.userId === undefined ? {} : { userId: identity.userId }),
        roles: [...(identity?.roles ?? [])],
        ...(offered === undefined ? {} : { offered: { ...offered } }),
      }
    },
    setInstanceSettings: async ({ instanceId, ...changes }) => {
      await services.instances.set(instanceId, changes)
    },
  }
}

/** Returns the announced services, or undefined if the instance can't be reached. */
async function offeredBy(
  services: InstanceSettingsCommandServices,
  instance: Instance,
): Promise<ServiceAddresses | undefined> {
  try {
    return await services.offeredServices(instance)
  } catch (error) {
    if (error instanceof CausewayError) return undefined
    throw error
  }
}
