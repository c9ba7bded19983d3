import { generateKeyPairSync } from 'node:crypto'

/** A key pair of WireGuard. */
export interface Key {
  readonly secret: Buffer
  readonly shared: Buffer
}

export function createKey(): Key {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return { secret: Buffer.from(d, 'base64url'), shared: Buffer.from(x, 'base64url') }
}
