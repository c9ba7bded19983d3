import type { KeyObject, KeyPairKeyObjectResult } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock'
import { Collection, dropOldest, Single } from '../state/collection'
import type { Environment } from '../state/environment'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'
import { certificatePem, serialNumberOf } from './certificate-der'
import { ecKeyBytes, ecKeyPair, privateKeyPem, rawKeyBytes, rawKeyPair } from './ec-key'

/** A certificate and its private key, both PEM with LF and no newline at the end. */
export interface KeyPair {
  certificate: string
  private_key: string
}

/** Reasons for an invalid certificate (section 2, "Certificate check result"). Only old portals send the last two. */
export const certificateReasons = [
  'certificate_missing',
  'certificate_not_yet_valid',
  'certificate_expired',
  'user_disabled',
  'certificate_disabled',
] as const
export type CertificateReason = (typeof certificateReasons)[number]

export type CertificateCheck = { is_valid: true } | { is_valid: false; reason: CertificateReason }

const issuedSchema = z.object({
  serialNumber: z.string(),
  /** In milliseconds since 1970, like all stored times. */
  notBefore: z.number(),
  notAfter: z.number(),
  authorizationId: z.string().optional(),
})
type IssuedCertificate = z.infer<typeof issuedSchema>

const ownCertificate = z.object({ keyBytes: z.hex(), certificate: z.string() })

const authorityName = 'Mock Instance CA'
const minuteMs = 60_000
const yearMs = 365 * 24 * 60 * minuteMs
/** The maximum number of stored certificates, and of stored revocations. The oldest are dropped first. */
const maxRemembered = 10_000

/** The instance's authority. It always uses ECDSA P-256; the RSA keys of older portals take too long to generate. */
export class CertificateAuthority {
  readonly #clock: Clock
  readonly #environment: Pick<Environment, 'persistence' | 'secrets'>
  readonly #own: Single<z.infer<typeof ownCertificate> | null>
  readonly #created: Date
  #current: { keys: KeyPairKeyObjectResult; certificate: string } | undefined
  /** The valid certificates by their common names. */
  readonly issued: Collection<IssuedCertificate>
  /** The revoked serial numbers with the expiry of their certificates. */
  readonly revoked: Collection<number>

  constructor(
    clock: Clock,
    environment: Pick<Environment, 'persistence' | 'secrets'> = {
      persistence: inMemory,
      secrets: new SeededBytes(inMemory, 'secrets', 1),
    },
  ) {
    this.#clock = clock
    this.#environment = environment
    const { persistence } = environment
    this.issued = new Collection(persistence, 'vpn-certificates', issuedSchema)
    this.revoked = new Collection(persistence, 'vpn-revoked-certificates', z.number())
    this.#own = new Single(persistence, 'vpn-authority', ownCertificate.nullable(), null)
    this.#created = clock.now()
  }

  get certificate(): string {
    return this.#authority().certificate
  }

  renew(): void {
    this.#current = this.#newAuthority(this.#clock.now())
  }

  /** A certificate for an OpenVPN server, valid as long as the authority itself. */
  issueServer(commonName: string): KeyPair {
    const keys = this.#newKeys('server')
    const { pem } = this.#sign('server', commonName, keys.publicKey, longLife(this.#clock.now()))
    return { certificate: pem, private_key: privateKeyPem(keys.privateKey) }
  }

  /** Issues a client key pair, valid from five minutes ago. Version 2 uses P-256 keys, version 3 Ed25519 keys. */
  issueClient(
    notAfter: Date,
    authorizationId?: string,
    keyType: 'P-256' | 'Ed25519' = 'P-256',
  ): KeyPair & { commonName: string } {
    return this.#environment.persistence.together(() => {
      const keys =
        keyType === 'P-256'
          ? this.#newKeys('client')
          : rawKeyPair('ed25519', this.#environment.secrets.next('client-ed25519-key', rawKeyBytes))
      const commonName = this.#environment.secrets.next('common-name', 16).toString('hex')
      const validity = { notBefore: new Date(this.#clock.now().getTime() - 5 * minuteMs), notAfter }
      const { pem, serialNumber } = this.#sign('client', commonName, keys.publicKey, validity)
      dropOldest(this.issued, maxRemembered, ({ notBefore }) => notBefore)
      this.issued.set(commonName, {
        serialNumber,
        notBefore: validity.notBefore.getTime(),
        notAfter: notAfter.getTime(),
        authorizationId,
      })
      return { certificate: pem, private_key: privateKeyPem(keys.privateKey), commonName }
    })
  }

  check(commonName: string): CertificateCheck {
    const issued = this.issued.get(commonName)
    if (issued === undefined) return { is_valid: false, reason: 'certificate_missing' }
    const now = this.#clock.now().getTime()
    if (now < issued.notBefore) return { is_valid: false, reason: 'certificate_not_yet_valid' }
    if (now > issued.notAfter) return { is_valid: false, reason: 'certificate_expired' }
    return { is_valid: true }
  }

  /** Deletes one certificate, or all without a name, and returns what was deleted. */
  revoke(commonName?: string): { commonName: string; serialNumber: string }[] {
    const names = commonName === undefined ? this.issued.keys() : [commonName]
    return this.#environment.persistence.together(() =>
      names.flatMap((name) => {
        const issued = this.issued.get(name)
        if (issued === undefined) return []
        dropOldest(this.revoked, maxRemembered, (notAfter) => notAfter)
        this.revoked.set(issued.serialNumber, issued.notAfter)
        this.issued.delete(name)
        return [{ commonName: name, serialNumber: issued.serialNumber }]
      }),
    )
  }

  /** Returns the authority's key and certificate, which are made on first use: signing takes a tenth of a second. */
  #authority(): { keys: KeyPairKeyObjectResult; certificate: string } {
    const stored = this.#own.get()
    this.#current ??=
      stored === null
        ? this.#newAuthority(this.#created)
        : { keys: ecKeyPair(Buffer.from(stored.keyBytes, 'hex')), certificate: stored.certificate }
    return this.#current
  }

  #newAuthority(now: Date): { keys: KeyPairKeyObjectResult; certificate: string } {
    const bytes = this.#environment.secrets.next('authority-key', ecKeyBytes)
    const keys = ecKeyPair(bytes)
    const { pem } = this.#sign('authority', authorityName, keys.publicKey, longLife(now), keys)
    this.#own.set({ keyBytes: bytes.toString('hex'), certificate: pem })
    return { keys, certificate: pem }
  }

  #newKeys(purpose: 'server' | 'client'): KeyPairKeyObjectResult {
    return ecKeyPair(this.#environment.secrets.next(`${purpose}-key`, ecKeyBytes))
  }

  #sign(
    role: 'authority' | 'server' | 'client',
    commonName: string,
    publicKey: KeyObject,
    validity: { notBefore: Date; notAfter: Date },
    issuer = this.#authority().keys,
  ): { pem: string; serialNumber: string } {
    const serialNumber = serialNumberOf(this.#environment.secrets.next(`${role}-serial-number`, 16))
    const pem = certificatePem(
      {
        role,
        commonName,
        serialNumber,
        publicKey,
        issuerCommonName: authorityName,
        issuerPublicKey: issuer.publicKey,
        ...validity,
      },
      issuer.privateKey,
    )
    return { pem, serialNumber }
  }
}

/** A period so long that the servers' own certificates stay valid when the mock's clock moves. */
function longLife(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - 5 * yearMs), notAfter: new Date(now.getTime() + 15 * yearMs) }
}
