import { verify } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'
import { CausewayError } from '../../errors'
import { decodeBase64, type ListArea, type MinisignKey } from './minisign'

export interface SignatureExpectation {
  readonly area: ListArea
  readonly keys: readonly MinisignKey[]
  /** The name of the file that the signature has to be for. */
  readonly file: string
  /** True to accept a signature over the file itself (`Ed`), besides one over its hash (`ED`). */
  readonly legacy: 'accept' | 'refuse'
}

/** The values in the trusted comment of a signature. */
interface TrustedComment {
  /** When it was signed, in seconds since the epoch. */
  readonly timestamp: number
}

const signatureLength = 74

/**
 * Verifies a `.minisig` file over the content of its file: the signature, the trusted comment's signature, and that the
 * comment names the expected file. Throws `<area>/invalid-signature` with `details.reason`.
 *
 * BLAKE2b is computed in JavaScript, because Electron's crypto doesn't have it.
 */
export function verifyMinisign(
  content: Uint8Array,
  signatureFile: string,
  expected: SignatureExpectation,
): TrustedComment {
  const invalidSignature = (reason: string): CausewayError =>
    new CausewayError(`${expected.area}/invalid-signature`, { details: { reason } })
  const { algorithm, keyId, signature, comment, globalSignature } = parseSignatureFile(
    signatureFile,
    invalidSignature,
  )
  if (algorithm === 'Ed' && expected.legacy === 'refuse') throw invalidSignature('legacy-algorithm')
  const candidates = expected.keys.filter(({ id }) => id === keyId)
  if (candidates.length === 0) throw invalidSignature('unknown-key')
  const signed = algorithm === 'ED' ? blake2b(content, { dkLen: 64 }) : content
  const signer = candidates.find(({ key }) => verify(null, signed, key, signature))
  if (signer === undefined) throw invalidSignature('signature')
  const commented = Buffer.concat([signature, Buffer.from(comment)])
  if (!verify(null, commented, signer.key, globalSignature)) throw invalidSignature('comment-signature')
  return parseTrustedComment(comment, expected.file, invalidSignature)
}

/** Creates the error for a reason. */
type Refusal = (reason: string) => CausewayError

interface SignatureFile {
  readonly algorithm: 'Ed' | 'ED'
  readonly keyId: string
  readonly signature: Buffer
  readonly comment: string
  readonly globalSignature: Buffer
}

const trustedPrefix = 'trusted comment: '

function parseSignatureFile(text: string, invalidSignature: Refusal): SignatureFile {
  const [untrusted = '', encoded = '', trusted = '', encodedGlobal = '', ...rest] = text.split(/\r?\n/)
  const isComplete =
    untrusted.startsWith('untrusted comment:') &&
    trusted.startsWith(trustedPrefix) &&
    rest.every((line) => line === '')
  const bytes = decodeBase64(encoded, signatureLength)
  const globalSignature = decodeBase64(encodedGlobal, 64)
  if (!isComplete || bytes === undefined || globalSignature === undefined) throw invalidSignature('format')
  const algorithm = bytes.subarray(0, 2).toString('latin1')
  if (algorithm !== 'Ed' && algorithm !== 'ED') throw invalidSignature('unknown-algorithm')
  return {
    algorithm,
    keyId: bytes.subarray(2, 10).toString('hex'),
    signature: bytes.subarray(10),
    comment: trusted.slice(trustedPrefix.length),
    globalSignature,
  }
}

function parseTrustedComment(comment: string, file: string, invalidSignature: Refusal): TrustedComment {
  const fields = new Map<string, string>()
  for (const field of comment.split('\t')) {
    const [, name, value] = /^(timestamp|file):(.*)$/.exec(field) ?? []
    if (name === undefined || value === undefined) continue
    if (fields.has(name)) throw invalidSignature('comment')
    fields.set(name, value)
  }
  const timestamp = fields.get('timestamp') ?? ''
  if (!/^\d{1,16}$/.test(timestamp) || !Number.isSafeInteger(Number(timestamp))) {
    throw invalidSignature('timestamp')
  }
  if (fields.get('file') !== file) throw invalidSignature('file-name')
  return { timestamp: Number(timestamp) }
}
