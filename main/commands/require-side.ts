import type { ConnectionState } from '../../contract/connection'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'

type Connected = Extract<ConnectionState, { state: 'connected' }>

/**
 * Returns the connection that is up, in any process. Throws if a program for this side would run on the other one:
 * `connection/not-connected` inside without a connection, `apps/all-inside` outside where all apps use it.
 */
export async function requireSide(
  tunnel: Pick<Services['tunnel'], 'use'>,
  side: 'outside' | 'inside',
): Promise<Connected | undefined> {
  const use = await tunnel.use()
  const connection = use.use === 'held' ? use.holder.connection : undefined
  if (connection?.state !== 'connected') {
    if (side === 'inside') throw new CausewayError('connection/not-connected')
    return undefined
  }
  if (side === 'outside' && connection.apps === undefined) throw new CausewayError('apps/all-inside')
  return connection
}
