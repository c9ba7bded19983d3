import { generateKeyPairSync } from 'node:crypto'

/** The last 32 bytes of both encodings (RFC 8410). */
const keyBytes = 32

/** A key pair for one `/connect`. */
export interface WireGuardKeys {
  /** The owner overwrites it. No string is ever made of it, because none could be overwritten. */
  readonly privateKey: Buffer
  /** In canonical base64. */
  readonly publicKey: string
}

/** Makes an X25519 key pair. */
export function createWireGuardKeys(): WireGuardKeys {
  const { privateKey: encoded, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  // A copy with memory of its own: small buffers share theirs.
  const privateKey = Buffer.alloc(keyBytes)
  encoded.copy(privateKey, 0, encoded.length - keyBytes)
  encoded.fill(0)
  return { privateKey, publicKey: publicKey.subarray(-keyBytes).toString('base64') }
}
