import type { ErrorReport } from '../../../contract/error-codes'
import type { ListingItem } from '../../../contract/organization-list'
import { printable } from '../../../contract/safe-text'
import type { InstanceSlice } from '../../../contract/state'
import { renewableFrom } from '../../connection/expiry'
import { CausewayError, hasCode, toErrorReport } from '../../errors'
import type { Records } from '../../loose'
import type { Instance, ServiceAddresses } from '../../portal/instance/instance'
import { resolveLocalized } from '../../portal/localized-value'
import type { Listing } from '../../portal/organization-list/organization-directory'
import { displayText } from '../../portal/organization-list/search'
import type { TokenSession } from '../../portal/oauth/token-session'
import {
  type Profile,
  type SystemMessage,
  type Validity,
  type VpnProtocol,
  isSupported,
} from '../../portal/portal'
import type { MaybeCached } from '../../services/offline-cache/read-or-cached'
import { messageId } from '../../portal/read-state'
import { FetchedList } from './fetched-list'

interface InstanceModelOptions {
  readonly instance: Instance
  /** It was added just now, so that nobody is signed in until the login is read. */
  readonly isNew: boolean
  readonly session: TokenSession
  readonly profiles: (signal: AbortSignal) => Promise<MaybeCached<Records<Profile>>>
  /** Returns the profiles of the last answer; undefined if there is none. */
  readonly lastProfiles: () => Promise<Records<Profile> | undefined>
  /** Returns undefined if the instance's API has no messages. */
  readonly messages: (signal: AbortSignal) => Promise<MaybeCached<Records<SystemMessage> | undefined>>
  readonly isUnread: (message: SystemMessage) => boolean
  /** Returns the protocols that this computer can run, as far as is known. */
  readonly runnable: () => readonly VpnProtocol[]
  /** Reads the validity of the stored login. */
  readonly validity: () => Promise<Validity | undefined>
  /** Returns the known services of the instance, without a request. */
  readonly services: () => Promise<ServiceAddresses | undefined>
  /** The entry of the instance in the lists of organizations. */
  readonly listing: () => Promise<Listing | undefined>
  readonly onChange: () => void
  /** Called with an error that no cause explains. */
  readonly onDefect: (error: unknown) => void
}

/**
 * The window's model of an instance: the state of the login, and the instance's lists and services. It starts a login only in
 * `logIn`.
 */
export class InstanceModel {
  #instance: Instance
  readonly #options: InstanceModelOptions
  readonly #onChange: () => void
  readonly #profiles: FetchedList<Profile>
  readonly #messages: FetchedList<SystemMessage>
  #offered: ServiceAddresses | undefined
  #listing: Listing | undefined
  #validity: Validity | undefined
  #renewal: Promise<void> | undefined
  #logInUnderWay: Promise<void> | undefined
  #login: InstanceSlice['login']
  #loginError: ErrorReport | undefined
  #loggedOut = false
  #person = 0
  /** The login that was read last; null if there was none, and undefined before the first time. */
  #lastLogin: string | null | undefined
  #loggingIn: AbortController | undefined
  #closed = false
  #neverRead = true
  #hasNoMessages = false

