import { createHash, X509Certificate, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { signRepeatably } from './ec-key'

export interface CertificateFields {
  role: 'authority' | 'server' | 'client'
  commonName: string
  issuerCommonName: string
  /** Sixteen bytes in hexadecimal with a clear first bit. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
  publicKey: KeyObject
  issuerPublicKey: KeyObject
  subjectNames?: readonly string[]
}

const ecdsaWithSha256 = () => new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
const purposes = { server: x509.id_kp_serverAuth, client: x509.id_kp_clientAuth }

function name(commonName: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: commonName })
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: '2.5.4.3', value })]),
  ])
}

/** Last time that a certificate can contain (RFC 5280, 4.1.2.5), and the first one used here. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)
const earliest = Date.UTC(1900, 0, 1)

/** Returns a time in the short form up to 2049 and in the long form from 2050, as RFC 5280 requires. */
function time(date: Date): x509.Time {
  const named = new Date(Math.min(Math.max(date.getTime(), earliest), latest))
  named.setUTCMilliseconds(0)
  const year = named.getUTCFullYear()
  return new x509.Time(year >= 1950 && year < 2050 ? { utcTime: named } : { generalTime: named })
}

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const keyIdentifier = (key: KeyObject) => createHash('sha1').update(spki(key)).digest()

function generalName(text: string): x509.GeneralName {
  const kind = isIP(text)
  if (kind === 0) return new x509.GeneralName({ dNSName: text })
  // The library misreads an IPv4 address at the end of an IPv6 one; a URL has the address without.
  return new x509.GeneralName({
    iPAddress: kind === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1),
  })
}

function extension(id: string, value: unknown, critical = false): x509.Extension {
  return new x509.Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

function extensions({
  role,
  publicKey,
  issuerPublicKey,
  subjectNames = [],
}: CertificateFields): x509.Extensions {
  const isAuthority = role === 'authority'
  const usage = new x509.KeyUsage(isAuthority ? keyCertSign | cRLSign : digitalSignature)
  const names = subjectNames.map(generalName)
  const issuerKey = new x509.KeyIdentifier(keyIdentifier(issuerPublicKey))
  return new x509.Extensions([
    extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: isAuthority }), true),
    extension(x509.id_ce_keyUsage, usage, true),
    ...(isAuthority ? [] : [extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([purposes[role]]))]),
    ...(names.length === 0
      ? []
      : [extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(names))]),
    extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(keyIdentifier(publicKey))),
    extension(
      x509.id_ce_authorityKeyIdentifier,
      new x509.AuthorityKeyIdentifier({ keyIdentifier: issuerKey }),
    ),
  ])
}

/** Returns an X.509 certificate as PEM, signed with ECDSA. The same fields give the same one, unlike WebCrypto. */
export function certificatePem(fields: CertificateFields, issuerPrivateKey: KeyObject): string {
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: Uint8Array.from(Buffer.from(fields.serialNumber, 'hex')).buffer,
    signature: ecdsaWithSha256(),
    issuer: name(fields.issuerCommonName),
    validity: new x509.Validity(),
    subject: name(fields.commonName),
    subjectPublicKeyInfo: AsnConvert.parse(spki(fields.publicKey), x509.SubjectPublicKeyInfo),
    extensions: extensions(fields),
  })
  tbsCertificate.validity.notBefore = time(fields.notBefore)
  tbsCertificate.validity.notAfter = time(fields.notAfter)
  const signature = signRepeatably(Buffer.from(AsnConvert.serialize(tbsCertificate)), issuerPrivateKey)
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: ecdsaWithSha256(),
    signatureValue: Uint8Array.from(signature).buffer,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString().trimEnd()
}

/** Returns sixteen bytes in hexadecimal, made a positive number without a leading zero byte, as DER requires. */
export function serialNumberOf(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}
