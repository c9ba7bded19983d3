import { createHash, type KeyObject } from 'node:crypto'
import forge from 'node-forge'
import { signRepeatably } from './ec-key'

const { asn1 } = forge
const { Class, Type } = asn1

type Role = 'authority' | 'server' | 'client'

/** What stands in a certificate. */
export interface CertificateFields {
  role: Role
  commonName: string
  issuerCommonName: string
  /** Sixteen bytes in hexadecimal, the first bit clear. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  publicKey: KeyObject
  issuerPublicKey: KeyObject
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'
const roles: Record<Role, { keyUsage: string; extendedKeyUsage?: string }> = {
  authority: { keyUsage: '\x01\x06' },
  server: { keyUsage: '\x07\x80', extendedKeyUsage: '1.3.6.1.5.5.7.3.1' },
  client: { keyUsage: '\x07\x80', extendedKeyUsage: '1.3.6.1.5.5.7.3.2' },
}

const primitive = (type: forge.asn1.Type, bytes: string) => asn1.create(Class.UNIVERSAL, type, false, bytes)
const sequence = (...children: forge.asn1.Asn1[]) =>
  asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, children)
/** Tags [0] and [3] of a certificate's body; node-forge types tags by the universal types of the same number. */
const tag0 = Type.NONE
const tag3 = Type.BITSTRING
const tagged = (tag: forge.asn1.Type, child: forge.asn1.Asn1) =>
  asn1.create(Class.CONTEXT_SPECIFIC, tag, true, [child])
const objectId = (id: string) => primitive(Type.OID, asn1.oidToDer(id).getBytes())
const bytesOf = (node: forge.asn1.Asn1) => asn1.toDer(node).getBytes()
const algorithm = () => sequence(objectId(ecdsaWithSha256))

function name(commonName: string): forge.asn1.Asn1 {
  const attribute = sequence(objectId('2.5.4.3'), primitive(Type.UTF8, forge.util.encodeUtf8(commonName)))
  return sequence(asn1.create(Class.UNIVERSAL, Type.SET, true, [attribute]))
}

/** The last moment that a certificate can name (RFC 5280, 4.1.2.5), and the first one here. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)
const earliest = Date.UTC(1900, 0, 1)

/** RFC 5280 wants the short form of a time up to 2049 and the long one from 2050. */
function time(date: Date): forge.asn1.Asn1 {
  const named = new Date(Math.min(Math.max(date.getTime(), earliest), latest))
  const year = named.getUTCFullYear()
  return year >= 1950 && year < 2050
    ? primitive(Type.UTCTIME, asn1.dateToUtcTime(named))
    : primitive(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(named))
}

function publicKeyInfo(key: KeyObject): forge.asn1.Asn1 {
  return asn1.fromDer(key.export({ type: 'spki', format: 'der' }).toString('binary'))
}

function keyIdentifier(key: KeyObject): string {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('binary')
}

function extension(id: string, critical: boolean, value: forge.asn1.Asn1): forge.asn1.Asn1 {
  const flag = critical ? [primitive(Type.BOOLEAN, '\xff')] : []
  return sequence(objectId(id), ...flag, primitive(Type.OCTETSTRING, bytesOf(value)))
}

function extensions(fields: CertificateFields): forge.asn1.Asn1 {
  const { keyUsage, extendedKeyUsage } = roles[fields.role]
  const isAuthority = fields.role === 'authority'
  const authorityKey = asn1.create(Class.CONTEXT_SPECIFIC, tag0, false, keyIdentifier(fields.issuerPublicKey))
  return sequence(
    extension('2.5.29.19', true, sequence(...(isAuthority ? [primitive(Type.BOOLEAN, '\xff')] : []))),
    extension('2.5.29.15', true, primitive(Type.BITSTRING, keyUsage)),
    ...(extendedKeyUsage === undefined
      ? []
      : [extension('2.5.29.37', false, sequence(objectId(extendedKeyUsage)))]),
    extension('2.5.29.14', false, primitive(Type.OCTETSTRING, keyIdentifier(fields.publicKey))),
    extension('2.5.29.35', false, sequence(authorityKey)),
  )
}

/**
 * An X.509 certificate, signed with ECDSA and SHA-256 by the issuer's P-256 key, as PEM with LF and no final newline.
 * Built here because node-forge itself can only make certificates for RSA keys, and portals issue ECDSA ones.
 */
export function certificatePem(fields: CertificateFields, issuerPrivateKey: KeyObject): string {
  const toBeSigned = sequence(
    tagged(tag0, primitive(Type.INTEGER, '\x02')),
    primitive(Type.INTEGER, forge.util.hexToBytes(fields.serialNumber)),
    algorithm(),
    name(fields.issuerCommonName),
    sequence(time(fields.notBefore), time(fields.notAfter)),
    name(fields.commonName),
    publicKeyInfo(fields.publicKey),
    tagged(tag3, extensions(fields)),
  )
  const signature = signRepeatably(Buffer.from(bytesOf(toBeSigned), 'binary'), issuerPrivateKey)
  const certificate = sequence(
    toBeSigned,
    algorithm(),
    primitive(Type.BITSTRING, `\0${signature.toString('binary')}`),
  )
  const lines = Buffer.from(bytesOf(certificate), 'binary')
    .toString('base64')
    .replace(/(.{64})(?=.)/g, '$1\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`
}
