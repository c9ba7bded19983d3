import type { ConnectOptions } from '../connection/connect-options'
import type { Connection } from '../connection/connection'
import type { TunnelLock } from '../connection/lock/tunnel-lock'
import { renewSession } from '../connection/renew-session'
import { report } from '../errors'
import type { Instance } from '../portal/instance/instance'
import type { TokenSession } from '../portal/oauth/token-session'
import type { Reporter } from '../reporter'
import type { InstancePortal } from './instance-portal'

/**
 * Renews the login with `logIn`, and reconnects with these options if it was connected, with `takeOver` also in another
 * process; with `profileId` it connects to that one in any case. After a failure everything is as before (main/connection/renew-session.ts).
 */
export type RenewSession = (
  instance: Instance,
  options: ConnectOptions & { readonly takeOver?: boolean; readonly profileId?: string | undefined },
  logIn: (session: TokenSession) => Promise<void>,
) => Promise<void>

export function createRenewSession({
  connection,
  lock,
  accessTo,
  reporter,
  disposal,
}: {
  readonly connection: Connection
  readonly lock: TunnelLock
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly reporter: Pick<Reporter, 'notice'>
  /** Aborts when the program ends. */
  readonly disposal: AbortSignal
}): RenewSession {
  return (instance, { takeOver = false, profileId, ...connectOptions }, logIn) => {
    const access = accessTo(instance)
    return renewSession({
      instanceId: instance.id,
      profileId,
      connection: {
        get state() {
          return connection.state
        },
        // After a quit no tunnel should start.
        connect: async (target, how) =>
          disposal.aborted ? undefined : connection.connect(target, { ...connectOptions, ...how }),
        disconnect: () => connection.disconnect(),
      },
      tunnel: lock,
      pid: process.pid,
      takeOver,
      keepsTunnel: () => access.renewalKeepsTunnel(),
      validity: () => access.validity(),
      onSameEnd: () => {
        reporter.notice(report('session/not-extended', { details: { instance: instance.id } }))
      },
      beforeLogin: () => access.beforeRenewal(),
      logIn: () => logIn(access.session),
      begin: async () => (await access.portal()).begin?.(),
    })
  }
}
