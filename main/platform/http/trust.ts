import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls'
import { readAuthorities } from './authorities'

/**
 * The authorities that https trusts, for all connections of Causeway. They are read for the first of them, because reading
 * takes some ten milliseconds. Versions and ciphers are ours, whatever options of Node.js say.
 */
export class Trust {
  readonly #read: () => Promise<readonly string[]>
  #authorities: Promise<readonly string[]> | undefined
  readonly #contexts = new Map<SecureVersion, Promise<SecureContext>>()

  /** @param read returns the certificates of the authorities, in PEM */
  constructor(read: () => Promise<readonly string[]>) {
    this.#read = read
  }

  /** Returns the context of connections with this version of TLS or a newer one. */
  secureContext(minVersion: SecureVersion = 'TLSv1.2'): Promise<SecureContext> {
    this.#authorities ??= this.#read()
    const context =
      this.#contexts.get(minVersion) ??
      this.#authorities.then((ca) =>
        createSecureContext({ ca: [...ca], minVersion, ciphers: constants.defaultCoreCipherList }),
      )
    this.#contexts.set(minVersion, context)
    return context
  }
}

/** Trusts the authorities that this computer trusts. */
export const systemTrust = new Trust(() => readAuthorities({ platform: process.platform, env: process.env }))
