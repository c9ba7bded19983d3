import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import type { Clock } from '../clock'
import { certificatePem } from './certificate-der'

/** A certificate and its private key, both PEM with LF and no newline at the end. */
export interface KeyPair {
  certificate: string
  private_key: string
}

/** What check_certificate answers (section 2, "Certificate check result"). */
export type CertificateCheck =
  | { is_valid: true }
  | {
      is_valid: false
      reason: 'certificate_missing' | 'certificate_not_yet_valid' | 'certificate_expired'
    }

interface Issued {
  serialNumber: string
  notBefore: Date
  notAfter: Date
}

const authorityName = 'Mock Instance CA'
const minuteMs = 60_000
const yearMs = 365 * 24 * 60 * minuteMs

/** Sixteen random bytes that make a positive number without a leading zero byte, as DER wants it. */
function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}

function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString().trimEnd()
}

/**
 * The instance's certificate authority: ECDSA P-256 throughout, as portals do since 2.4, made in well under a
 * millisecond each. Times are the mock's; a running OpenVPN goes by the machine's clock. Knows what it issued, and tells `onRevoked` the serial numbers that are no longer welcome.
 */
export class CertificateAuthority {
  readonly certificate: string
  readonly #clock: Clock
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #issued = new Map<string, Issued>()
  readonly #onRevoked: (serialNumber: string) => void

  constructor(clock: Clock, onRevoked: (serialNumber: string) => void) {
    this.#clock = clock
    this.#onRevoked = onRevoked
    this.certificate = this.#sign('authority', authorityName, this.#keys.publicKey, this.#longLife()).pem
  }

  /** A certificate for an OpenVPN server, valid as long as the authority itself. */
  issueServer(commonName: string): KeyPair {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { pem } = this.#sign('server', commonName, keys.publicKey, this.#longLife())
    return { certificate: pem, private_key: privateKeyPem(keys.privateKey) }
  }

  /** A client's key pair, valid from five minutes ago to the end of the user's session. */
  issueClient(notAfter: Date): KeyPair {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const commonName = randomBytes(16).toString('hex')
    const validity = { notBefore: new Date(this.#clock.now().getTime() - 5 * minuteMs), notAfter }
    const { pem, serialNumber } = this.#sign('client', commonName, keys.publicKey, validity)
    this.#issued.set(commonName, { serialNumber, ...validity })
    return { certificate: pem, private_key: privateKeyPem(keys.privateKey) }
  }

  check(commonName: string): CertificateCheck {
    const issued = this.#issued.get(commonName)
    if (issued === undefined) return { is_valid: false, reason: 'certificate_missing' }
    const now = this.#clock.now()
    if (now < issued.notBefore) return { is_valid: false, reason: 'certificate_not_yet_valid' }
    if (now > issued.notAfter) return { is_valid: false, reason: 'certificate_expired' }
    return { is_valid: true }
  }

  /** Forgets one certificate, or all of them without a name, and returns the names that it forgot. */
  revoke(commonName?: string): string[] {
    const names = commonName === undefined ? [...this.#issued.keys()] : [commonName]
    return names.filter((name) => {
      const issued = this.#issued.get(name)
      if (issued !== undefined) this.#onRevoked(issued.serialNumber)
      return this.#issued.delete(name)
    })
  }

  /** Long before and after now, so that moving the mock's clock does not make the servers' own certificates invalid. */
  #longLife(): { notBefore: Date; notAfter: Date } {
    const now = this.#clock.now().getTime()
    return { notBefore: new Date(now - 5 * yearMs), notAfter: new Date(now + 15 * yearMs) }
  }

  #sign(
    role: 'authority' | 'server' | 'client',
    commonName: string,
    publicKey: KeyObject,
    validity: { notBefore: Date; notAfter: Date },
  ): { pem: string; serialNumber: string } {
    const serialNumber = newSerialNumber()
    const issuer = { issuerCommonName: authorityName, issuerPublicKey: this.#keys.publicKey }
    const pem = certificatePem(
      { role, commonName, serialNumber, publicKey, ...issuer, ...validity },
      this.#keys.privateKey,
    )
    return { pem, serialNumber }
  }
}
