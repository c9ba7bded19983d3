import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key of minisign. */
export interface MinisignKey {
  /** In hexadecimal. */
  readonly id: string
  readonly key: KeyObject
}

/** The area of the errors about a signed list (contract/error-codes.ts). */
export type ListArea = 'organization-list' | 'updates'

const keyLength = 42
/** The DER encoding of an Ed25519 public key up to the key itself (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Parses a public key as `minisign -G` prints it: base64 in one line. Returns undefined for other texts. */
export function parseMinisignKey(text: string): MinisignKey | undefined {
  const bytes = decodeBase64(text.trim(), keyLength)
  if (bytes?.subarray(0, 2).toString('latin1') !== 'Ed') return undefined
  return {
    id: bytes.subarray(2, 10).toString('hex'),
    key: createPublicKey({
      key: Buffer.concat([derPrefix, bytes.subarray(10)]),
      format: 'der',
      type: 'spki',
    }),
  }
}

/** Strict: one spelling for each value. */
export function decodeBase64(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}
