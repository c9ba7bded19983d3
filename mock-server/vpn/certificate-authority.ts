import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock'
import { Collection } from '../state/collection'
import type { Environment } from '../state/environment'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'
import { Single } from '../state/single'
import { certificatePem } from './certificate-der'
import { ecKeyBytes, ecKeyPair, privateKeyPem, type EcKeyPair } from './ec-key'
import { dropOldest } from './drop-oldest'

/** A certificate and its private key, both PEM with LF and no newline at the end. */
export interface KeyPair {
  certificate: string
  private_key: string
}

/** Why a certificate is not valid (section 2, "Certificate check result"); the last two only old portals gave. */
export const certificateReasons = [
  'certificate_missing',
  'certificate_not_yet_valid',
  'certificate_expired',
  'user_disabled',
  'certificate_disabled',
] as const
export type CertificateReason = (typeof certificateReasons)[number]

/** What check_certificate answers. */
export type CertificateCheck = { is_valid: true } | { is_valid: false; reason: CertificateReason }

const issuedSchema = z.object({
  serialNumber: z.string(),
  /** Milliseconds since 1970, as all times that are kept. */
  notBefore: z.number(),
  notAfter: z.number(),
  authorizationId: z.string().optional(),
})
/** A client's certificate as the authority remembers it. */
export type IssuedCertificate = z.infer<typeof issuedSchema>

const ownCertificate = z.object({ keyBytes: z.hex(), certificate: z.string() })
type OwnCertificate = z.infer<typeof ownCertificate>

const authorityName = 'Mock Instance CA'
const minuteMs = 60_000
const yearMs = 365 * 24 * 60 * minuteMs
/** The oldest certificates, and the oldest revocations, are forgotten when there are more. */
const mostRemembered = 10_000

/** What an authority stands on; tests that need nothing of it leave it out. */
type Ground = Pick<Environment, 'persistence' | 'secrets'>
const ownGround = (): Ground => ({
  persistence: inMemory,
  secrets: new SeededBytes(inMemory, 'secrets', 1),
})

/**
 * The instance's certificate authority: ECDSA P-256 throughout, as portals do since 2.4 (older ones used RSA, which takes
 * too long to make here). Times are the clock's; a running OpenVPN goes by the machine's. Knows what it issued, and
 * tells `onRevoked` the serial numbers that are no longer welcome. Key and certificates are the same for the same seed
 * and calls, and last as long as what it stands on.
 */
export class CertificateAuthority {
  readonly #clock: Clock
  readonly #ground: Ground
  readonly #own: Single<OwnCertificate | null>
  #keys: EcKeyPair
  #certificate: string
  readonly #issued: Collection<IssuedCertificate>
  /** The serial numbers that servers must refuse, each with the end of its certificate. */
  readonly #revoked: Collection<number>
  readonly #onRevoked: (serialNumber: string) => void

  constructor(clock: Clock, onRevoked: (serialNumber: string) => void, ground: Ground = ownGround()) {
    this.#clock = clock
    this.#ground = ground
    this.#onRevoked = onRevoked
    const { persistence } = ground
    this.#issued = new Collection(persistence, 'vpn-certificates', issuedSchema)
    this.#revoked = new Collection(persistence, 'vpn-revoked-certificates', z.number())
    this.#own = new Single(persistence, 'vpn-authority', ownCertificate.nullable(), null)
    const kept = this.#own.get()
    const keyBytes = kept?.keyBytes ?? this.#newKeyBytes()
    this.#keys = ecKeyPair(Buffer.from(keyBytes, 'hex'))
    this.#certificate = kept?.certificate ?? this.#newCertificate()
    if (kept === null) this.#own.set({ keyBytes, certificate: this.#certificate })
  }

  get certificate(): string {
    return this.#certificate
  }

