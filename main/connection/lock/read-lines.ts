import type { Readable } from 'node:stream'

/** Calls back with each line (UTF-8) that the socket receives; destroys it after a line longer than `maxLength` characters. */
export function readLines(socket: Readable, maxLength: number, onLine: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (socket.destroyed) return
      if (line.length > maxLength) socket.destroy()
      else onLine(line)
    }
    if (rest.length > maxLength) socket.destroy()
  })
}
