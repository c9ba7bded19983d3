import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** What somebody may send who has not shown yet that he is our OpenVPN. */
const maxUnprovenBytes = 65_536

/**
 * The wire between Causeway and an OpenVPN that the Windows service started, whose standard input and output Causeway
 * does not have. OpenVPN connects to it (`--management`, `--management-client`), sends its log, and ends in order when it
 * is closed, also because Causeway was killed.
 */
export interface LogLine {
  readonly port: number
  /** OpenVPN has connected and said the mark: it has read its configuration. */
  readonly connected: Promise<void>
  readonly isConnected: () => boolean
  /** Calls back with each line, also with those that came before; resolves when there will be no more. */
  follow(onLine: (line: string) => void): Promise<void>
  /** Ends OpenVPN if it is connected; takes nobody else in. */
  close(): void
}

/**
 * Listens on the loopback interface. Any program of this computer may connect there, so nothing is sent but the wish for
 * the log, and nobody is believed who does not say the mark, which is in the user's own file only.
 */
export async function openLogLine(mark: string): Promise<LogLine> {
  const unproven = new Set<Socket>()
  const waiting: string[] = []
  let proven: Socket | undefined
  let tell = (line: string): void => void waiting.push(line)
  let markSaid: () => void = () => undefined
  let over: () => void = () => undefined
  const connected = new Promise<void>((resolve) => (markSaid = resolve))
  const ended = new Promise<void>((resolve) => (over = resolve))

  const server = createServer((socket) => {
    unproven.add(socket)
    let bytes = 0
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxUnprovenBytes) socket.destroy()
    }
    socket.on('data', count)
    // What ends a connection is told by its close.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      unproven.delete(socket)
      if (socket === proven) over()
    })
    createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
      const text = logText(line)
      if (text === undefined) return
      if (socket === proven) {
        tell(text)
      } else if (proven === undefined && text === `ECHO:${mark}`) {
        proven = socket
        socket.off('data', count)
        unproven.delete(socket)
        stopListening()
        markSaid()
      }
    })
    socket.write('log on all\r\n')
  })

  function stopListening(): void {
    server.close()
    for (const socket of unproven) socket.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connected,
    isConnected: () => proven !== undefined,
    follow: async (onLine) => {
      waiting.splice(0).forEach(onLine)
      tell = onLine
      await ended
    },
    close: () => {
      stopListening()
      if (proven === undefined) over()
      else proven.end()
    },
  }
}

/** The text of a line of the log, of those that were there before or of a new one; undefined for any other answer. */
export function logText(line: string): string | undefined {
  return /^(?:>LOG:)?\d{1,12},[A-Z]{0,8},(.*)$/.exec(line)?.[1]
}