  /** Begins anew with another key and certificate: what was issued before is worth nothing, and forgotten. */
  renew(): void {
    this.#ground.persistence.together(() => {
      this.revoke()
      const keyBytes = this.#newKeyBytes()
      this.#keys = ecKeyPair(Buffer.from(keyBytes, 'hex'))
      this.#certificate = this.#newCertificate()
      this.#own.set({ keyBytes, certificate: this.#certificate })
    })
  }

  /** The serial numbers, in hexadecimal, of all revoked certificates. */
  get revokedSerialNumbers(): string[] {
    return this.#revoked.keys()
  }

  /** The common names of the clients' certificates that are known now. */
  get commonNames(): string[] {
    return this.#issued.keys()
  }

  /** A certificate for an OpenVPN server, valid as long as the authority itself. */
  issueServer(commonName: string): KeyPair {
    const keys = this.#newKeys('server')
    const { pem } = this.#sign('server', commonName, keys.publicKey, this.#longLife())
    return { certificate: pem, private_key: privateKeyPem(keys.privateKey) }
  }

  /** A client's key pair, valid from five minutes ago to the end of the user's session, which may be named. */
  issueClient(notAfter: Date, authorizationId?: string): KeyPair & { commonName: string } {
    return this.#ground.persistence.together(() => {
      const keys = this.#newKeys('client')
      const commonName = this.#ground.secrets.next('common-name', 16).toString('hex')
      const validity = { notBefore: new Date(this.#clock.now().getTime() - 5 * minuteMs), notAfter }
      const { pem, serialNumber } = this.#sign('client', commonName, keys.publicKey, validity)
      dropOldest(this.#issued, mostRemembered, ({ notBefore }) => notBefore)
      this.#issued.set(commonName, {
        serialNumber,
        notBefore: validity.notBefore.getTime(),
        notAfter: notAfter.getTime(),
        ...(authorizationId === undefined ? {} : { authorizationId }),
      })
      return { certificate: pem, private_key: privateKeyPem(keys.privateKey), commonName }
    })
  }

  /** What is known of the certificate with this common name. */
  issued(commonName: string): IssuedCertificate | undefined {
    return this.#issued.get(commonName)
  }

  check(commonName: string): CertificateCheck {
    const issued = this.#issued.get(commonName)
    if (issued === undefined) return { is_valid: false, reason: 'certificate_missing' }
    const now = this.#clock.now().getTime()
    if (now < issued.notBefore) return { is_valid: false, reason: 'certificate_not_yet_valid' }
    if (now > issued.notAfter) return { is_valid: false, reason: 'certificate_expired' }
    return { is_valid: true }
  }

  /** Forgets one certificate, or all of them without a name, and returns the names that it forgot. */
  revoke(commonName?: string): string[] {
    const names = commonName === undefined ? this.#issued.keys() : [commonName]
    return this.#ground.persistence.together(() => names.filter((name) => this.#revokeOne(name)))
  }

  #revokeOne(name: string): boolean {
    const issued = this.#issued.get(name)
    if (issued === undefined) return false
    dropOldest(this.#revoked, mostRemembered, (notAfter) => notAfter)
    this.#revoked.set(issued.serialNumber, issued.notAfter)
    this.#issued.delete(name)
    this.#onRevoked(issued.serialNumber)
    return true
  }

  #newKeyBytes(): string {
    return this.#ground.secrets.next('authority-key', ecKeyBytes).toString('hex')
  }

  #newCertificate(): string {
    return this.#sign('authority', authorityName, this.#keys.publicKey, this.#longLife()).pem
  }

  #newKeys(purpose: 'server' | 'client'): EcKeyPair {
    return ecKeyPair(this.#ground.secrets.next(`${purpose}-key`, ecKeyBytes))
  }

  /** Sixteen bytes that make a positive number without a leading zero byte, as DER wants it. */
  #newSerialNumber(purpose: string): string {
    const bytes = this.#ground.secrets.next(`${purpose}-serial-number`, 16)
    bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
    return bytes.toString('hex')
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
    const serialNumber = this.#newSerialNumber(role)
    const issuer = { issuerCommonName: authorityName, issuerPublicKey: this.#keys.publicKey }
    const pem = certificatePem(
      { role, commonName, serialNumber, publicKey, ...issuer, ...validity },
      this.#keys.privateKey,
    )
    return { pem, serialNumber }
  }
}