  constructor(options: InstanceModelOptions) {
    const { instance, isNew, profiles, messages, onChange, onDefect } = options
    this.#instance = instance
    this.#login = isNew ? 'signed-out' : 'unknown'
    this.#options = options
    this.#onChange = () => {
      if (!this.#closed) onChange()
    }
    const listOptions = { onChange: this.#onChange, onDefect }
    this.#profiles = new FetchedList(profiles, { ...listOptions, readCached: options.lastProfiles })
    this.#messages = new FetchedList(async (signal) => {
      const { data, ...seen } = await messages(signal)
      this.#hasNoMessages = data === undefined
      return { ...seen, data: data ?? { items: [], unreadable: 0 } }
    }, listOptions)
  }

  get instance(): Instance {
    return this.#instance
  }

  /** Updates the settings of the instance. */
  use(instance: Instance): void {
    this.#instance = instance
  }

  /** True until the first read of the login. */
  get neverRead(): boolean {
    return this.#neverRead
  }

  /** Returns the slice with texts in the best of these languages (BCP 47, best first). */
  slice(languages: readonly string[]): InstanceSlice {
    const { id, address, name } = this.instance
    const runnable = this.#options.runnable()
    return {
      id,
      name,
      address,
      login: this.#login,
      managed: this.instance.managed,
      loggedOut: this.#loggedOut || undefined,
      hasSignedIn: this.instance.hasSignedIn,
      person: this.#person || undefined,
      loginError: this.#loginError,
      ends: this.#validity && {
        at: this.#validity.notAfter.getTime(),
        renewableFrom: renewableFrom(this.#validity).getTime(),
        endsTunnel: this.#validity.renewalEndsTunnel,
      },
      renewing: this.#renewal === undefined ? undefined : true,
      services: this.#offered && servicesOf({ ...this.#offered, ...this.instance.services }),
      listing: this.#listing && listingItem(this.#listing, languages),
      profiles: {
        ...this.#profiles.state,
        items: this.#profiles.state.items.map((profile) => {
          const supported = isSupported(profile, runnable)
          const hasWireGuard = profile.protocols?.includes('wireguard') === true
          return {
            profileId: profile.profileId,
            displayName: printable(resolveLocalized(profile.displayName, languages)) || profile.profileId,
            defaultGateway: profile.defaultGateway,
            notSupported: supported ? undefined : true,
            needsWireGuard: (hasWireGuard && !supported) || undefined,
            hasChoice: (hasWireGuard && supported && runnable.includes('wireguard')) || undefined,
          }
        }),
      },
      hasNoMessages: this.#hasNoMessages || undefined,
      messages: {
        ...this.#messages.state,
        items: this.#messages.state.items.map((message) => ({
          id: messageId(message),
          dateTime: message.dateTime.getTime(),
          message: resolveLocalized(message.message, languages),
          type: message.type,
          unread: this.#options.isUnread(message) || undefined,
        })),
      },
    }
  }

  /**
   * Reads the login from the key store, then fetches the lists. Those of an earlier login may belong to another user, so they are
   * cleared first. Errors go into the slice.
   */
  async readLogin(): Promise<void> {
    this.#neverRead = false
    try {
      const login = await this.#storedLogin()
      if (this.#loggingIn !== undefined) return
      const isOther = login !== null && this.#lastLogin !== undefined && login !== this.#lastLogin
      this.#lastLogin = login
      if (isOther) this.#forgetLists()
      this.#setLogin(login === null ? 'signed-out' : 'signed-in')
      await this.readValidity()
    } catch (error) {
      if (this.#loggingIn === undefined) this.#setLogin('unknown', error)
      return
    }
    if (this.#login === 'signed-in') await this.#load(this.#profiles, this.#messages)
  }

  /**
   * Reads the login again if it isn't the one that was read last: the terminal command may have signed in or out. Throws
   * `secret-store/*`.
   */
  async lookForLogin(): Promise<void> {
    if (this.#login !== 'signed-in' && this.#login !== 'signed-out') return
    const login = await this.#storedLogin()
    if (login === this.#lastLogin || this.#loggingIn !== undefined) return
    if (login !== null) await this.readLogin()
    // The reason why the last login ended stays until the next one.
    else if (this.#loginError === undefined) this.#signedOut()
  }

  /**
   * Logs in with the browser, then fetches the lists; joins a login in progress. Throws the errors of TokenSession.logIn, which
   * also go into the slice.
   */
  logIn(): Promise<void> {
    this.#logInUnderWay ??= this.#logInOnce().finally(() => {
      this.#logInUnderWay = undefined
    })
    return this.#logInUnderWay
  }

  /** The validity of the login, as last read. */
  get validity(): Validity | undefined {
    return this.#validity
  }

  get isSignedOut(): boolean {
    return this.#login === 'signed-out'
  }

  /** Marks the login as renewing during the work; joins a renewal in progress. Throws the errors of the work. */
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
    this.#setLogin('waiting-for-browser')
    try {
      await this.#options.session.logIn(loggingIn.signal)
    } catch (error) {
      // After a cancelled second login, the first one is still there.
      const signedIn = await this.#options.session.signedIn().catch(() => false)
      this.#setLogin(
        signedIn ? 'signed-in' : 'signed-out',
        hasCode(error, 'oauth/cancelled') ? undefined : error,
      )
      throw error
    } finally {
      this.#loggingIn = undefined
    }
    this.#forgetLists()
    this.#setLogin('signed-in')
    this.#lastLogin = await this.#storedLogin()
    await this.readValidity()
    await this.#load(this.#profiles, this.#messages)
  }

  /** Returns the identifier of the login in the key store, or null. Throws `secret-store/*`. */
  async #storedLogin(): Promise<string | null> {
    try {
      return await this.#options.session.login()
    } catch (error) {
      if (hasCode(error, 'oauth/login-required')) return null
      throw error
    }
  }

  #forgetLists(): void {
    this.#person += 1
    this.#profiles.clear()
    this.#messages.clear()
  }

  /** Fetches the lists that failed before, for example without a network. Errors go into the slice. */
  async readMissing(): Promise<void> {
    if (this.#login === 'unknown') {
      await this.readLogin()
      return
    }
    const failed = [this.#profiles, this.#messages].filter(({ state }) => state.status === 'failed')
    if (failed.length > 0) await this.#load(...failed)
  }

  /** Reads the validity of the login. Throws `secret-store/*`. */
  async readValidity(): Promise<void> {
    this.#validity = await this.#options.validity()
    this.#onChange()
  }

  /** Reads the known services again. */
  async readServices(): Promise<void> {
    this.#offered = await this.#options.services()
    this.#onChange()
  }

  /** Reads the instance's entry in the lists of organizations again. */
  async readListing(): Promise<void> {
    this.#listing = await this.#options.listing()
    this.#onChange()
  }

  /** Returns whether the lists name this as a contact of the help desk. */
  hasSupportContact(contact: string): boolean {
    return this.#listing?.supportContacts.includes(contact) ?? false
  }

  /** Cancels a login started here; returns false if there is none. */
  cancelLogIn(): boolean {
    this.#loggingIn?.abort()
    return this.#loggingIn !== undefined
  }

  /** Throws `secret-store/*`. */
  async logOut(): Promise<void> {
    try {
      await this.#options.session.logOut()
    } catch (error) {
      // The tokens may be gone despite the error.
      if (!(await this.#options.session.signedIn().catch(() => true))) this.#signedOut()
      throw error
    }
    this.#signedOut()
  }

  #signedOut(): void {
    this.#forgetLists()
    this.#validity = undefined
    this.#lastLogin = null
    this.#loggedOut = true
    this.#setLogin('signed-out')
  }

  async refreshProfiles(): Promise<void> {
    if (this.#login === 'unknown') await this.readLogin()
    else await this.#load(this.#profiles)
  }

  /** Fetches the profiles in the background. */
  async lookForProfiles(): Promise<void> {
    if (this.#login === 'signed-in') await this.#load({ load: () => this.#profiles.loadQuietly() })
  }

  async refreshMessages(): Promise<void> {
    if (this.#login === 'unknown') await this.readLogin()
    else await this.#load(this.#messages)
  }

  /** Aborts everything in progress and sends no more changes. */
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
      this.#setLogin('signed-out', error)
    }
  }

  #setLogin(login: InstanceSlice['login'], error?: unknown): void {
    this.#login = login
    if (login === 'signed-in') this.#loggedOut = false
    this.#loginError = error === undefined ? undefined : toErrorReport(error)
    this.#onChange()
  }
}

function listingItem({ displayName, ...rest }: Listing, languages: readonly string[]): ListingItem {
  return { ...rest, name: displayText(displayName, languages) }
}

function servicesOf(places: ServiceAddresses): NonNullable<InstanceSlice['services']> {
  return {
    attachments: places.attachments !== undefined,
    content: places.content !== undefined,
    organizations: places.organizations !== undefined,
  }
}
