import type { CommandInput } from '../../contract/commands'
import type { EndedTunnel } from '../app/instance-endings'
import type { Services } from '../app/services'
import type { ConnectOptions } from '../connection/connect-options'
import type { NewInstance } from '../portal/instance/instance-list'
import type { Face } from './face'
import { done, type SharedHandlers, shown } from './shown'

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
    addInstance: shown(
      async (entry: CommandInput<'addInstance'> & Pick<NewInstance, 'clientId' | 'apiVersion'>, signal) =>
        services.addInstance(entry, signal),
      ({ id }) => ({ instanceId: id }),
    ),
    removeInstance: done(async ({ instanceId }: CommandInput<'removeInstance'>) =>
      services.removeInstance(instanceId),
    ),
    logIn: done(async ({ instanceId }: CommandInput<'logIn'>, signal) =>
      sessionOf(await instanceOf(instanceId)).logIn(signal),
    ),
    logOut: done(
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
    renewSession: done(async ({ instanceId, profileId, takeOver }: CommandInput<'renewSession'>, signal) => {
      const instance = await instanceOf(instanceId)
      await services.renewSession(instance, { login: how.login, takeOver, profileId }, () =>
        sessionOf(instance).logIn(signal),
      )
    }),
    connect: done(
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
    releaseTraffic: done(async () => services.releaseTraffic()),
    setSetting: done(async ({ name, value }: { readonly name: string; readonly value: string }) =>
      services.settings.set(name, value),
    ),
    runDoctor: shown(
      async (input: CommandInput<'runDoctor'>) =>
        input === undefined
          ? services.diagnose()
          : services.diagnoseService(await instanceOf(input.instanceId)),
      (findings) => findings,
    ),
  } satisfies SharedHandlers<SharedConnectionCommand>
}
