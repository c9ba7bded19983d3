import { request } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { SendControlCall } from './client'
import type { App } from './http/app'

/**
 * Returns a function that makes control calls in the process of the mock: without its port and TLS, which may be broken on
 * demand, and without global timers, which tests replace (Fastify's `inject` waits for `setImmediate`).
 */
export function callsWithin(app: App, origin: string): SendControlCall {
  const { host } = new URL(origin)
  // With --origin, the scheme of the origin may be that of a proxy in front.
  const event = app.server instanceof SecureServer ? 'secureConnection' : 'connection'
  const connect = () => {
    const [client, server] = duplexPair()
    app.server.emit(event, server)
    return client
  }
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const call = request({ createConnection: connect, host, method, path, headers: { ...headers, host } })
      call.on('error', reject)
      call.on('response', (answer) => {
        text(answer).then((text) => {
          resolve({ status: answer.statusCode ?? 0, text })
        }, reject)
      })
      call.end(body)
    })
}
