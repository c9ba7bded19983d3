import type { ServerResponse } from 'node:http'

export type EventName = 'request' | 'journal' | 'faults' | 'clock' | 'scenario'

/** Unread bytes after which a listener that does not read is dropped. */
const maxUnreadBytes = 1024 * 1024
const heartbeatMs = 15_000

/** A feed of Server-Sent Events for any number of listeners. Costs nothing without listeners. */
export class EventFeed {
  readonly #listeners = new Set<ServerResponse>()
  #heartbeat: NodeJS.Timeout | undefined

  /** Streams events to this response until its client leaves or stops reading, or the feed closes. */
  listen(raw: ServerResponse): void {
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    raw.write('retry: 1000\n\n')
    this.#listeners.add(raw)
    const drop = () => {
      this.#listeners.delete(raw)
      if (this.#listeners.size === 0) this.#stopHeartbeat()
    }
    raw.once('close', drop).on('error', drop)
    this.#heartbeat ??= setInterval(() => {
      this.#send(': still here\n\n')
    }, heartbeatMs)
  }

  /** Sends an event to every listener. `data` returns JSON and is called only when there are listeners. */
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
      if (raw.writableLength > maxUnreadBytes) raw.destroy()
      else raw.write(text)
    }
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}
