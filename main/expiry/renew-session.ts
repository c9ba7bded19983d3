import type { ConnectionState, ConnectionTarget } from '../connection/state'

export interface RenewSessionParts {
  readonly instanceId: string
  readonly connection: {
    readonly state: ConnectionState
    connect(target: ConnectionTarget): Promise<unknown>
    disconnect(): Promise<void>
  }
  logOut(): Promise<void>
  logIn(): Promise<void>
  renewCertificate(): Promise<unknown>
}

/**
 * A new login with a new certificate, before the old ones end (field notes, "How good clients behave"): disconnect,
 * drop the tokens, authorize, and connect again if it was connected. When the login fails the old one is gone all the
 * same. Throws what those steps throw.
 */
export async function renewSession(parts: RenewSessionParts): Promise<void> {
  const { connection } = parts
  const target = targetInUse(connection.state, parts.instanceId)
  if (target !== undefined) await connection.disconnect()
  await parts.logOut()
  await parts.logIn()
  // The old certificate would be good for a while still, and end with the old login.
  await parts.renewCertificate()
  if (target !== undefined) await connection.connect(target)
}

function targetInUse(state: ConnectionState, instanceId: string): ConnectionTarget | undefined {
  switch (state.state) {
    case 'idle':
    case 'disconnecting':
    case 'disconnected':
    case 'failed':
      return undefined
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
    case 'connected':
    case 'reconnecting':
      return state.target.instanceId === instanceId ? state.target : undefined
  }
}
