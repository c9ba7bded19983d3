import type { CommandInput, instanceSettingsCommands } from '../../contract/commands'
import type { InstanceSettings } from '../../contract/instance-settings'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import { clientIdFor } from '../portal/oauth/client-id'
import { voidHandler, type SharedHandlers, handler } from './handler'

/** An instance, and the services that it announces; undefined with the reason if it can't be reached. */
interface SetInstance {
  readonly instance: Instance
  readonly offered: ServiceAddresses | undefined
  readonly problem?: CausewayError
}

/** Returns the handlers for the settings of an instance. They throw the errors of InstanceList. */
export function instanceSettingsHandlers(services: Pick<Services, 'instances' | 'offeredServices'>) {
  return {
    instanceSettings: handler(
      async ({ instanceId }: CommandInput<'instanceSettings'>, signal): Promise<SetInstance> => {
        const instance = await services.instances.find(instanceId)
        try {
          return { instance, offered: await services.offeredServices(instance, signal) }
        } catch (error) {
          if (!(error instanceof CausewayError) || error.code === 'http/cancelled') throw error
          return { instance, offered: undefined, problem: error }
        }
      },
      ({ instance: { name, clientId, apiVersion, identity, services: own }, offered }): InstanceSettings => ({
        name,
        clientId,
        apiVersion,
        builtInClientId: clientIdFor({}, process.platform),
        services: { ...own },
        userId: identity?.userId,
        roles: [...(identity?.roles ?? [])],
        offered: offered && { ...offered },
      }),
    ),
    setInstanceSettings: voidHandler(
      async ({ instanceId, ...changes }: CommandInput<'setInstanceSettings'>) =>
        services.instances.set(instanceId, changes),
    ),
  } satisfies SharedHandlers<keyof typeof instanceSettingsCommands>
}
