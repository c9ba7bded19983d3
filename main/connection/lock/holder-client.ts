import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { readLines } from './read-lines'
import type { DisconnectedBy } from '../../../contract/connection'
import { parseHolder, parseWelcome, type TunnelHolder, type TunnelRequest } from './tunnel-messages'
import { isProof, proofOf, shortPath, type TunnelAddress } from './tunnel-place'

const maxAnswerLength = 64 * 1024

/** Use of the tunnel. `silent`: the holder doesn't answer, for example because its process is stopped. */
export type TunnelUse =
  | { readonly use: 'free' }
  | { readonly use: 'held'; readonly holder: TunnelHolder }
  | { readonly use: 'silent' }

const answerWithinMs = 2000

/** A client's connection to the holder of the tunnel. */
export interface HolderClient {
  /** Asks the holder to disconnect. */
  askToDisconnect(by: DisconnectedBy): void
  /** Asks the holder to start its tunnel again. */
  askToReconnect(): void
  /** Disconnects from the holder; no event follows. */
  end(): void
}

export interface HolderEvents {
  /** Called at once and at each change. */
  readonly onHolder: (holder: TunnelHolder) => void
  /** Called when the connection ends; `nobody`: there was no holder. */
  readonly onEnd: (how: 'nobody' | 'over') => void
}

/**
 * Connects to the holder at the address, if there is one. `onEnd` is called once, unless end() was called first. A listener
 * that doesn't know the key of the address isn't a holder.
 */
export function connectToHolder(
  address: TunnelAddress | undefined,
  { onHolder, onEnd }: HolderEvents,
): HolderClient {
  let how: 'nobody' | 'over' = address === undefined ? 'nobody' : 'over'
  let ended = false
  const over = (): void => {
    if (!ended) onEnd(how)
  }
  const socket = address === undefined ? undefined : connectTo(address.path)
  if (socket === undefined) {
    process.nextTick(over)
    return { askToDisconnect: () => undefined, askToReconnect: () => undefined, end: () => (ended = true) }
  }
  const key = address?.key
  let expected: string | undefined
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') how = 'nobody'
  })
  socket.on('close', over)
  readLines(socket, maxAnswerLength, (line) => {
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
  const ask = (request: TunnelRequest): void => {
    socket.write(`${JSON.stringify(request)}\n`)
  }
  return {
    askToDisconnect: (by) => {
      ask({ ask: 'disconnect', by })
    },
    askToReconnect: () => {
      ask({ ask: 'reconnect' })
    },
    end: () => {
      ended = true
      socket.destroy()
    },
  }
}

/** Returns who holds the tunnel at the address. */
export function askHolder(address: TunnelAddress | undefined, withinMs = answerWithinMs): Promise<TunnelUse> {
  return new Promise((resolve) => {
    const settle = (use: TunnelUse): void => {
      clearTimeout(timer)
      client.end()
      resolve(use)
    }
    const client = connectToHolder(address, {
      onHolder: (holder) => {
        settle({ use: 'held', holder })
      },
      onEnd: (how) => {
        settle({ use: how === 'nobody' ? 'free' : 'silent' })
      },
    })
    const timer = setTimeout(() => {
      settle({ use: 'silent' })
    }, withinMs)
  })
}

/** Returns a socket, or undefined if the path can't be shortened. */
function connectTo(path: string): Socket | undefined {
  try {
    const short = shortPath(path)
    try {
      // `connect` resolves the path at once.
      return connect(short.path)
    } finally {
      short.remove()
    }
  } catch {
    return undefined
  }
}
