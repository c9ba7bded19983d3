/** Tells the parent process something. */
export function report(message: object): void {
  process.send?.(message)
}

/** Carries out orders of the parent process, and answers each with `{"done": true}` or `{"failed": reason}`. Ends with it. */
export function obeyParent(obey: (order: unknown) => Promise<unknown>): void {
  process.on('message', (order) => {
    obey(order).then(
      () => {
        report({ done: true })
      },
      (error: unknown) => {
        report({ failed: String(error) })
      },
    )
  })
  process.once('disconnect', () => process.exit())
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
