import type { Server } from 'node:http'
import { Server as SecureServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import { Refusal } from '../http/refusal'
import { certificateFaults, isDnsName, type TlsIdentity, usualNames } from './server-identity'

export const tlsFaults = [
  ...certificateFaults,
  'old-version',
  'stalled-handshake',
  'closed-in-handshake',
] as const
export type TlsFault = (typeof tlsFaults)[number]

const maxNames = 200
/** The first byte of a TLS connection: a record with a handshake message. */
const handshakeRecord = 0x16

/** The TLS of one listener: a certificate for each name that a client asks for, and how handshakes go wrong. */
export class TlsListener {
  readonly options: ServerOptions
  readonly #identity: TlsIdentity
  readonly #host: string
  readonly #contexts = new Map<string, SecureContext>()
  #fault: TlsFault | undefined
  #server: SecureServer | undefined
  /** Connections that haven't sent anything yet, or whose handshake is stalled. */
  readonly #waiting = new Set<Socket>()

  /** `maxVersion` is the newest version of TLS while nothing is wrong. */
  constructor(identity: TlsIdentity, host: string, maxVersion?: 'TLSv1.2') {
    this.#identity = identity
    this.#host = host
    this.options = {
      ...this.#contextOptions(usualNames(host)),
      ...(maxVersion === undefined ? {} : { maxVersion }),
      SNICallback: (name, done) => {
        if (isDnsName(name)) done(null, this.#contextFor(name.toLowerCase()))
        else done(new Error('The server name is not valid.'))
      },
    }
  }

  get fault(): TlsFault | undefined {
    return this.#fault
  }

  /** Throws an Error if the fault needs a CA, and the mock has only a certificate. */
  set fault(fault: TlsFault | undefined) {
    const options = fault === undefined ? this.options : this.#contextOptions(usualNames(this.#host), fault)
    this.#server?.setSecureContext(options)
    this.#contexts.clear()
    this.#fault = fault
  }

  /**
   * Takes over the connections of a server. Plain http on its port goes to `plain`, so that control calls work while TLS is
   * broken.
   */
  attach(server: Server, plain: Server): void {
    if (server instanceof SecureServer) this.#server = server
    const accept = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      this.#waiting.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        this.#waiting.delete(socket)
      })
      socket.once('readable', () => {
        const first = socket.read(1) as Buffer | null
        if (first?.[0] === handshakeRecord && this.#fault === 'stalled-handshake') {
          // Otherwise the end of the client would stay unread.
          socket.resume()
          return
        }
        this.#waiting.delete(socket)
        // The client has gone.
        if (first === null) return
        socket.unshift(first)
        if (first[0] !== handshakeRecord) plain.emit('connection', socket)
        else if (this.#fault === 'closed-in-handshake') socket.destroy()
        else for (const go of accept) go.call(server, socket)
      })
    })
    server.on('close', () => {
      plain.closeAllConnections()
    })
  }

  /** Ends the connections that would keep the server from closing. */
  release(): void {
    for (const socket of this.#waiting) socket.destroy()
  }

  #contextFor(name: string): SecureContext {
    const known = this.#contexts.get(name)
    if (known !== undefined) return known
    if (this.#contexts.size >= maxNames) this.#contexts.clear()
    const context = createSecureContext(this.#contextOptions([name]))
    this.#contexts.set(name, context)
    return context
  }

  #contextOptions(names: string[], wanted = this.#fault): SecureContextOptions {
    const fault = certificateFaults.find((one) => one === wanted)
    const versions =
      wanted === 'old-version'
        ? // OpenSSL's default level allows no signature that TLS 1.1 has.
          ({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const)
        : {}
    return { ...this.#identity.issue(names, fault), ...versions }
  }
}

/** Refuses calls of services that come without TLS to a port with it. */
export function refusePlainCalls(app: App, isServiceCall: (request: FastifyRequest) => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isPlain = !(request.raw.socket instanceof TLSSocket) && isServiceCall(request)
    done(
      isPlain ? new Refusal(400, 'This port speaks https. Only control calls may come without.') : undefined,
    )
  })
}
