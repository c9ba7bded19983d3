import { createServer, type Server, type Socket } from 'node:net'
import { readLines } from './read-lines'
import { parseHello, parseRequest, type TunnelHolder, type TunnelRequest } from './tunnel-messages'
import { isProof, proofOf, shortPath, type TunnelAddress } from './tunnel-place'

const longestRequest = 1024
const mostVisitors = 32
/** What a visitor that does not read may leave waiting, in bytes. */
const mostUnread = 256 * 1024
/** How long a visitor has to prove that it knows the key. */
const proofWithinMs = 2000

/** Where the holder of the tunnel answers: each visitor gets the holder as a line of JSON, at once and at each change. */
export interface TunnelListener {
  /** Tells all visitors. */
  tell(holder: TunnelHolder): void
  close(): Promise<void>
}

/** Listens at the address; rejects with the system's error. `onDisconnect`: a visitor asks for the tunnel's end. */
export async function listenForVisitors(
  { path, key }: TunnelAddress,
  options: { readonly current: () => TunnelHolder; readonly onDisconnect: (by: TunnelRequest['by']) => void },
): Promise<TunnelListener> {
  const visitors = new Set<Socket>()
  const strangers = new Set<Socket>()
  const welcome = (visitor: Socket): void => {
    strangers.delete(visitor)
    visitors.add(visitor)
    visitor.setTimeout(0)
    write(visitor, options.current())
  }
  const server = createServer((visitor) => {
    strangers.add(visitor)
    visitor.on('close', () => {
      strangers.delete(visitor)
      visitors.delete(visitor)
    })
    // A visitor that goes away in the middle is no trouble of the holder's.
    visitor.on('error', () => visitor.destroy())
    visitor.setTimeout(proofWithinMs, () => visitor.destroy())
    readLines(visitor, longestRequest, (line) => {
      if (key !== undefined && strangers.has(visitor)) {
        const hello = parseHello(line)
        if (hello !== undefined && isProof(hello.proof, proofOf(key, 'visitor', hello.nonce))) {
          visitor.write(`${JSON.stringify({ proof: proofOf(key, 'holder', hello.nonce) })}\n`)
          welcome(visitor)
        } else visitor.destroy()
        return
      }
      const request = parseRequest(line)
      if (request === undefined) visitor.destroy()
      else options.onDisconnect(request.by)
    })
    if (key === undefined) welcome(visitor)
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
      for (const visitor of visitors) write(visitor, holder)
    },
    close: () =>
      new Promise((resolve) => {
        // Removes the socket, by the path that it was made with.
        server.close(() => {
          short.remove()
          resolve()
        })
        for (const visitor of [...visitors, ...strangers]) visitor.destroy()
      }),
  }
}

function write(visitor: Socket, holder: TunnelHolder): void {
  visitor.write(`${JSON.stringify(holder)}\n`)
  if (visitor.writableLength > mostUnread) visitor.destroy()
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
