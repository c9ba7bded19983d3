import { X509Certificate, createPrivateKey } from 'node:crypto'
import type { asn1 as Asn1Types } from 'node-forge'
import asn1 from 'node-forge/lib/asn1.js'
import { CausewayError } from '../../errors'
import type { IssuedKeyPair } from './vpn-api'
import type { KeyPair } from './key-pair'

type Asn1 = Asn1Types.Asn1

/** The maximum length of a certificate chain or key, which limits the work on hostile text. */
const maxLength = 64 * 1024
const commonNameOid = '2.5.4.3'
const fittingName = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/**
 * Parses a certificate and its private key. Both are encoded again, because in an OpenVPN configuration they must contain
 * nothing but base64.
 *
 * Throws `certificate/invalid`, with `details.reason` one of `not-a-certificate`, `no-common-name`,
 * `not-a-private-key`, `key-does-not-fit`.
 */
export function readKeyPair({ certificate, privateKey }: IssuedKeyPair): KeyPair {
  const { x509, subject, notBefore, notAfter } = orInvalid('not-a-certificate', () =>
    readCertificate(certificate),
  )
  const commonName = orInvalid('no-common-name', () => readCommonName(subject))
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

/** Reads the fields from the DER, because node-forge's certificate parser only supports RSA. */
function readCertificate(pem: string): {
  x509: X509Certificate
  subject: Asn1
  notBefore: Date
  notAfter: Date
} {
  const x509 = new X509Certificate(bounded(pem))
  const [body] = children(asn1.fromDer(x509.raw.toString('latin1')))
  // RFC 5280, 4.1: [version], serial number, signature, issuer, validity, subject, …
  const fields = children(body).filter(({ tagClass }) => tagClass === asn1.Class.UNIVERSAL)
  const [, , , validity, subject] = fields
  const [notBefore, notAfter] = children(validity).map(readTime)
  if (subject === undefined || notBefore === undefined || notAfter === undefined) throw malformed()
  return { x509, subject, notBefore, notAfter }
}

function readTime(time: Asn1): Date {
  const text = content(time)
  const date = time.type === asn1.Type.UTCTIME ? asn1.utcTimeToDate(text) : asn1.generalizedTimeToDate(text)
  if (Number.isNaN(date.getTime())) throw malformed()
  return date
}

function readCommonName(subject: Asn1): string {
  const [name] = children(subject)
    .flatMap(children)
    .map(children)
    .flatMap(([type, value]) =>
      type !== undefined && value !== undefined && asn1.derToOid(content(type)) === commonNameOid
        ? [Buffer.from(content(value), 'latin1').toString('utf8')]
        : [],
    )
  if (name === undefined || !fittingName.test(name)) throw malformed()
  return name
}

function children(node: Asn1 | undefined): Asn1[] {
  if (node === undefined || typeof node.value === 'string') throw malformed()
  return node.value
}

function content(node: Asn1): string {
  if (typeof node.value !== 'string') throw malformed()
  return node.value
}

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
