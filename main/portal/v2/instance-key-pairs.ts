import { CausewayError, hasCode } from '../../errors'
import { systemName } from '../../platform/http/user-agent'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { serial } from '../../serial'
import type { KeyPair } from './key-pair'
import { type KeyPairStore, createKeyPairStore } from './key-pair-store'
import type { CertificateCheck, VpnApi } from './vpn-api'

interface UsableKeyPair {
  readonly keyPair: KeyPair
  /** True for a new pair: if the OpenVPN server rejects it, another one won't help. */
  readonly fresh: boolean
}

export interface InstanceKeyPairsOptions {
  readonly instanceId: string
  readonly api: Pick<VpnApi, 'createKeyPair' | 'checkCertificate'>
  readonly secretStore: SecretStore
  /** The login to which a pair belongs (main/portal/oauth/instance-token-session.ts). */
  readonly session: {
    login(): Promise<string>
    keepFor(login: string, work: () => Promise<void>): Promise<void>
  }
  readonly now: () => Date
  readonly platform?: NodeJS.Platform
  /** Returns an error if the local clock is wrong; called for certificates that aren't valid by the local clock. */
  readonly wrongClock?: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
}

/** The minimum remaining validity of a certificate. One that expires earlier is renewed. */
const leastValidityMs = 60_000

/**
 * The key pair of one instance and the rules for it (vpn-application-api.md, sections 2 to 4; field notes, "How good
 * clients behave"). Calls are queued, so that two of them don't create two pairs. A pair is only used with the login that it
 * was issued to, because the instance can't tell to whom it belongs.
 *
 * All methods throw `secret-store/*`; those that ask the instance also what VpnApi throws, and `certificate/invalid`
 * (the instance issued an unusable pair; the stored one is kept), and `oauth/login-required` (there is no login, or another
 * one has replaced it).
 */
export class InstanceKeyPairs {
  readonly #options: InstanceKeyPairsOptions
  readonly #store: KeyPairStore
  readonly #displayName: string
  readonly #inTurn = serial()

  constructor(options: InstanceKeyPairsOptions) {
    this.#options = options
    this.#store = createKeyPairStore(options.secretStore, options.instanceId)
    // Old portals show this name in the user's list of certificates.
    this.#displayName = `Causeway (${systemName(options.platform ?? process.platform)})`
  }

  /** Returns the stored key pair, valid or not, also after its login has ended. */
  load(): Promise<KeyPair | undefined> {
    return this.#inTurn(() => this.#store.load())
  }

  /** Checks this certificate at the instance, without any change. */
  check({ commonName }: Pick<KeyPair, 'commonName'>, signal?: AbortSignal): Promise<CertificateCheck> {
    return this.#options.api.checkCertificate(commonName, signal)
  }

  /**
   * Returns a key pair that is valid by the local clock and accepted by the instance: the stored one, or a new one, which
   * isn't checked. Throws `certificate/clock-mismatch` (not valid yet by either clock: `details.notBefore`,
   * `details.notAfter`, `details.now`), `clock/wrong` if the local clock is wrong, and `certificate/refused` (a new one
   * wouldn't help: `details.reason`).
   */
  usable(signal?: AbortSignal): Promise<UsableKeyPair> {
    return this.#byTheClock(signal, async () => {
      const login = await this.#options.session.login()
      const held = await this.#store.load(login)
      if (held !== undefined && (await this.#isUsable(held, signal))) {
        return { keyPair: await this.#withRightClock(held, login), fresh: false }
      }
      return { keyPair: await this.#make(login, held, signal), fresh: true }
    })
  }

  /** Returns the stored key pair if `usable` would; undefined if a new one is needed. Throws like `usable`. */
  accepted(signal?: AbortSignal): Promise<KeyPair | undefined> {
    return this.#byTheClock(signal, async () => {
      const held = await this.#store.load(await this.#options.session.login())
      return held !== undefined && (await this.#isUsable(held, signal)) ? held : undefined
    })
  }

  /** Replaces the stored key pair by a new one. Throws `certificate/clock-mismatch`, `clock/wrong`. */
  renew(signal?: AbortSignal): Promise<KeyPair> {
    return this.#byTheClock(signal, async () => {
      const login = await this.#options.session.login()
      return this.#make(login, await this.#store.load(login), signal)
    })
  }

  /** Records that the clock was corrected after this pair was created, so that a later wrong clock is reported again. */
  async #withRightClock({ clockDiffered, ...held }: KeyPair, login: string): Promise<KeyPair> {
    if (clockDiffered === true)
      await this.#options.session.keepFor(login, () => this.#store.save(held, login))
    return held
  }

  /** Returns false if a new pair is needed. */
  async #isUsable(held: KeyPair, signal: AbortSignal | undefined): Promise<boolean> {
    const now = this.#options.now()
    if (now < held.notBefore) throw clockMismatch(held, now)
    if (this.#isOver(held, now)) return false
    const check = await this.#options.api.checkCertificate(held.commonName, signal)
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
    const issued = readKeyPair(await this.#options.api.createKeyPair(this.#displayName, signal))
    const now = this.#options.now()
    const clockDiffers = now < issued.notBefore || now >= issued.notAfter
    const made: KeyPair = clockDiffers ? { ...issued, clockDiffered: true } : issued
    await this.#options.session.keepFor(login, () => this.#store.save(made, login))
    // Stored anyway: it becomes usable once the clock is right.
    if (clockDiffers) throw clockMismatch(made, now)
    return made
  }

  /**
   * Throws `clock/wrong` if the stored pair was never valid by the local clock and the clock is still wrong: a new pair
   * wouldn't help, and each attempt would create another one at the instance.
   */
  async #requireRightClock(held: KeyPair | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (held?.clockDiffered !== true) return
    const wrong = await this.#options.wrongClock?.(clockMismatch(held, this.#options.now()), signal)
    if (wrong !== undefined) throw wrong
  }

  #isOver({ notAfter }: KeyPair, now: Date): boolean {
    return now.getTime() + leastValidityMs >= notAfter.getTime()
  }

  /** Queues the work, and throws `clock/wrong` in place of a mismatch if the local clock is wrong. */
  #byTheClock<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      try {
        return await work()
      } catch (error) {
        if (!hasCode(error, 'certificate/clock-mismatch')) throw error
        throw (await this.#options.wrongClock?.(error, signal)) ?? error
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
  return new CausewayError('certificate/clock-mismatch', { details: times })
}

function refused(reason: string): CausewayError {
  return new CausewayError('certificate/refused', { details: { reason } })
}
