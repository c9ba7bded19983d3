import { isTo, isUnderWay } from '../../contract/connection-summary'
import type { Connection } from '../connection/connection'
import type { TunnelLock } from '../connection/lock/tunnel-lock'
import { CausewayError } from '../errors'
import type { ForgetRegistry } from '../portal/instance/forget-registry'
import type { Instance } from '../portal/instance/instance'
import type { InstanceList } from '../portal/instance/instance-list'
import type { InstancePortal } from './instance-portal'

/** The outcome of ending a tunnel. */
export type EndedTunnel = 'none' | 'ended' | 'unknown'

/** Ends tunnels to an instance, and removes instances. */
export interface InstanceEndings {
  /** Throws `connection/in-use` if there is a tunnel to the instance, whose portal can only be told of its end with the login. */
  readonly requireNoTunnel: (instanceId: string) => Promise<void>
  /**
   * Ends the tunnel to the instance, also in another process. Returns `unknown` if another process has a tunnel but doesn't
   * answer. Throws `connection/held-by-other` if the other process doesn't end it.
   */
  readonly disconnectFrom: (instanceId: string) => Promise<EndedTunnel>
  /** Disconnects from the instance, then forgets it and all its data. Throws `usage/managed-instance`. */
  readonly removeInstance: (instanceId: string) => Promise<EndedTunnel>
  /** Resolves when no instance is being removed: a removal must not reach the same service that is added again meanwhile. */
  readonly removed: () => Promise<unknown>
}

export function createInstanceEndings({
  connection,
  lock,
  instances,
  accessTo,
  forgets,
}: {
  readonly connection: Pick<Connection, 'state' | 'disconnect'>
  readonly lock: TunnelLock
  readonly instances: Pick<InstanceList, 'find'>
  readonly accessTo: (instance: Instance) => Pick<InstancePortal, 'settle'>
  readonly forgets: ForgetRegistry
}): InstanceEndings {
  async function disconnectFrom(instanceId: string): Promise<EndedTunnel> {
    const { state } = connection
    if (isTo(state, instanceId)) {
      await connection.disconnect()
      if (isUnderWay(state)) return 'ended'
    }
    const present = await lock.use()
    if (present.use === 'free') {
      // The tokens may go next, and with them the last occasion.
      await accessTo(await instances.find(instanceId)).settle()
      return 'none'
    }
    if (present.use === 'silent') return 'unknown'
    const { pid, connection: other } = present.holder
    if (pid === process.pid || !isTo(other, instanceId)) return 'none'
    await lock.askToDisconnect()
    return 'ended'
  }

  async function remove(instanceId: string): Promise<EndedTunnel> {
    const instance = await instances.find(instanceId)
    if (instance.managed === true) throw new CausewayError('usage/managed-instance')
    let ended: EndedTunnel = 'none'
    await forgets.forget(instance, {
      first: async () => {
        ended = await disconnectFrom(instance.id)
      },
    })
    // Another process may have finished a sign-in before the entry was gone.
    await forgets.forget(instance, { which: ['secrets'] })
    return ended
  }

  let removals: Promise<unknown> = Promise.resolve()
  return {
    requireNoTunnel: async (instanceId) => {
      const { state } = connection
      const isEnding = state.state === 'disconnecting' || state.state === 'failed'
      // A failure may have left a configuration at the portal.
      if (isEnding && isTo(state, instanceId)) await connection.disconnect()
      await lock.requireNoneTo(instanceId)
    },
    disconnectFrom,
    removeInstance: (instanceId) => {
      const removal = remove(instanceId)
      removals = Promise.allSettled([removals, removal])
      return removal
    },
    removed: () => removals,
  }
}
