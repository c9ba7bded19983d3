import { createHash, createPublicKey, verify } from 'node:crypto'

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A parsed signature. */
export interface Verification {
  algorithm: string
  isTrustedId: boolean
  isSigned: boolean
  isCommentSigned: boolean
  comment: string
}

/** Checks a `.minisig` text against a file and a public key, as minisign does, one check after the other. */
export function verifyMinisign(file: Buffer, signature: string, key: string): Verification {
  const [, first = '', commentLine = '', last = ''] = signature.split('\n')
  const bytes = Buffer.from(first, 'base64')
  const keyBytes = Buffer.from(key, 'base64')
  const publicKey = createPublicKey({
    key: Buffer.concat([spkiPrefix, keyBytes.subarray(10)]),
    format: 'der',
    type: 'spki',
  })
  const algorithm = bytes.subarray(0, 2).toString()
  const raw = bytes.subarray(10)
  const comment = commentLine.replace(/^trusted comment: /, '')
  const signed = algorithm === 'ED' ? createHash('blake2b512').update(file).digest() : file
  return {
    algorithm,
    isTrustedId: bytes.subarray(2, 10).equals(keyBytes.subarray(2, 10)),
    isSigned: verify(null, signed, publicKey, raw),
    isCommentSigned: verify(
      null,
      Buffer.concat([raw, Buffer.from(comment)]),
      publicKey,
      Buffer.from(last, 'base64'),
    ),
    comment,
  }
}
