import { createInterface } from 'node:readline'

export function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Carries out orders, one per line of input, and answers each with `{"done": true}` or `{"failed": reason}`. */
export function obeyLines(obey: (order: unknown) => Promise<unknown>): void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    Promise.resolve(line)
      .then((text) => obey(JSON.parse(text)))
      .then(
        () => {
          report({ done: true })
        },
        (error: unknown) => {
          report({ failed: String(error) })
        },
      )
  })
  lines.once('close', () => process.exit())
}

/** Returns a reader of a stream of messages, each after its length in two bytes of network order. */
export function framed(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
      const end = 2 + rest.readUInt16BE()
      onMessage(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
  }
}
