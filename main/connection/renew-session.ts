import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { isUnderWay } from '../../contract/connection-summary'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import type { Validity } from '../portal/portal'
import type { TunnelUse } from './lock/holder-client'
import type { TunnelHolder } from './lock/tunnel-messages'
import type { ConnectOptions } from './connect-options'

export interface RenewSessionParts {
  readonly instanceId: string
  /** The profile to connect to afterwards; by default, the one that was connected. */
  readonly profileId?: string | undefined
  readonly connection: {
    readonly state: ConnectionState
    connect(target: ConnectionTarget, options?: Pick<ConnectOptions, 'login'>): Promise<unknown>
    disconnect(): Promise<void>
  }
  /** The tunnel lock that all processes share. */
  readonly tunnel: { use(): Promise<TunnelUse>; askToDisconnect(): Promise<void> }
  /** The id of this process. */
  readonly pid: number
  /** True to end another process's tunnel to the instance, and to connect here afterwards. */
  readonly takeOver: boolean
  /** Returns true if the tunnel can stay until the new login is there. */
  keepsTunnel(): Promise<boolean>
  /** Returns how long the login gives access, as far as known. */
  validity(): Promise<Validity | undefined>
  /** Called if the new login ends at the same time as the old one, which some portals only continue. */
  onSameEnd(): void
  /** Prepares for the login, which may take the old one. */
  beforeLogin(): Promise<'login-kept' | 'login-ended'>
  logIn(): Promise<void>
  /** Fetches the credentials of the new login. */
  begin(): Promise<unknown>
}

/**
 * Renews a login, and reconnects with it if it was connected, or if a profile is named. The tunnel stays until the new login is there where the API
 * allows that, so that a cancelled login costs nothing; else it ends first. The old tokens and grant are dropped only when the new ones replace them: after a cancelled or refused login the
 * old connection is restored. If the user changed the connection meanwhile, it's left as it is.
 *
 * Throws the errors of those steps, and `connection/held-by-other` if another process holds the tunnel to this instance and
 * `takeOver` is false.
 */
export async function renewSession(parts: RenewSessionParts): Promise<void> {
  const { connection, instanceId } = parts
  const before = await parts.validity()
  const handover = await takeFromOther(parts)
  const own = targetAt(connection.state, instanceId)
  const inUse = handover ?? (connection.state.state === 'failed' ? undefined : own)
  const isHere = ({ state }: RenewSessionParts['connection']): boolean =>
    'target' in state && state.target.instanceId === instanceId
  const stays = own !== undefined && connection.state.state === 'connected' && (await parts.keepsTunnel())
  // Also after a failure, which may have left a configuration at the portal.
  if (!stays && isHere(connection)) await connection.disconnect()
  const meanwhile = connection.state
  const untouched = (): boolean => {
    if (stays) return isDeepStrictEqual(targetAt(connection.state, instanceId), own)
    // A connection to another service may report its traffic meanwhile.
    return isUnderWay(meanwhile)
      ? isUnderWay(connection.state) && isDeepStrictEqual(targetOf(connection.state), targetOf(meanwhile))
      : connection.state === meanwhile
  }
  let oldLogin: Awaited<ReturnType<RenewSessionParts['beforeLogin']>> = 'login-kept'
  try {
    // A key store that can't be written keeps the old one.
    oldLogin = await parts.beforeLogin()
    await parts.logIn()
    // The old grant went with the old login.
    await parts.begin()
  } catch (error) {
    // The state of the connection shows the outcome.
    if (!stays && oldLogin === 'login-kept' && inUse !== undefined && untouched())
      await connection.connect(inUse, { login: 'never' }).catch(() => undefined)
    throw error
  }
  const { profileId } = parts
  const target = profileId === undefined ? (inUse ?? own) : { instanceId, profileId }
  if (target !== undefined && untouched()) {
    // With the credentials of the new login.
    if (stays) await connection.disconnect()
    await connection.connect(target)
  }
  const after = await parts.validity()
  if (before !== undefined && after !== undefined && endsAlike(before, after)) parts.onSameEnd()
}

/** Portals name the end in seconds. */
function endsAlike({ notAfter: one }: Validity, { notAfter: other }: Validity): boolean {
  return Math.abs(one.getTime() - other.getTime()) < 1000
}

/** Throws `connection/held-by-other` if another process has the tunnel to this instance. */
export async function requireNoOther(
  parts: Pick<RenewSessionParts, 'tunnel' | 'pid' | 'instanceId'>,
): Promise<void> {
  const other = await otherProcess(parts)
  if (other !== undefined) throw heldByOther(other.holder, other.target)
}

/** Ends another process's tunnel to this instance; returns its target, if there was one. */
async function takeFromOther(parts: RenewSessionParts): Promise<ConnectionTarget | undefined> {
  const other = await otherProcess(parts)
  if (other === undefined) return undefined
  if (!parts.takeOver) throw heldByOther(other.holder, other.target)
  await parts.tunnel.askToDisconnect()
  return other.target
}

/** Returns the process that has the tunnel to this instance, unless it is this one. */
async function otherProcess({
  tunnel,
  pid,
  instanceId,
}: Pick<RenewSessionParts, 'tunnel' | 'pid' | 'instanceId'>): Promise<
  { readonly holder: TunnelHolder; readonly target: ConnectionTarget } | undefined
> {
  const present = await tunnel.use()
  if (present.use !== 'held' || present.holder.pid === pid) return undefined
  const target = targetAt(present.holder.connection, instanceId)
  return target && { holder: present.holder, target }
}

function targetOf(connection: ConnectionState): ConnectionTarget | undefined {
  return 'target' in connection ? connection.target : undefined
}

/** Returns the target of a connection to this instance that is active, or failed because the login ended. */
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
  return new CausewayError('connection/held-by-other', {
    variant: 'renewing',
    details: { kind, pid, instance: instanceId, profileId },
  })
}
