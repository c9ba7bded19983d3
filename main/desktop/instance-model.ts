import type { ErrorReport } from '../../contract/error-codes'
import type { InstanceSlice } from '../../contract/state'
import { renewableFrom } from '../connection/expiry'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import { resolveLocalized } from '../portal/localized-value'
import type { TokenSession } from '../portal/oauth/token-session'
import type { Profile, SystemMessage, Validity } from '../portal/portal'
import type { Seen } from '../services/offline-cache/read-or-recall'
import { messageId } from '../portal/read-state'
import { FetchedList } from './fetched-list'

/**
 * One instance as the window shows it: whether the user is logged in, and what the instance offers. It starts a
 * login only in `logIn`.
 */
export class InstanceModel {
  #instance: Instance
  readonly #session: TokenSession
  readonly #onChange: () => void
  readonly #profiles: FetchedList<Profile>
  readonly #messages: FetchedList<SystemMessage>
  readonly #isUnread: (message: SystemMessage) => boolean
  readonly #readValidity: () => Promise<Validity | undefined>
  readonly #services: () => Promise<ServiceAddresses | undefined>
  #offered: ServiceAddresses | undefined
  #validity: Validity | undefined
  #renewal: Promise<void> | undefined
  #logInUnderWay: Promise<void> | undefined
  #login: InstanceSlice['login'] = 'unknown'
  #loginError: ErrorReport | undefined
  #loggedOut = false
  #loggingIn: AbortController | undefined
  #closed = false
  #neverRead = true

  constructor(options: {
    readonly instance: Instance
    readonly session: TokenSession
    readonly profiles: (signal: AbortSignal) => Promise<Seen<readonly Profile[]>>
    readonly messages: (signal: AbortSignal) => Promise<Seen<readonly SystemMessage[]>>
    readonly isUnread: (message: SystemMessage) => boolean
    /** How long the login gives access, by what is kept of it. */
    readonly validity: () => Promise<Validity | undefined>
    /** What is known, without asking, of the services that the instance offers. */
    readonly services: () => Promise<ServiceAddresses | undefined>
    readonly onChange: () => void
  }) {
    const { instance, session, profiles, messages, isUnread, validity, services, onChange } = options
    this.#readValidity = validity
    this.#isUnread = isUnread
    this.#services = services
    this.#instance = instance
    this.#session = session
    this.#onChange = () => {
      if (!this.#closed) onChange()
    }
    this.#profiles = new FetchedList(profiles, this.#onChange)
    this.#messages = new FetchedList(messages, this.#onChange)
  }

  get instance(): Instance {
    return this.#instance
  }

  /** The same instance with other settings. */
  use(instance: Instance): void {
    this.#instance = instance
  }

  /** True until the login was asked for. */
  get neverRead(): boolean {
    return this.#neverRead
  }

  /** With its texts in the best of these languages (BCP 47, best first). */
  slice(languages: readonly string[]): InstanceSlice {
    const { id, address } = this.instance
    return {
      id,
      address,
      login: this.#login,
      ...(this.#loggedOut ? { loggedOut: true } : {}),
      ...(this.#loginError === undefined ? {} : { loginError: this.#loginError }),
      ...(this.#validity === undefined
        ? {}
        : {
            ends: {
              at: this.#validity.notAfter.getTime(),
              renewableFrom: renewableFrom(this.#validity).getTime(),
            },
          }),
      ...(this.#renewal === undefined ? {} : { renewing: true }),
      ...(this.#offered === undefined
        ? {}
        : { services: servicesOf({ ...this.#offered, ...this.instance.services }) }),
      profiles: {
        ...this.#profiles.state,
        items: this.#profiles.state.items.map(({ profileId, displayName, defaultGateway }) => ({
          profileId,
          displayName: resolveLocalized(displayName, languages) || profileId,
          ...(defaultGateway === undefined ? {} : { defaultGateway }),
        })),
      },
      messages: {
        ...this.#messages.state,
        items: this.#messages.state.items.map((message) => ({
          id: messageId(message),
          dateTime: message.dateTime.getTime(),
          message: resolveLocalized(message.message, languages),
          type: message.type,
          ...(this.#isUnread(message) ? { unread: true } : {}),
        })),
      },
    }
  }

  /** Reads from the key store whether there is a login, and fetches what there is to show. A failure is shown. */
  async readLogin(): Promise<void> {
    this.#neverRead = false
    try {
      const signedIn = await this.#session.signedIn()
      if (this.#loggingIn !== undefined) return
      this.#becomes(signedIn ? 'signed-in' : 'signed-out')
      await this.readValidity()
    } catch (error) {
      if (this.#loggingIn === undefined) this.#becomes('unknown', error)
      return
    }
    if (this.#login === 'signed-in') await this.#load(this.#profiles, this.#messages)
  }

  /**
   * Logs in with the browser, then fetches; joins a login that is under way. Throws what TokenSession.logIn throws, which is
   * shown as well.
   */
  logIn(): Promise<void> {
    this.#logInUnderWay ??= this.#logInOnce().finally(() => {
      this.#logInUnderWay = undefined
    })
    return this.#logInUnderWay
  }

  /** How long the login gives access. */
  get validity(): Validity | undefined {
    return this.#validity
  }

  get isSignedOut(): boolean {
    return this.#login === 'signed-out'
  }

  /** Shows that the login is being renewed while this work does it; one at a time. Throws what the work throws. */
  renew(work: () => Promise<void>): Promise<void> {
    this.#renewal ??= this.#renew(work)
    return this.#renewal
  }

  async #renew(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } finally {
      this.#renewal = undefined
      this.#onChange()
    }
  }

  async #logInOnce(): Promise<void> {
    const loggingIn = new AbortController()
    this.#loggingIn = loggingIn
    this.#becomes('waiting-for-browser')
    try {
      await this.#session.logIn(loggingIn.signal)
    } catch (error) {
      // Not always signed out: who logs in again and changes their mind keeps the login that was there.
      const signedIn = await this.#session.signedIn().catch(() => false)
      this.#becomes(
        signedIn ? 'signed-in' : 'signed-out',
        hasCode(error, 'oauth/cancelled') ? undefined : error,
      )
      throw error
    } finally {
      this.#loggingIn = undefined
    }
    this.#forgetLists()
    this.#becomes('signed-in')
    await this.readValidity()
    await this.#load(this.#profiles, this.#messages)
  }

