import type { Listen } from './server-config'
import type { ServerProcess } from './server-process'

/** Starts a server for one client at this place. */
export type StartHandshakeServer = (listen: Listen) => Promise<ServerProcess>

/**
 * Stands before servers that take one client each, so that many clients can come, one after the other or together.
 */
export interface HandshakeFront {
  /** Listens on this port of 127.0.0.1, or on a free one for 0, and returns it. Rejects when it is taken. */
  listen(port: number): Promise<number>
  /** Stops listening and ends every server that it started. */
  close(): Promise<void>
}
