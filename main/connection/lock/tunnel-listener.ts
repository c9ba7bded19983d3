import { createServer, type Server, type Socket } from 'node:net'
import { readLines } from './read-lines'
import { parseHello, parseRequest, type TunnelHolder, type TunnelRequest } from './tunnel-messages'
import { isProof, proofOf, shortPath, type TunnelAddress } from './tunnel-place'

const maxRequestLength = 1024
const maxClients = 32
/** A client for which so many bytes wait doesn't read. */
const maxUnreadBytes = 256 * 1024
/** The time limit for a client to prove that it knows the key. */
const proofWithinMs = 2000

/** The server of the tunnel's holder. It sends the holder's state to each client as a line of JSON, at once and at each change. */
export interface TunnelListener {
  /** Sends the holder's state to all clients. */
  tell(holder: TunnelHolder): void
  close(): Promise<void>
}

/** Listens at the address; rejects with the system's error. `onRequest`: a client asks for something. */
export async function listenForClients(
  { path, key }: TunnelAddress,
  options: { readonly current: () => TunnelHolder; readonly onRequest: (request: TunnelRequest) => void },
): Promise<TunnelListener> {
  const clients = new Set<Socket>()
  /** With the timers that hang up on them. */
  const unverified = new Map<Socket, NodeJS.Timeout>()
  const forget = (client: Socket): void => {
    clearTimeout(unverified.get(client))
    unverified.delete(client)
    clients.delete(client)
  }
  const accept = (client: Socket): void => {
    forget(client)
    clients.add(client)
    write(client, options.current())
  }
  const server = createServer({ highWaterMark: maxUnreadBytes }, (client) => {
    client.on('close', () => {
      forget(client)
    })
    // A client that goes away doesn't affect the holder.
    client.on('error', () => client.destroy())
    readLines(client, maxRequestLength, (line) => {
      if (key !== undefined && !clients.has(client)) {
        const hello = parseHello(line)
        if (hello !== undefined && isProof(hello.proof, proofOf(key, 'client', hello.nonce))) {
          client.write(`${JSON.stringify({ proof: proofOf(key, 'holder', hello.nonce) })}\n`)
          accept(client)
        } else client.destroy()
        return
      }
      const request = parseRequest(line)
      if (request === undefined) client.destroy()
      else options.onRequest(request)
    })
    if (key === undefined) accept(client)
    else
      unverified.set(
        client,
        setTimeout(() => client.destroy(), proofWithinMs),
      )
  })
  server.maxConnections = maxClients
  const short = shortPath(path)
  try {
    await listen(server, short.path)
  } catch (error) {
    short.remove()
    throw error
  }
  return {
    tell: (holder) => {
      for (const client of clients) write(client, holder)
    },
    close: () =>
      new Promise((resolve) => {
        // Also removes the socket, by the path that it was created with.
        server.close(() => {
          short.remove()
          resolve()
        })
        for (const client of [...clients, ...unverified.keys()]) client.destroy()
      }),
  }
}

function write(client: Socket, holder: TunnelHolder): void {
  if (!client.write(`${JSON.stringify(holder)}\n`)) client.destroy()
}

function listen(server: Server, address: string): Promise<void> {
  // `listen` creates the socket synchronously, so only its owner can ever use it.
  const before = process.umask(0o177)
  try {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(address, resolve)
    })
  } finally {
    process.umask(before)
  }
}
