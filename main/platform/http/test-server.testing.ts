import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

export interface TestServer {
  readonly server: Server
  readonly origin: string
  readonly url: (path: string) => URL
  readonly requests: IncomingMessage[]
}

/** Starts a real HTTP server on a free loopback port, and closes it with all its connections after the test. */
export async function startTestServer(handler: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  })
  const port = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  return { server, origin, url: (path) => new URL(path, origin), requests }
}

/** Listens on a free loopback port until the test ends; returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}

/** Returns the error that a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It was expected to fail.')
    },
    (error: unknown) => error,
  )
}
