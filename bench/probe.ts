import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

/**
 * Sends a packet of UDP every few milliseconds, and prints the time of the first answer. `ping` isn't fast enough: while an answer is
 * due, it sends every 10 ms at most, so all times would be multiples of that.
 */
const program = `
const [host, port, interval] = process.argv.slice(1)
const socket = require('node:dgram').createSocket('udp4')
const answered = []
const now = () => Number(process.hrtime.bigint()) / 1e6
let hasAnswer = false
socket.on('error', () => undefined)
socket.on('message', (packet) => {
  answered[packet.readUInt32BE(0)] = true
  if (hasAnswer) return
  hasAnswer = true
  console.log('first ' + now())
})
const sent = []
setInterval(() => {
  const packet = Buffer.alloc(64)
  packet.writeUInt32BE(sent.length, 0)
  sent.push(now())
  socket.send(packet, Number(port), host, () => undefined)
  if (sent.length === 1) console.log('begun')
}, Number(interval))
process.stdin.on('end', () => {
  const text = JSON.stringify(sent.map((at, index) => [at, answered[index] === true]))
  process.stdout.write(text + '\\n', () => process.exit())
}).resume()`

export interface Probe {
  /** Resolves with the time of the first answer, on the clock of `nowMs`. */
  readonly first: Promise<number>
  /** Ends it, and returns the times of all packets, and whether each was answered. */
  end(): Promise<readonly (readonly [at: number, isAnswered: boolean])[]>
}

/** The time on a clock that all processes share. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Begins to send packets to what answers inside a tunnel. */
export async function startProbe(host: string, port: number, intervalMs: number): Promise<Probe> {
  const words = ['-e', program, host, String(port), String(intervalMs)]
  const probe = execa(process.execPath, words, { stderr: 'inherit', reject: false, buffer: false })
  const lines = createInterface({ input: probe.stdout })
  let last = ''
  const first = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      if (line.startsWith('first ')) resolve(Number(line.slice('first '.length)))
      last = line
    })
  })
  const closed = once(lines, 'close')
  await once(lines, 'line')
  return {
    first,
    end: async () => {
      probe.stdin.end()
      await Promise.all([probe, closed])
      return JSON.parse(last) as [number, boolean][]
    },
  }
}
