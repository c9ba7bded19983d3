import { createHash, sign } from 'node:crypto'
import { ed25519KeyBytes, ed25519KeyPair, type Ed25519KeyPair } from '../vpn/ec-key'

const keyIdBytes = 8
/** The size of a key and its id in bytes. */
export const minisignKeyBytes = keyIdBytes + ed25519KeyBytes

/** Algorithms of signatures: over the file itself (`Ed`, legacy), or over its BLAKE2b-512 hash (`ED`). */
export const minisignAlgorithms = ['Ed', 'ED'] as const
type MinisignAlgorithm = (typeof minisignAlgorithms)[number]

/** A minisign key (api-v3-facts.md, section 9.1). */
export class MinisignKey {
  readonly #id: Buffer
  readonly #keys: Ed25519KeyPair

  /** Creates a key from `minisignKeyBytes` bytes: the id and the private key. `id` replaces the id. */
  constructor(bytes: Buffer, id = bytes.subarray(0, keyIdBytes)) {
    this.#id = id
    this.#keys = ed25519KeyPair(bytes.subarray(keyIdBytes))
  }

  get id(): Buffer {
    return this.#id
  }

  /** The public key as minisign prints it, in base64. */
  get publicKey(): string {
    const key = this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-ed25519KeyBytes)
    return Buffer.concat([Buffer.from('Ed'), this.#id, key]).toString('base64')
  }

  sign(file: Buffer, algorithm: MinisignAlgorithm, trustedComment: string): string {
    const { privateKey } = this.#keys
    const signed = algorithm === 'Ed' ? file : createHash('blake2b512').update(file).digest()
    const signature = sign(null, signed, privateKey)
    const global = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), privateKey)
    return [
      'untrusted comment: signature from the Causeway mock server',
      Buffer.concat([Buffer.from(algorithm), this.#id, signature]).toString('base64'),
      `trusted comment: ${trustedComment}`,
      global.toString('base64'),
      '',
    ].join('\n')
  }
}
