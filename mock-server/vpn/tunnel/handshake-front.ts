import type { Listen } from './server-config'
import type { ServerProcess } from './server-process'

/** Starts a server for one client at this address. */
export type StartHandshakeServer = (listen: Listen) => Promise<ServerProcess>

/**
 * A listener that starts a server for each client, because each server accepts only one.
 */
export interface HandshakeFront {
  /** Listens on this port of an address, or on a free one for 0, and returns it. Rejects if the port is in use. */
  listen(host: string, port: number): Promise<number>
  /** Stops listening and ends every server that it started. */
  close(): Promise<void>
}
