import { CausewayError, hasCode } from '../../errors'
import { systemName } from '../../platform/http/user-agent'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { serial } from '../../serial'
import type { KeyPair } from './key-pair'
import { type KeyPairStore, createKeyPairStore } from './key-pair-store'
import type { CertificateCheck, VpnApi } from './vpn-api'

export interface UsableKeyPair {
  readonly keyPair: KeyPair
  /** Made just now: when OpenVPN's server rejects it, another one will not help. */
  readonly fresh: boolean
}

export interface InstanceKeyPairsOptions {
  readonly instanceId: string
  readonly api: Pick<VpnApi, 'createKeyPair' | 'checkCertificate'>
  readonly secretStore: SecretStore
  /** The login that a pair is issued to and kept for (main/portal/oauth/instance-token-session.ts). */
  readonly session: {
    login(): Promise<string>
    keepFor(login: string, work: () => Promise<void>): Promise<void>
  }
  readonly now: () => Date
  readonly platform?: NodeJS.Platform
  /** Asked where a certificate is not valid by the local clock: the error to throw instead, if that clock is wrong. */
  readonly wrongClock?: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
}

/** A certificate that ends sooner than this is renewed rather than used. */
const leastValidityMs = 60_000

/**
 * The key pair of one instance and the rules for it (vpn-application-api.md, sections 2 to 4; field notes, "How good
 * clients behave"). Calls run one after another, so that two of them do not make two pairs. A pair belongs to the login
 * that it was issued to: with another login it is none, because the instance cannot tell whose it is.
 *
 * All methods throw `secret-store/*`; those that ask the instance also what VpnApi throws, and `certificate/invalid`
 * (the instance issued a pair that cannot be used; the one held is kept), and `oauth/login-required` (there is no login, or
 * another one has taken its place meanwhile).
 */
export class InstanceKeyPairs {
  readonly #api: InstanceKeyPairsOptions['api']
  readonly #store: KeyPairStore
  readonly #session: InstanceKeyPairsOptions['session']
  readonly #now: () => Date
  readonly #displayName: string
  readonly #wrongClock: InstanceKeyPairsOptions['wrongClock']
  readonly #inTurn = serial()

  constructor({
    instanceId,
    api,
    secretStore,
    session,
    now,
    platform = process.platform,
    wrongClock,
  }: InstanceKeyPairsOptions) {
    this.#api = api
    this.#store = createKeyPairStore(secretStore, instanceId)
    this.#session = session
    this.#now = now
    // What users of old portals see in their list of certificates.
    this.#displayName = `Causeway (${systemName(platform)})`
    this.#wrongClock = wrongClock
  }

  /** Returns the key pair held, valid or not, also after its login has ended. */
  load(): Promise<KeyPair | undefined> {
    return this.#inTurn(() => this.#store.load())
  }

  /** Asks the instance about this certificate, and changes nothing. */
  check({ commonName }: Pick<KeyPair, 'commonName'>, signal?: AbortSignal): Promise<CertificateCheck> {
    return this.#api.checkCertificate(commonName, signal)
  }

  /**
   * A key pair that is valid by the local clock and accepted by the instance: the one held, else a new one, which is
   * not asked about. Throws `certificate/clock-mismatch` (not valid yet, here or there: `details.notBefore`,
   * `details.notAfter`, `details.now`), `clock/wrong` where that is the fault of this computer, and `certificate/refused` (a new one would not help: `details.reason`).
   */
  usable(signal?: AbortSignal): Promise<UsableKeyPair> {
    return this.#byTheClock(signal, async () => {
      const login = await this.#session.login()
      const held = await this.#store.load(login)
      if (held !== undefined && (await this.#isUsable(held, signal))) {
        return { keyPair: await this.#withRightClock(held, login), fresh: false }
      }
      return { keyPair: await this.#make(login, held, signal), fresh: true }
    })
  }

  /** The key pair held, if `usable` would return it; undefined where a new one is to be made. Throws as `usable`. */
  accepted(signal?: AbortSignal): Promise<KeyPair | undefined> {
    return this.#byTheClock(signal, async () => {
      const held = await this.#store.load(await this.#session.login())
      return held !== undefined && (await this.#isUsable(held, signal)) ? held : undefined
    })
  }

  /** A new key pair in the place of the one held. Throws `certificate/clock-mismatch`, `clock/wrong`. */
  renew(signal?: AbortSignal): Promise<KeyPair> {
    return this.#byTheClock(signal, async () => {
      const login = await this.#session.login()
      return this.#make(login, await this.#store.load(login), signal)
    })
  }

  /** The clock has been set since this pair was made, so that a later wrong one is news. */
  async #withRightClock({ clockDiffered, ...held }: KeyPair, login: string): Promise<KeyPair> {
    if (clockDiffered === true) await this.#session.keepFor(login, () => this.#store.save(held, login))
    return held
  }

  /** False when a new one is to be made. */
  async #isUsable(held: KeyPair, signal: AbortSignal | undefined): Promise<boolean> {
    const now = this.#now()
    if (now < held.notBefore) throw clockMismatch(held, now)
    if (this.#isOver(held, now)) return false
    const check = await this.#api.checkCertificate(held.commonName, signal)
    if (check.isValid) return true
    switch (check.reason) {
      case 'certificate_missing':
      case 'certificate_expired':
        return false
      case 'certificate_not_yet_valid':
        throw clockMismatch(held, now)
      default:
        throw refused(check.reason)
    }
  }

  async #make(login: string, held: KeyPair | undefined, signal: AbortSignal | undefined): Promise<KeyPair> {
    await this.#requireRightClock(held, signal)
    const { readKeyPair } = await import('./certificate')
    const issued = readKeyPair(await this.#api.createKeyPair(this.#displayName, signal))
    const now = this.#now()
    const clockDiffers = now < issued.notBefore || now >= issued.notAfter
    const made: KeyPair = clockDiffers ? { ...issued, clockDiffered: true } : issued
    await this.#session.keepFor(login, () => this.#store.save(made, login))
    // Kept all the same: it is good as soon as the clock is right.
    if (clockDiffers) throw clockMismatch(made, now)
    return made
  }

  /**
   * Throws `clock/wrong` where the pair held has never been valid here and the clock is still wrong: another one would be no
   * better, and each attempt would leave one more at the instance.
   */
  async #requireRightClock(held: KeyPair | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (held?.clockDiffered !== true) return
    const wrong = await this.#wrongClock?.(clockMismatch(held, this.#now()), signal)
    if (wrong !== undefined) throw wrong
  }

  #isOver({ notAfter }: KeyPair, now: Date): boolean {
    return now.getTime() + leastValidityMs >= notAfter.getTime()
  }

  /** In turn; names a clock of this computer that is wrong. */
  #byTheClock<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      try {
        return await work()
      } catch (error) {
        if (!hasCode(error, 'certificate/clock-mismatch')) throw error
        throw (await this.#wrongClock?.(error, signal)) ?? error
      }
    })
  }
}

function clockMismatch({ notBefore, notAfter }: KeyPair, now: Date): CausewayError {
  const times = {
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    now: now.toISOString(),
  }
  return new CausewayError(
    'certificate/clock-mismatch',
    `This computer's clock and the service's clock don't match: your certificate is valid from ${times.notBefore} to ${times.notAfter}, and this computer's time is ${times.now}. Set this computer's clock and time zone, then try again.`,
    { details: times },
  )
}

function refused(reason: string): CausewayError {
  return new CausewayError(
    'certificate/refused',
    `The service rejected your certificate (${reason}) and didn't issue a new one. Ask your organization whether your account is still active.`,
    { details: { reason } },
  )
}
