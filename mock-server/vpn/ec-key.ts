import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

/** The size in bytes of a private or public key of curve 25519. */
export const rawKeyBytes = 32

/** The DER of a PKCS#8 key (RFC 8410) before its bytes. */
const pkcs8Prefixes = {
  ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
  x25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
}

export function rawKeyPair(curve: keyof typeof pkcs8Prefixes, bytes: Buffer): KeyPairKeyObjectResult {
  const key = Buffer.concat([pkcs8Prefixes[curve], bytes])
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

export function rawPublicKey({ publicKey }: KeyPairKeyObjectResult): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-rawKeyBytes)
}

/** Number of bytes for a key pair: enough for a uniform distribution of scalars. */
export const ecKeyBytes = 48

export function ecKeyPair(bytes: Buffer): KeyPairKeyObjectResult {
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