  /** To be called after a login that was not made here: what is shown may be somebody else's. As `readLogin`. */
  async readOtherLogin(): Promise<void> {
    this.#forgetLists()
    await this.readLogin()
  }

  #forgetLists(): void {
    this.#profiles.clear()
    this.#messages.clear()
  }

  /** Fetches what could not be fetched, such as before there was a network. A failure is shown. */
  async readMissing(): Promise<void> {
    if (this.#login === 'unknown') {
      await this.readLogin()
      return
    }
    const failed = [this.#profiles, this.#messages].filter(({ state }) => state.status === 'failed')
    if (failed.length > 0) await this.#load(...failed)
  }

  /** Reads when the login ends. Throws `secret-store/*`. */
  async readValidity(): Promise<void> {
    this.#validity = await this.#readValidity()
    this.#onChange()
  }

  /** Looks what is known of the services by now. */
  async readServices(): Promise<void> {
    this.#offered = await this.#services()
    this.#onChange()
  }

  /** True when there was a login of this view to cancel. */
  cancelLogIn(): boolean {
    this.#loggingIn?.abort()
    return this.#loggingIn !== undefined
  }

  /** Throws `secret-store/*`. */
  async logOut(): Promise<void> {
    try {
      await this.#session.logOut()
    } catch (error) {
      // The tokens may be gone all the same.
      if (!(await this.#session.signedIn().catch(() => true))) this.#signedOut()
      throw error
    }
    this.#signedOut()
  }

  #signedOut(): void {
    this.#forgetLists()
    this.#validity = undefined
    this.#loggedOut = true
    this.#becomes('signed-out')
  }

  async refreshProfiles(): Promise<void> {
    if (this.#login === 'unknown') await this.readLogin()
    else await this.#load(this.#profiles)
  }

  /** Fetches the profiles for somebody who has not asked for them: nothing is shown of it but what is new. */
  async lookForProfiles(): Promise<void> {
    if (this.#login === 'signed-in') await this.#load({ load: () => this.#profiles.loadQuietly() })
  }

  async refreshMessages(): Promise<void> {
    if (this.#login === 'unknown') await this.readLogin()
    else await this.#load(this.#messages)
  }

  /** Gives up what is under way and says nothing more. */
  close(): void {
    this.#closed = true
    this.#loggingIn?.abort()
    this.#forgetLists()
  }

  async #load(...lists: readonly { load(): Promise<void> }[]): Promise<void> {
    try {
      await Promise.all(lists.map((list) => list.load()))
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error
      this.#becomes('signed-out', error)
    }
  }

  #becomes(login: InstanceSlice['login'], error?: unknown): void {
    this.#login = login
    if (login === 'signed-in') this.#loggedOut = false
    this.#loginError = error === undefined ? undefined : toErrorReport(error)
    this.#onChange()
  }
}

function servicesOf(places: ServiceAddresses): NonNullable<InstanceSlice['services']> {
  return {
    attachments: places.attachments !== undefined,
    content: places.content !== undefined,
    organizations: places.organizations !== undefined,
  }
}
