import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.testing'

export interface Answer {
  status: number
  contentType: string
  body: Buffer
}

const timeoutMs = 8000
/** Length from which a body may still be in transit when the server refuses it and closes the connection. */
const large = 1_000_000

/** Sends requests over a few persistent connections, so that leftovers of one request disturb the next. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  /**
   * Returns the answer, or undefined if a large body was refused before it was sent completely. Rejects when the
   * connection breaks or times out.
   */
  send({ method, url, headers, body }: FuzzRequest): Promise<Answer | undefined> {
    const { hostname, port } = new URL(this.#origin)
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { agent: this.#agent, hostname, port, method, path: url, headers, timeout: timeoutMs },
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
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)))
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
