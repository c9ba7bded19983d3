import { createHash, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import forge from 'node-forge'
import { signRepeatably } from './ec-key'

const { asn1 } = forge
const { Class, Type } = asn1

type Role = 'authority' | 'server' | 'client'

/** Contents of a certificate. */
interface CertificateFields {
  role: Role
  commonName: string
  issuerCommonName: string
  /** Sixteen bytes in hexadecimal with a clear first bit. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  publicKey: KeyObject
  issuerPublicKey: KeyObject
  /** The DNS names and IP addresses of a TLS server. */
  subjectNames?: readonly string[]
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
/** Tags [0] and [3] of a certificate's body. node-forge types them as the universal types with the same numbers. */
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

/** Last time that a certificate can contain (RFC 5280, 4.1.2.5), and the first one used here. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)
const earliest = Date.UTC(1900, 0, 1)

/** Returns a time in the short form up to 2049 and in the long form from 2050, as RFC 5280 requires. */
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

/** Returns the bytes of an IP address, as certificates contain it. */
function addressBytes(address: string): string {
  if (isIP(address) === 4) return String.fromCharCode(...address.split('.').map(Number))
  // A URL has the address in its usual form, without an IPv4 address at its end.
  const [start = '', end = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const [first, last] = [groupsOf(start), groupsOf(end)]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  return forge.util.hexToBytes([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''))
}

/** Tags [2] and [7] of a subjectAltName, dNSName and iPAddress, typed as the universal types with the same numbers. */
const dnsName = Type.INTEGER
const ipAddress = Type.ODESC

/** Returns the subjectAltName (RFC 5280, 4.2.1.6). */
function subjectAltName(names: readonly string[]): forge.asn1.Asn1 {
  const general = (tag: forge.asn1.Type, bytes: string) =>
    asn1.create(Class.CONTEXT_SPECIFIC, tag, false, bytes)
  return sequence(
    ...names.map((name) =>
      isIP(name) === 0 ? general(dnsName, name) : general(ipAddress, addressBytes(name)),
    ),
  )
}

function extensions(fields: CertificateFields): forge.asn1.Asn1 {
  const { keyUsage, extendedKeyUsage } = roles[fields.role]
  const { subjectNames = [] } = fields
  const isAuthority = fields.role === 'authority'
  const authorityKey = asn1.create(Class.CONTEXT_SPECIFIC, tag0, false, keyIdentifier(fields.issuerPublicKey))
  return sequence(
    extension('2.5.29.19', true, sequence(...(isAuthority ? [primitive(Type.BOOLEAN, '\xff')] : []))),
    extension('2.5.29.15', true, primitive(Type.BITSTRING, keyUsage)),
    ...(extendedKeyUsage === undefined
      ? []
      : [extension('2.5.29.37', false, sequence(objectId(extendedKeyUsage)))]),
    ...(subjectNames.length === 0 ? [] : [extension('2.5.29.17', false, subjectAltName(subjectNames))]),
    extension('2.5.29.14', false, primitive(Type.OCTETSTRING, keyIdentifier(fields.publicKey))),
    extension('2.5.29.35', false, sequence(authorityKey)),
  )
}

/**
 * Returns an X.509 certificate, signed with ECDSA and SHA-256 by the issuer's P-256 key, as PEM with LF and no final
 * newline. Portals issue ECDSA certificates; node-forge's own code supports only RSA keys.
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
