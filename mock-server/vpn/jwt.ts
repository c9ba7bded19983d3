import { createHash, type KeyObject, verify } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { ecKeyPair } from './ec-key'

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Access tokens as JWTs (RFC 9068), signed with ES256. Each has the mock's own token in `jti`. */
export class AccessTokenJwts {
  /** The keys with which clients and services verify tokens (RFC 7517). */
  readonly jwks: { keys: object[] }
  readonly #secret: Buffer
  readonly #public: KeyObject
  readonly #head: string

  /** `keyBytes` are `ecKeyBytes` bytes that determine the key. */
  constructor(keyBytes: Buffer) {
    const { privateKey, publicKey } = ecKeyPair(keyBytes)
    const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
    // The thumbprint of RFC 7638.
    const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    this.jwks = { keys: [{ kty, crv, x, y, kid, use: 'sig', alg: 'ES256' }] }
    this.#secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
    this.#public = publicKey
    this.#head = base64url({ typ: 'at+jwt', alg: 'ES256', kid })
  }

  write(claims: object): string {
    const signed = `${this.#head}.${base64url(claims)}`
    // The signatures of node:crypto are random, and the mock's answers depend on its seed alone.
    const signature = p256.sign(Buffer.from(signed), this.#secret)
    return `${signed}.${Buffer.from(signature).toString('base64url')}`
  }

  /** Returns the mock's own token in a JWT; undefined if this key didn't sign it. */
  read(text: string): string | undefined {
    const [head, claims = '', signature = '', ...rest] = text.split('.')
    if (head !== this.#head || rest.length > 0) return undefined
    try {
      const bytes = Buffer.from(signature, 'base64url')
      const signed = Buffer.from(`${head}.${claims}`)
      if (!verify('sha256', signed, { key: this.#public, dsaEncoding: 'ieee-p1363' }, bytes)) return undefined
      const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string }
      return jti
    } catch {
      return undefined
    }
  }
}
