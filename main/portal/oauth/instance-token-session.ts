import { requestCancelled } from '../../platform/http/failure'
import type { HttpClient } from '../../platform/http/http-client'
import { SingleFlight } from '../../platform/http/single-flight'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { serial } from '../../serial'
import type { Endpoints, Instance } from '../instance/instance'
import type { BrowserLogin } from './browser-logins'
import { loginCancelled, loginRequired } from './errors'
import { isExpired, tokensFrom } from './expiry'
import type { OpenBrowser, TokenSession } from './token-session'
import { type TokenStore, type Tokens, createTokenStore } from './token-store'

export interface InstanceTokenSessionOptions {
  readonly instance: Instance
  readonly endpoints: (signal?: AbortSignal) => Promise<Endpoints>
  readonly clientId: string
  readonly http: HttpClient
  readonly secretStore: SecretStore
  readonly openBrowser: OpenBrowser
  /**
   * Runs the work while no other runs of this kind for the same instance, in any process: a refresh, a login in the
   * browser, or a change of what the key store holds. A change may be made within one of the others. Rejects when the
   * signal aborts before its turn has come.
   */
  readonly alone: <T>(
    kind: 'refresh' | 'login' | 'change',
    work: () => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>
  readonly forgetGrants: () => Promise<void>
  /**
   * Forgets everything else that is kept of a login beside its tokens and its key pair. `replaced` is false where there
   * was no login yet: what the person has set up by hand stays then.
   */
  readonly forgetLogin: (replaced: boolean) => Promise<void>
  /** A name for a login that no other has. */
  readonly newLogin: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** How long the person may take in the browser, in milliseconds; default five minutes. */
  readonly loginTimeoutMs?: number
  /** Told that a login waits for the browser; what it returns is called when it no longer does. */
  readonly onWaiting?: (login: BrowserLogin) => () => void
  /** Told as soon as the browser has come back, so that the app can come to the front. */
  readonly onReturned?: () => void
  /** Told that the key store holds something under our name that is no tokens. */
  readonly onUnreadable?: () => void
}

/**
 * The token rules (vpn-application-api.md, section 3) over the key store. There must be one object an instance in
 * a process; another process may change the key store at any time, which is why it is read again before anything
 * is refreshed or thrown away. A refresh token may be good for one refresh only: one process refreshes at a time, and the
 * next one finds what it got.
 */
export class InstanceTokenSession implements TokenSession {
  readonly #options: InstanceTokenSessionOptions
  readonly #store: TokenStore
  readonly #refreshing = new SingleFlight(() => this.#refresh(), 'finish')
  readonly #loggingIn = new SingleFlight((signal) => this.#authorize(signal), 'stop')
  #tokens: Tokens | undefined
  /** Grows whenever tokens are put or thrown away, so that an exchange begun before it changes nothing after it. */
  #generation = 0
  /** One access to the key store at a time. */
  readonly #inTurn = serial()

  constructor(options: InstanceTokenSessionOptions) {
    this.#options = options
    this.#store = createTokenStore({ ...options, instanceId: options.instance.id })
  }

  async signedIn(): Promise<boolean> {
    return (await this.#held()) !== undefined
  }

  async accessToken(signal?: AbortSignal): Promise<string> {
    const held = await this.#held()
    if (held === undefined) throw loginRequired()
    if (!this.#isExpired(held)) return held.accessToken
    return (await this.#refreshing.join(signal, requestCancelled)).accessToken
  }

  async discardRejected(accessToken: string): Promise<void> {
    // An expired token is replaced by a refresh, which may be under way.
    await this.#endIf((held) => held.accessToken === accessToken && !this.#isExpired(held))
  }

  async logIn(signal?: AbortSignal): Promise<void> {
    await this.#loggingIn.join(signal, loginCancelled)
  }

  async logOut(): Promise<void> {
    await this.#change(async () => {
      try {
        await this.#deleteSecrets()
      } finally {
        await this.#options.forgetLogin(true)
      }
    })
  }

  /** Deletes the tokens and the key pair, and nothing else. Throws `secret-store/*`. */
  async forgetSecrets(): Promise<void> {
    await this.#change(() => this.#deleteSecrets())
  }

  async #deleteSecrets(): Promise<void> {
    this.#drop()
    try {
      await this.#store.delete()
    } finally {
      await this.#options.forgetGrants()
    }
  }

  /** Returns the name of the login that there is now. Throws `oauth/login-required`, `secret-store/*`. */
  async login(): Promise<string> {
    const held = await this.#held()
    if (held === undefined) throw loginRequired()
    return held.login
  }

  /**
   * Runs work that keeps something of this login: nobody logs in or out meanwhile, in any process. Throws
   * `oauth/login-required` where that login is not there any more, and then does not run it.
   */
  async keepFor(login: string, work: () => Promise<void>): Promise<void> {
    await this.#change(async () => {
      this.#tokens = await this.#store.read()
      if (this.#tokens?.login !== login) throw loginRequired()
      await work()
    })
  }

