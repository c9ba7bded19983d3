import { createHash, timingSafeEqual } from 'node:crypto'

export type TokenKind = 'code' | 'access' | 'refresh'

interface SignedFields {
  /** Thirty-two hexadecimal digits. */
  authorizationId: string
  /** A new generation starts with each revocation for access tokens, and with each rotation for refresh tokens. */
  generation: number
  /** The expiry, in milliseconds since 1970. */
  expires: number
}

/** About the sizes of real portals' codes and tokens. Multiples of three need no base64 padding. */
const lengths = { code: 288, access: 300, refresh: 300 } as const
const kinds = ['code', 'access', 'refresh'] as const
const fieldBytes = 37
const maxKnown = 1000

/** Signed codes and tokens that contain their data, as on real portals, so that none has to be stored. */
export class SignedTokens {
  readonly #key: Buffer
  /** A cache of recently verified texts: a client sends the same token with every request. */
  readonly #verifiedCache = new Map<string, { kind: TokenKind; fields: SignedFields }>()

  constructor(key: Buffer) {
    this.#key = key
  }

  /** Returns a signed text. `nonce`, eight bytes, makes it unique. */
  write(kind: TokenKind, fields: SignedFields, nonce: Buffer): string {
    const bytes = Buffer.alloc(fieldBytes)
    bytes.writeUInt8(kinds.indexOf(kind), 0)
    bytes.write(fields.authorizationId, 1, 16, 'hex')
    bytes.writeUInt32BE(fields.generation, 17)
    bytes.writeDoubleBE(fields.expires, 21)
    nonce.copy(bytes, 29, 0, 8)
    return this.#encode(kind, bytes)
  }

  /** Returns the contents of a text of this kind; undefined if this key didn't sign it. */
  read(kind: TokenKind, text: string): SignedFields | undefined {
    const known = this.#verifiedCache.get(text)
    if (known !== undefined) return known.kind === kind ? known.fields : undefined
    const fields = this.#verified(kind, text)
    if (fields === undefined) return undefined
    if (this.#verifiedCache.size >= maxKnown) this.#verifiedCache.clear()
    this.#verifiedCache.set(text, { kind, fields })
    return fields
  }

  #verified(kind: TokenKind, text: string): SignedFields | undefined {
    if (text.length !== (lengths[kind] / 3) * 4) return undefined
    const bytes = Buffer.from(text, 'base64url').subarray(lengths[kind] - fieldBytes)
    if (bytes.length !== fieldBytes) return undefined
    const expected = Buffer.from(this.#encode(kind, bytes))
    const given = Buffer.from(text)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return {
      authorizationId: bytes.toString('hex', 1, 17),
      generation: bytes.readUInt32BE(17),
      expires: bytes.readDoubleBE(21),
    }
  }

  #encode(kind: TokenKind, fields: Buffer): string {
    const signature = createHash('shake256', { outputLength: lengths[kind] - fieldBytes })
      .update(this.#key)
      .update(kind)
      .update(fields)
      .digest()
    return Buffer.concat([signature, fields]).toString('base64url')
  }
}
