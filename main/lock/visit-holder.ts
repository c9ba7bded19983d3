import { connect } from 'node:net'
import { readLines } from './read-lines'
import type { DisconnectedBy } from '../../preload/connection-contract'
import { parseHolder, type TunnelHolder, type TunnelRequest } from './tunnel-messages'

const longestAnswer = 64 * 1024

/** What a visit to the holder of the tunnel is told of. */
export interface Visit {
  /** Asks the holder to disconnect. */
  askToDisconnect(by: DisconnectedBy): void
  /** Ends the visit; nothing is told afterwards. */
  end(): void
}

export interface VisitEvents {
  /** At once, and at each change. */
  readonly onHolder: (holder: TunnelHolder) => void
  /** Nobody is there (`nobody`: not from the start), or the visit is over. */
  readonly onEnd: (how: 'nobody' | 'over') => void
}

/** Visits whoever listens at the address. `onEnd` is called once, unless end() came first. */
export function visitHolder(address: string, { onHolder, onEnd }: VisitEvents): Visit {
  const socket = connect(address)
  let nobody = false
  let ended = false
  socket.on('error', (error: NodeJS.ErrnoException) => {
    nobody = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
  })
  socket.on('close', () => {
    if (!ended) onEnd(nobody ? 'nobody' : 'over')
  })
  readLines(socket, longestAnswer, (line) => {
    if (ended) return
    const holder = parseHolder(line)
    if (holder === undefined) socket.destroy()
    else onHolder(holder)
  })
  return {
    askToDisconnect: (by) => {
      const request: TunnelRequest = { ask: 'disconnect', by }
      socket.write(`${JSON.stringify(request)}\n`)
    },
    end: () => {
      ended = true
      socket.destroy()
    },
  }
}
