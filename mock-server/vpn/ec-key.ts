import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

export interface Ed25519KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

export const ed25519KeyBytes = 32

/** The DER of a PKCS#8 Ed25519 key (RFC 8410) before the bytes of the key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function ed25519KeyPair(bytes: Buffer): Ed25519KeyPair {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, bytes]),
    format: 'der',
    type: 'pkcs8',
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

export interface EcKeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** Number of bytes for a key pair: enough for a uniform distribution of scalars. */
export const ecKeyBytes = 48

/** Returns the P-256 key pair that these `ecKeyBytes` bytes determine. */
export function ecKeyPair(bytes: Buffer): EcKeyPair {
  const curve = createECDH('prime256v1')
  const secret = Buffer.from(p256.utils.randomSecretKey(bytes))
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  const key = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: coordinate(1),
    y: coordinate(33),
  }
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Returns a deterministic ECDSA signature with SHA-256 in DER (RFC 6979). Those of node:crypto are random. */
export function signRepeatably(data: Buffer, privateKey: KeyObject): Buffer {
  const { d } = privateKey.export({ format: 'jwk' })
  if (d === undefined) throw new Error('Only a private P-256 key can sign.')
  return Buffer.from(p256.sign(data, Buffer.from(d, 'base64url'), { format: 'der' }))
}

/** Returns the private key as PKCS#8 in PEM, with LF and no final newline. */
export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString().trimEnd()
}
