import type { CommandInput } from '../../contract/commands'
import type { EndedTunnel } from '../app/instance-endings'
import type { Services } from '../app/services'
import type { ConnectOptions } from '../connection/connect-options'
import type { NewInstance } from '../portal/instance/instance-list'
import type { Face } from './face'
import { voidHandler, type SharedHandlers, handler } from './handler'

type SharedConnectionCommand =
  | 'addInstance'
  | 'removeInstance'
  | 'logIn'
  | 'logOut'
  | 'renewSession'
  | 'connect'
  | 'releaseTraffic'
  | 'setSetting'
  | 'runDoctor'

type ConnectingFace = Pick<Face, 'instanceOf' | 'sessionOf' | 'login' | 'waitsForNetworkSignIn'>

/** Returns the handlers of instances, logins, the connection, settings and the doctor. They throw the errors of the services. */
export function connectionHandlers(
  services: Pick<
    Services,
    | 'addInstance'
    | 'removeInstance'
    | 'disconnectFrom'
    | 'renewSession'
    | 'connection'
    | 'tunnel'
    | 'releaseTraffic'
    | 'settings'
    | 'diagnose'
    | 'diagnoseService'
  >,
  { instanceOf, sessionOf, ...how }: ConnectingFace,
) {
  return {
    addInstance: handler(
      async (entry: CommandInput<'addInstance'> & Pick<NewInstance, 'clientId' | 'apiVersion'>, signal) =>
        services.addInstance(entry, signal),
      ({ id }) => ({ instanceId: id }),
    ),
    removeInstance: voidHandler(async ({ instanceId }: CommandInput<'removeInstance'>) =>
      services.removeInstance(instanceId),
    ),
    logIn: voidHandler(async ({ instanceId }: CommandInput<'logIn'>, signal) =>
      sessionOf(await instanceOf(instanceId)).logIn(signal),
    ),
    logOut: voidHandler(
      async ({
        instanceId,
        onEnded = () => undefined,
      }: CommandInput<'logOut'> & { readonly onEnded?: (ended: EndedTunnel) => void }) => {
        const session = sessionOf(await instanceOf(instanceId))
        try {
          onEnded(await services.disconnectFrom(instanceId))
        } finally {
          await session.logOut()
        }
      },
    ),
    renewSession: voidHandler(
      async ({ instanceId, profileId, takeOver }: CommandInput<'renewSession'>, signal) => {
        const instance = await instanceOf(instanceId)
        await services.renewSession(instance, { login: how.login, takeOver, profileId }, () =>
          sessionOf(instance).logIn(signal),
        )
      },
    ),
    connect: voidHandler(
      async (
        {
          instanceId,
          profileId,
          takeOver,
          ...wishes
        }: CommandInput<'connect'> & Omit<ConnectOptions, 'login'>,
        signal,
      ) => {
        const target = { instanceId: (await instanceOf(instanceId)).id, profileId }
        const options = { ...wishes, ...how }
        if (takeOver === true) {
          await services.connection.validate(target, options)
          await services.tunnel.askToDisconnect({ takesOver: true })
        }
        // Nothing has started yet.
        if (signal?.aborted === true) return 'disconnected'
        return services.connection.connect(target, options)
      },
    ),
    releaseTraffic: voidHandler(async () => services.releaseTraffic()),
    setSetting: voidHandler(async ({ name, value }: { readonly name: string; readonly value: string }) =>
      services.settings.set(name, value),
    ),
    runDoctor: doctorHandler(services, instanceOf),
  } satisfies SharedHandlers<SharedConnectionCommand>
}

function doctorHandler(
  services: Pick<Services, 'diagnose' | 'diagnoseService'>,
  instanceOf: Face['instanceOf'],
) {
  return handler(
    async (input: CommandInput<'runDoctor'>) =>
      input === undefined
        ? services.diagnose()
        : services.diagnoseService(await instanceOf(input.instanceId)),
    (findings) => findings,
  )
}
