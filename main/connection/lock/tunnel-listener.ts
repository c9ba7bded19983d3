import { createServer, type Server, type Socket } from 'node:net'
import { readLines } from './read-lines'
import { parseHello, parseRequest, type TunnelHolder, type TunnelRequest } from './tunnel-messages'
import { isProof, proofOf, shortPath, type TunnelAddress } from './tunnel-place'

const longestRequest = 1024
const mostVisitors = 32
/** What a client that does not read may leave waiting, in bytes. */
const mostUnread = 256 * 1024
/** How long a client has to prove that it knows the key. */
const proofWithinMs = 2000

/** Where the holder of the tunnel answers: each client gets the holder as a line of JSON, at once and at each change. */
export interface TunnelListener {
  /** Tells all clients. */
  tell(holder: TunnelHolder): void
  close(): Promise<void>
}

/** Listens at the address; rejects with the system's error. `onDisconnect`: a client asks for the tunnel's end. */
export async function listenForVisitors(
  { path, key }: TunnelAddress,
  options: { readonly current: () => TunnelHolder; readonly onDisconnect: (by: TunnelRequest['by']) => void },
): Promise<TunnelListener> {
  const clients = new Set<Socket>()
  const strangers = new Set<Socket>()
  const welcome = (client: Socket): void => {
    strangers.delete(client)
    clients.add(client)
    client.setTimeout(0)
    write(client, options.current())
  }
  const server = createServer((client) => {
    strangers.add(client)
    client.on('close', () => {
      strangers.delete(client)
      clients.delete(client)
    })
    // A client that goes away in the middle is no trouble of the holder's.
    client.on('error', () => client.destroy())
    client.setTimeout(proofWithinMs, () => client.destroy())
    readLines(client, longestRequest, (line) => {
      if (key !== undefined && strangers.has(client)) {
        const hello = parseHello(line)
        if (hello !== undefined && isProof(hello.proof, proofOf(key, 'client', hello.nonce))) {
          client.write(`${JSON.stringify({ proof: proofOf(key, 'holder', hello.nonce) })}\n`)
          welcome(client)
        } else client.destroy()
        return
      }
      const request = parseRequest(line)
      if (request === undefined) client.destroy()
      else options.onDisconnect(request.by)
    })
    if (key === undefined) welcome(client)
  })
  server.maxConnections = mostVisitors
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
        // Removes the socket, by the path that it was made with.
        server.close(() => {
          short.remove()
          resolve()
        })
        for (const client of [...clients, ...strangers]) client.destroy()
      }),
  }
}

function write(client: Socket, holder: TunnelHolder): void {
  client.write(`${JSON.stringify(holder)}\n`)
  if (client.writableLength > mostUnread) client.destroy()
}

function listen(server: Server, address: string): Promise<void> {
  // The socket is made within the call, and is its owner's alone from the first moment.
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
