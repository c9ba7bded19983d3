import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { readLines } from './read-lines'
import type { DisconnectedBy } from '../../../contract/connection'
import { parseHolder, parseWelcome, type TunnelHolder, type TunnelRequest } from './tunnel-messages'
import { isProof, proofOf, shortPath, type TunnelAddress } from './tunnel-place'

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

/**
 * Visits whoever listens at the address, or nobody where there is none. `onEnd` is called once, unless end() came first.
 * One who does not know the key of the address is nobody: holders alone know it.
 */
export function visitHolder(address: TunnelAddress | undefined, { onHolder, onEnd }: VisitEvents): Visit {
  let how: 'nobody' | 'over' = address === undefined ? 'nobody' : 'over'
  let ended = false
  const over = (): void => {
    if (!ended) onEnd(how)
    ended = true
  }
  const socket = address === undefined ? undefined : connectTo(address.path)
  if (address === undefined || socket === undefined) {
    process.nextTick(over)
    return { askToDisconnect: () => undefined, end: () => (ended = true) }
  }
  const { key } = address
  let expected: string | undefined
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') how = 'nobody'
  })
  socket.on('close', over)
  readLines(socket, longestAnswer, (line) => {
    if (ended) return
    if (expected !== undefined) {
      if (!isProof(parseWelcome(line) ?? '', expected)) {
        how = 'nobody'
        socket.destroy()
      }
      expected = undefined
      return
    }
    const holder = parseHolder(line)
    if (holder === undefined) socket.destroy()
    else onHolder(holder)
  })
  if (key !== undefined) {
    const nonce = randomBytes(16).toString('hex')
    expected = proofOf(key, 'holder', nonce)
    socket.write(`${JSON.stringify({ nonce, proof: proofOf(key, 'client', nonce) })}\n`)
  }
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

/** Undefined where there is no path to it that the system takes. */
function connectTo(path: string): Socket | undefined {
  try {
    const short = shortPath(path)
    try {
      // Looks the path up at once.
      return connect(short.path)
    } finally {
      short.remove()
    }
  } catch {
    return undefined
  }
}
