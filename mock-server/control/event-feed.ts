import type { ServerResponse } from 'node:http'

/** What listeners of `GET /_mock/events` are told of. */
export type EventName = 'request' | 'journal' | 'faults' | 'clock' | 'scenario'

/** A listener that leaves more than this unread is dropped: it does not read. */
const mostUnreadBytes = 1024 * 1024
const heartbeatMs = 15_000

/** Server-Sent Events: what happens, as it happens, to everyone who listens. Costs nothing while nobody does. */
export class EventFeed {
  readonly #listeners = new Set<ServerResponse>()
  #heartbeat: NodeJS.Timeout | undefined

  get listeners(): number {
    return this.#listeners.size
  }

  /** Takes over an answer, which lasts until its client goes, does not read, or the feed is closed. */
  listen(raw: ServerResponse): void {
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    raw.write('retry: 1000\n\n')
    this.#listeners.add(raw)
    raw.once('close', () => {
      this.#drop(raw)
    })
    raw.on('error', () => {
      this.#drop(raw)
    })
    this.#heartbeat ??= setInterval(() => {
      this.#send(': still here\n\n')
    }, heartbeatMs)
  }

  /** Tells every listener. `data` is JSON, and made only when there is one. */
  publish(name: EventName, data: () => unknown): void {
    if (this.#listeners.size > 0) this.#send(`event: ${name}\ndata: ${JSON.stringify(data())}\n\n`)
  }

  close(): void {
    for (const raw of this.#listeners) raw.end()
    this.#listeners.clear()
    this.#stopHeartbeat()
  }

  #send(text: string): void {
    for (const raw of this.#listeners) {
      if (raw.writableLength > mostUnreadBytes) raw.destroy()
      else raw.write(text)
    }
  }

  #drop(raw: ServerResponse): void {
    this.#listeners.delete(raw)
    if (this.#listeners.size === 0) this.#stopHeartbeat()
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
