import { createServer, type Server, type Socket } from 'node:net'
import { readLines } from './read-lines'
import { parseRequest, type TunnelHolder, type TunnelRequest } from './tunnel-messages'

const longestRequest = 1024
const mostVisitors = 32
/** What a visitor that does not read may leave waiting, in bytes. */
const mostUnread = 256 * 1024

/** Where the holder of the tunnel answers: each visitor gets the holder as a line of JSON, at once and at each change. */
export interface TunnelListener {
  /** Tells all visitors. */
  tell(holder: TunnelHolder): void
  close(): Promise<void>
}

/** Listens at the address; rejects with the system's error. `onDisconnect`: a visitor asks for the tunnel's end. */
export async function listenForVisitors(
  address: string,
  options: { readonly current: () => TunnelHolder; readonly onDisconnect: (by: TunnelRequest['by']) => void },
): Promise<TunnelListener> {
  const visitors = new Set<Socket>()
  const server = createServer((visitor) => {
    visitors.add(visitor)
    visitor.on('close', () => visitors.delete(visitor))
    // A visitor that goes away in the middle is no trouble of the holder's.
    visitor.on('error', () => visitor.destroy())
    readLines(visitor, longestRequest, (line) => {
      const request = parseRequest(line)
      if (request === undefined) visitor.destroy()
      else options.onDisconnect(request.by)
    })
    write(visitor, options.current())
  })
  server.maxConnections = mostVisitors
  await listen(server, address)
  return {
    tell: (holder) => {
      for (const visitor of visitors) write(visitor, holder)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        for (const visitor of visitors) visitor.destroy()
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
