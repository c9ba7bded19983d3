import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import type { TunnelUse } from './lock/tunnel-lock'
import type { TunnelHolder } from './lock/tunnel-messages'
import type { ConnectOptions } from './connection'

export interface RenewSessionParts {
  readonly instanceId: string
  readonly connection: {
    readonly state: ConnectionState
    connect(target: ConnectionTarget, options?: Pick<ConnectOptions, 'login'>): Promise<unknown>
    disconnect(): Promise<void>
  }
  /** The one tunnel that all processes share. */
  readonly tunnel: { use(): Promise<TunnelUse>; askToDisconnect(): Promise<void> }
  /** The process id of this one. */
  readonly pid: number
  /** Whether to end the tunnel to the instance that another process has, and to have it here afterwards. */
  readonly takeOver: boolean
  logIn(): Promise<void>
  /** Gets what the new login gives access with. */
  begin(): Promise<unknown>
}

/**
 * A new login, before the old one ends or after it (field notes, "How good clients behave":
 * disconnect, drop the tokens, authorize, reconnect if it was connected). The old tokens are dropped at the moment in which
 * the new ones take their place, and so is what was granted: who cancels, or is refused, has what they had, and is connected
 * with it again. What the person did with the connection meanwhile counts more than what it was before.
 *
 * Throws what those steps throw, and `connection/held-by-other` where another process has the tunnel to this instance and
 * it is not to be taken over.
 */
export async function renewSession(parts: RenewSessionParts): Promise<void> {
  const { connection, instanceId } = parts
  const taken = await takeFromOther(parts)
  const own = targetAt(connection.state, instanceId)
  const inUse = taken ?? (connection.state.state === 'failed' ? undefined : own)
  if (taken === undefined && inUse !== undefined) await connection.disconnect()
  const meanwhile = connection.state
  const untouched = () => connection.state === meanwhile
  try {
    await parts.logIn()
    // What was granted went with the old login.
    await parts.begin()
  } catch (error) {
    // What becomes of it is told by the state of the connection.
    if (inUse !== undefined && untouched())
      await connection.connect(inUse, { login: 'never' }).catch(() => undefined)
    throw error
  }
  const target = inUse ?? own
  if (target !== undefined && untouched()) await connection.connect(target)
}

/** Where the tunnel went that another process had to this instance, and has no more. */
async function takeFromOther({
  tunnel,
  pid,
  instanceId,
  takeOver,
}: RenewSessionParts): Promise<ConnectionTarget | undefined> {
  const present = await tunnel.use()
  if (present.use !== 'held' || present.holder.pid === pid) return undefined
  const target = targetAt(present.holder.connection, instanceId)
  if (target === undefined) return undefined
  if (!takeOver) throw heldByOther(present.holder, target)
  await tunnel.askToDisconnect()
  return target
}

/** Where a connection to this instance goes, or went until the login ended. */
function targetAt(connection: ConnectionState, instanceId: string): ConnectionTarget | undefined {
  switch (connection.state) {
    case 'idle':
    case 'disconnecting':
    case 'disconnected':
      return undefined
    case 'failed':
      if (!loginEnds.includes(connection.error.code)) return undefined
      break
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
    case 'connected':
    case 'reconnecting':
      break
  }
  return connection.target.instanceId === instanceId ? connection.target : undefined
}

const loginEnds: readonly ErrorCode[] = ['session/over', 'oauth/login-required']

function heldByOther(
  { kind, pid }: TunnelHolder,
  { instanceId, profileId }: ConnectionTarget,
): CausewayError {
  const who = kind === 'window' ? "Causeway's window" : 'The terminal command'
  return new CausewayError(
    'connection/held-by-other',
    `${who} (process ${pid}) is connected to ${instanceId}, and renewing the login would disconnect it. Renew the login there, or disconnect first with: causeway disconnect.`,
    { details: { kind, pid, instance: instanceId, profileId } },
  )
}
