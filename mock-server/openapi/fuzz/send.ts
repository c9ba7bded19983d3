import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests'

/** An answer as it came over the wire. */
export interface Answer {
  status: number
  contentType: string
  body: Buffer
}

const patienceMs = 8000
/** A refused body of this size may still be on its way when the server has closed the connection. */
const large = 1_000_000

/** Sends requests over a few connections that stay open, so that what one leaves behind meets the next. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /**
   * The answer, or undefined where a large body was refused before all of it was sent. Rejects when the connection breaks,
   * or nothing comes in time.
   */
  send({ method, url, headers, body }: FuzzRequest): Promise<Answer | undefined> {
    const { hostname, port } = new URL(this.#origin)
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { agent: this.#agent, hostname, port, method, path: url, headers, timeout: patienceMs },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const contentType = incoming.headers['content-type'] ?? ''
            resolve({ status: incoming.statusCode ?? 0, contentType, body: Buffer.concat(chunks) })
          })
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patienceMs} ms`)))
      outgoing.on('error', (error) => {
        if ((body?.length ?? 0) > large && !error.message.startsWith('no answer')) resolve(undefined)
        else reject(error)
      })
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
