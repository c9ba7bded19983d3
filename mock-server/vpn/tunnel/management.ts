import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const limitMs = 1000

/**
 * Disconnects the clients with this common name, if any, over a server's management socket. Waits at most a second for the
 * answer: a frozen server disconnects them once it is thawed. Never rejects, because a server that has ended has no
 * clients.
 */
export async function killClient(socketPath: string, commonName: string): Promise<void> {
  const socket = connect(socketPath, () => {
    socket.write(`kill ${commonName}\n`)
  })
  const answered = new Promise<void>((resolve) => {
    const end = () => {
      socket.destroy()
      resolve()
    }
    socket.on('error', end)
    const lines = createInterface({ input: socket })
    lines.on('line', (line) => {
      if (/^(SUCCESS|ERROR):/.test(line)) end()
    })
    lines.on('close', end)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([answered, late])
  clearTimeout(timer)
  socket.unref()
}
