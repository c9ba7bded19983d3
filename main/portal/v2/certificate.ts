import { X509Certificate, createPrivateKey } from 'node:crypto'
import { CausewayError } from '../../errors'
import type { IssuedKeyPair } from './vpn-api'
import type { KeyPair } from './key-pair'

/** The maximum length of a certificate chain or key, which limits the work on hostile text. */
const maxLength = 64 * 1024
const fittingName = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/**
 * Parses a certificate and its private key. Both are encoded again, because in an OpenVPN configuration they must contain
 * nothing but base64.
 *
 * Throws `certificate/invalid`, with `details.reason` one of `not-a-certificate`, `no-common-name`,
 * `not-a-private-key`, `key-does-not-fit`.
 */
export function readKeyPair({ certificate, privateKey }: IssuedKeyPair): KeyPair {
  const { x509, notBefore, notAfter } = orInvalid('not-a-certificate', () => readCertificate(certificate))
  const commonName = orInvalid('no-common-name', () => readCommonName(x509))
  const key = orInvalid('not-a-private-key', () => createPrivateKey(bounded(privateKey)))
  if (!x509.checkPrivateKey(key)) throw invalid('key-does-not-fit')
  return {
    certificate: x509.toString(),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    commonName,
    notBefore,
    notAfter,
  }
}

function readCertificate(pem: string): Pick<KeyPair, 'notBefore' | 'notAfter'> & { x509: X509Certificate } {
  const x509 = new X509Certificate(bounded(pem))
  // Node.js before 22.10 has no `validFromDate`.
  const [notBefore, notAfter] = [new Date(x509.validFrom), new Date(x509.validTo)]
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) throw malformed()
  return { x509, notBefore, notAfter }
}

/**
 * Reads the first common name of `subject`, which escapes special characters as RFC 2253 does. `toLegacyObject()` has it
 * without escapes, but breaks TLS for the life of a process that hasn't loaded `node:tls` yet (Node.js 20 to 24).
 */
function readCommonName(x509: X509Certificate): string {
  const escaped = firstCommonName.exec(x509.subject)?.groups?.name
  const name = escaped?.replace(
    /\\(?:(?<hex>[\dA-F]{2})|(?<character>.))/gu,
    (_escape, hex: string | undefined, character: string) =>
      hex === undefined ? character : String.fromCodePoint(Number.parseInt(hex, 16)),
  )
  if (name === undefined || !fittingName.test(name)) throw malformed()
  return name
}

const firstCommonName = /(?:^|\n| \+ )CN=(?<name>(?:\\.|[^\\\n])*?)(?=\n| \+ |$)/u

function bounded(pem: string): string {
  if (pem.length > maxLength) throw malformed()
  return pem
}

function malformed(): Error {
  return new Error("It doesn't follow RFC 5280 and RFC 5958.")
}

type Reason = 'not-a-certificate' | 'no-common-name' | 'not-a-private-key' | 'key-does-not-fit'

function orInvalid<T>(reason: Reason, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw invalid(reason, cause)
  }
}

function invalid(reason: Reason, cause?: unknown): CausewayError {
  return new CausewayError('certificate/invalid', { details: { reason }, cause })
}
