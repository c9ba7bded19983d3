import { createServer } from 'node:net'
import { dial } from './dial'

/** Dials a server of its own at these addresses of a name, in a network that dial.test.ts prepares, and prints the outcome. */
const addresses = process.argv.slice(2)
const server = createServer((socket) => socket.resume())
await new Promise<void>((resolve) => server.listen(8443, '::', resolve))
const begun = performance.now()
try {
  const socket = await dial({ host: 'vpn.example.org', port: 8443 }, (_name, _options, answer) => {
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  })
  process.stdout.write(
    `${JSON.stringify({ address: socket.remoteAddress, ms: performance.now() - begun })}\n`,
  )
  socket.destroy()
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ code: ((error as AggregateError).errors[0] as NodeJS.ErrnoException).code, ms: performance.now() - begun })}\n`,
  )
}
server.close()
