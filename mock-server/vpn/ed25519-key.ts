import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** An Ed25519 key pair. */
export interface Ed25519KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The size of an Ed25519 private key in bytes. */
export const ed25519KeyBytes = 32

/** The DER of a PKCS#8 Ed25519 key (RFC 8410) before the bytes of the key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the Ed25519 key pair with these private bytes. */
export function ed25519KeyPair(bytes: Buffer): Ed25519KeyPair {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, bytes]),
    format: 'der',
    type: 'pkcs8',
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