  async #authorize(signal: AbortSignal): Promise<void> {
    // Nobody should approve in the browser what could not be kept afterwards.
    const before = await this.#reload()
    await this.#options.alone(
      'login',
      async () => {
        const present = await this.#reload()
        // Another process has logged in while this one waited for its turn.
        if (present !== undefined && present.login !== before?.login) return
        await this.#authorizeAlone(signal)
      },
      signal,
    )
  }

  async #authorizeAlone(signal: AbortSignal): Promise<void> {
    const { instance, clientId, http, openBrowser, now, loginTimeoutMs, onWaiting, onReturned } =
      this.#options
    const { authorize } = await import('./authorization')
    const issued = await authorize({
      instance,
      endpoints: await this.#options.endpoints(signal),
      clientId,
      http,
      openBrowser,
      signal,
      now,
      ...(onWaiting === undefined ? {} : { onWaiting }),
      ...(loginTimeoutMs === undefined ? {} : { timeoutMs: loginTimeoutMs }),
      ...(onReturned === undefined ? {} : { onReturned }),
    })
    if (signal.aborted) throw loginCancelled()
    const tokens = tokensFrom(issued, this.#options.now(), { login: this.#options.newLogin() })
    await this.#change(async () => {
      // Before the new tokens are there: nothing of the person before may ever stand beside them.
      await this.#options.forgetGrants()
      await this.#options.forgetLogin(await this.#store.hasBeenUsed())
      await this.#store.write(tokens)
      this.#generation += 1
      this.#tokens = tokens
    })
  }

  async #refresh(): Promise<Tokens> {
    const held = await this.#reload()
    if (held === undefined) throw loginRequired()
    if (!this.#isExpired(held)) return held
    return this.#options.alone('refresh', () => this.#refreshAlone())
  }

  async #refreshAlone(): Promise<Tokens> {
    const held = await this.#reload()
    if (held === undefined) throw loginRequired()
    if (!this.#isExpired(held)) return held
    if (held.refreshToken === undefined) return this.#refused(held)
    const generation = this.#generation
    const { tokenEndpoint } = await this.#options.endpoints()
    const { http, clientId } = this.#options
    const { createTokenEndpoint } = await import('./token-endpoint')
    const endpoint = createTokenEndpoint({ http, url: new URL(tokenEndpoint), clientId })
    const answer = await endpoint.refresh(held.refreshToken)
    if (answer.answer === 'refused') return this.#refused(held)
    const tokens = tokensFrom(answer.tokens, this.#options.now(), held)
    return this.#inTurn(async () => {
      if (this.#generation !== generation) return this.#tokensOrLogin()
      // Before the key store is used: where it fails now, this process still has what the server has just issued.
      this.#tokens = tokens
      return this.#options.alone('change', async () => {
        const stored = await this.#store.read()
        if (stored?.accessToken !== held.accessToken) {
          // Another process has logged in or out meanwhile, and what the person did last counts.
          this.#tokens = stored
          return this.#tokensOrLogin()
        }
        await this.#store.write(tokens)
        return tokens
      })
    })
  }

  /** Nothing can be refreshed with these tokens: all go, unless others have taken their place meanwhile. */
  async #refused(refused: Tokens): Promise<Tokens> {
    const held = await this.#endIf(({ accessToken }) => accessToken === refused.accessToken)
    if (held === undefined) throw loginRequired()
    return held
  }

  #tokensOrLogin(): Tokens {
    if (this.#tokens === undefined) throw loginRequired()
    return this.#tokens
  }

  /**
   * Returns the tokens of the login that the key store has now. Another process may have logged in or out; of the same
   * login, those in memory may be newer, because the key store could not be written; they are also used while it cannot be read.
   */
  #held(): Promise<Tokens | undefined> {
    return this.#inTurn(async () => {
      const held = this.#tokens
      const stored = await this.#store.read().catch((error: unknown) => {
        if (held === undefined) throw error
        return held
      })
      if (stored?.login !== held?.login) this.#tokens = stored
      return this.#tokens
    })
  }

  /** What the key store holds, which becomes what is held here. */
  #reload(): Promise<Tokens | undefined> {
    return this.#inTurn(async () => {
      this.#tokens = await this.#store.read()
      return this.#tokens
    })
  }

  /** Ends the login that the key store holds if `isWrong` says so of its tokens; returns what is held afterwards. */
  #endIf(isWrong: (held: Tokens) => boolean): Promise<Tokens | undefined> {
    return this.#change(async () => {
      this.#tokens = await this.#store.read()
      if (this.#tokens !== undefined && isWrong(this.#tokens)) {
        this.#drop()
        await this.#store.end()
      }
      return this.#tokens
    })
  }

  #drop(): void {
    this.#generation += 1
    this.#tokens = undefined
  }

  /** A change of the key store, while no other process makes one. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#options.alone('change', work))
  }

  #isExpired(tokens: Tokens): boolean {
    return isExpired(tokens, this.#options.now())
  }
}
