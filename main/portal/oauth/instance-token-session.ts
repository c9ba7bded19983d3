import type { ApiVersion } from '../../../contract/choices'
import { requestCancelled } from '../../platform/http/failure'
import { hasCode } from '../../errors'
import type { HttpClient } from '../../platform/http/http-client'
import { isGone } from '../../platform/http/is-gone'
import { requireTls13 } from '../../platform/http/require-tls13'
import { SingleFlight } from '../../platform/http/single-flight'
import { serial } from '../../serial'
import { loginCancelled, loginRequired, reportNotStored } from './errors'
import { isExpired, tokensFrom } from './expiry'
import type { TokenSession } from './token-session'
import type { InstanceTokenSessionOptions } from './token-session-options'
import type { TokenAnswer } from './token-endpoint'
import { type TokenStore, type Tokens, createTokenStore } from './token-store'

/**
 * The tokens of an instance in the key store, with the rules of vpn-application-api.md, section 3. Create one object per
 * instance and process. Another process may change the key store at any time, so it is read again before tokens are
 * refreshed or deleted. A refresh token may be valid for only one refresh, so one process refreshes at a time, and the
 * next one uses the new tokens.
 */
export class InstanceTokenSession implements TokenSession {
  readonly #options: InstanceTokenSessionOptions
  readonly #store: TokenStore
  readonly #refreshing = new SingleFlight(() => this.#refresh(), 'finish')
  readonly #loggingIn = new SingleFlight((signal) => this.#authorize(signal), 'stop')
  #tokens: Tokens | undefined
  /** Incremented whenever tokens are stored or deleted, so that an exchange started before is discarded. */
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

  async accessToken(...[signal, api]: Parameters<TokenSession['accessToken']>): Promise<string> {
    const held = await this.#held()
    if (held === undefined) throw loginRequired()
    const usable = this.#isExpired(held) ? await this.#refreshing.join(signal, requestCancelled) : held
    if (api === undefined || api.loginElsewhere === true || isAt(usable.origins.api, api.apiBaseUri))
      return usable.accessToken
    await this.#endIf(({ login }) => login === usable.login)
    throw loginRequired()
  }

  async discardRejected(accessToken: string): Promise<void> {
    // An expired token is replaced by a refresh, which may already be running.
    await this.#endIf((held) => held.accessToken === accessToken && !this.#isExpired(held))
  }

  async expire(accessToken: string): Promise<void> {
    await this.#change(async () => {
      this.#tokens = newer(await this.#store.read(), this.#tokens)
      const held = this.#tokens
      if (held?.accessToken !== accessToken || this.#isExpired(held)) return
      // Stored for other processes, too: only one of them may use the refresh token.
      this.#tokens = { ...held, expiresAt: this.#options.now() }
      await this.#store.write(this.#tokens)
    })
  }

  async requireVersion(apiVersion: ApiVersion): Promise<void> {
    const held = await this.#held()
    if (held?.apiVersion === apiVersion) return
    const valid = await this.#endIf((tokens) => tokens.apiVersion !== apiVersion)
    if (valid === undefined) throw loginRequired()
  }

  /** Returns the API version of the login, as far as there is one. Throws `secret-store/*`. */
  async apiVersion(): Promise<ApiVersion | undefined> {
    return (await this.#held())?.apiVersion
  }

  /** Deletes the tokens, and remembers that there was a login. Throws `secret-store/*`. */
  async end(): Promise<void> {
    await this.#endIf(() => true)
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

  async login(): Promise<string> {
    return (await this.#heldOrLogin()).login
  }

  /** Returns the identifier of the current login and its time. Throws `oauth/login-required`, `secret-store/*`. */
  async loginTime(): Promise<{ readonly login: string; readonly loggedInAt: Date }> {
    const { login, loggedInAt } = await this.#heldOrLogin()
    return { login, loggedInAt: new Date(loggedInAt) }
  }

  async #heldOrLogin(): Promise<Tokens> {
    const held = await this.#held()
    if (held === undefined) throw loginRequired()
    return held
  }

  /**
   * Runs work that stores data of this login, and prevents logins and logouts in all processes meanwhile. Throws
   * `oauth/login-required` without running it if that login has ended.
   */
  async keepFor(login: string, work: () => Promise<void>): Promise<void> {
    await this.#change(async () => {
      this.#tokens = newer(await this.#store.read(), this.#tokens)
      if (this.#tokens?.login !== login) throw loginRequired()
      await work()
    })
  }

  async #authorize(signal: AbortSignal): Promise<void> {
    // Fails before the user approves in the browser if the tokens couldn't be stored afterwards.
    const before = await this.#reload()
    await this.#options.alone(
      'login',
      async () => {
        const present = await this.#reload()
        // Another process has logged in while this one waited for the lock.
        if (present !== undefined && present.login !== before?.login) return
        // Fails before the user approves in the browser.
        if (present?.apiVersion === 3) await this.#options.whileUnused(() => Promise.resolve())
        await this.#authorizeAlone(signal)
      },
      signal,
    )
  }

  async #authorizeAlone(signal: AbortSignal): Promise<void> {
    const { instance, clientId, http, openBrowser, now, onWaiting, onReturned } = this.#options
    const { hasSentIssuer, onIssuerSent, knowsOthers } = this.#options
    const { authorize } = await import('./authorization')
    const browserAddress = await this.#options.beforeLogin?.(signal)
    const endpoints = await this.#options.endpoints(signal)
    const issued = await authorize({
      instance,
      endpoints,
      clientId,
      http: httpFor(endpoints.apiVersion, http),
      openBrowser,
      signal,
      hasSentIssuer: await hasSentIssuer(),
      onIssuerSent,
      knowsOthers,
      now,
      browserAddress,
      onWaiting,
      onReturned,
    })
    if (signal.aborted) throw loginCancelled()
    const loggedInAt = this.#options.now()
    const tokens = tokensFrom(issued, loggedInAt, {
      apiVersion: endpoints.apiVersion,
      login: this.#options.newLogin(),
      origins: { token: originOf(endpoints.tokenEndpoint), api: originOf(endpoints.apiBaseUri) },
      loggedInAt,
      refreshes: 0,
    })
    const replace = async (): Promise<void> => {
      // Nobody would find the tokens of a removed instance, or delete them.
      await this.#options.requireListed?.()
      // Before the new tokens are stored: data of the previous user must never be stored together with them.
      await this.#options.forgetGrants()
      await this.#options.forgetLogin(await this.#store.hasBeenUsed())
      await this.#store.write(tokens)
      this.#generation += 1
      this.#tokens = tokens
    }
    await this.#change(async () => {
      // Another process may have connected while the browser was open.
      if ((await this.#store.read())?.apiVersion === 3) await this.#options.whileUnused(replace)
      else await replace()
    })
    await this.#options.onSignedIn?.()
  }

  async #refresh(): Promise<Tokens> {
    const held = await this.#reload()
    if (held === undefined) throw loginRequired()
    if (!this.#isExpired(held)) return held
    // A slow discovery could outlast the lock, and another process would use the same refresh token.
    if (held.refreshToken !== undefined) await this.#options.endpoints()
    return this.#options.alone('refresh', () => this.#refreshAlone())
  }

  async #refreshAlone(): Promise<Tokens> {
    const held = await this.#reload()
    if (held === undefined) throw loginRequired()
    if (!this.#isExpired(held)) return held
    if (held.refreshToken === undefined) return this.#refused(held)
    const generation = this.#generation
    const { apiVersion, tokenEndpoint } = await this.#options.endpoints()
    // The portal has moved to another version of the API, and issued these tokens for the previous one.
    if (apiVersion !== held.apiVersion) return this.#refused(held)
    if (!isAt(held.origins.token, tokenEndpoint)) return this.#refused(held)
    const { http, clientId } = this.#options
    const { createTokenEndpoint } = await import('./token-endpoint')
    const endpoint = createTokenEndpoint({
      http: httpFor(apiVersion, http),
      url: new URL(tokenEndpoint),
      clientId,
      onlyInvalidGrant: apiVersion === 3,
    })
    let answer: TokenAnswer
    try {
      answer = await endpoint.refresh(held.refreshToken)
    } catch (error) {
      if (!hasCode(error, 'oauth/server-error') || !isGone(error.details?.status)) throw error
      await this.#options.expireEndpoints?.()
      if ((await this.#options.endpoints()).apiVersion === apiVersion) throw error
      return this.#refused(held)
    }
    if (answer.answer === 'refused') return this.#refused(held)
    const tokens = tokensFrom(answer.tokens, this.#options.now(), {
      ...held,
      refreshes: held.refreshes + 1,
    })
    return this.#keepRefreshed(tokens, generation)
  }

  /**
   * Stores the tokens of a refresh before they are used. Tries again after a failure, because the refresh token in the key
   * store has been used up.
   */
  async #keepRefreshed(tokens: Tokens, generation: number): Promise<Tokens> {
    const store = () => this.#storeRefreshed(tokens, generation)
    try {
      return await this.#retry(store, storeAttempts.beforeUse, 'alive')
    } catch (error) {
      if (this.#generation !== generation || hasCode(error, 'oauth/login-required')) throw error
      // At least this process has them.
      this.#tokens = tokens
      this.#retry(store, storeAttempts.later, 'may-end').catch((lastError: unknown) => {
        const { reporter, instance } = this.#options
        if (!hasCode(lastError, 'oauth/login-required')) reportNotStored(reporter, instance, lastError)
      })
      throw error
    }
  }

  /** Runs the work after each of these pauses until it succeeds. Throws the last error. */
  async #retry<T>(
    work: () => Promise<T>,
    [pause = 0, ...others]: readonly number[],
    process: 'alive' | 'may-end',
  ): Promise<T> {
    if (pause > 0) await this.#options.delay(pause, process)
    try {
      return await work()
    } catch (error) {
      if (others.length === 0 || hasCode(error, 'oauth/login-required')) throw error
    }
    return this.#retry(work, others, process)
  }

  #storeRefreshed(tokens: Tokens, generation: number): Promise<Tokens> {
    return this.#inTurn(async () => {
      if (this.#generation !== generation) return this.#tokensOrLogin()
      return this.#options.alone('change', async () => {
        const stored = await this.#store.read()
        if (stored?.login !== tokens.login || stored.refreshes >= tokens.refreshes) {
          // Another process has logged in or out, or refreshed meanwhile, and the last action counts.
          this.#tokens = newer(stored, this.#tokens)
          return this.#tokensOrLogin()
        }
        // A later refresh of this process may not be stored either.
        const newest = newer(tokens, this.#tokens) ?? tokens
        await this.#store.write(newest)
        this.#tokens = newest
        return newest
      })
    })
  }

  /** Deletes all tokens after a refused refresh, unless others have replaced them meanwhile. */
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
   * Returns the tokens of the login in the key store, because another process may have logged in or out. For the same login,
   * the tokens in memory may be newer, if the key store couldn't be written. They are also used while it can't be read.
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

  /** Reads the tokens from the key store into memory and returns them. */
  #reload(): Promise<Tokens | undefined> {
    return this.#inTurn(async () => {
      this.#tokens = newer(await this.#store.read(), this.#tokens)
      return this.#tokens
    })
  }

  /** Ends the stored login if `isWrong` returns true for its tokens. Returns the remaining tokens. */
  #endIf(isWrong: (held: Tokens) => boolean): Promise<Tokens | undefined> {
    return this.#change(async () => {
      this.#tokens = newer(await this.#store.read(), this.#tokens)
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

  /** Runs a change of the key store under the lock. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#options.alone('change', work))
  }

  #isExpired(tokens: Tokens): boolean {
    return isExpired(tokens, this.#options.now())
  }
}

/** The attempts to store tokens, each after this pause in milliseconds: before the tokens are used, and afterwards. */
const storeAttempts = { beforeUse: [0, 500, 2000], later: [10_000, 30_000, 120_000] } as const

function originOf(address: string): string {
  return new URL(address).origin
}

/** Returns whether an address is at the origin of the login. */
function isAt(origin: string, address: string): boolean {
  return origin === originOf(address)
}

/** Adds the TLS version that portals of version 3 require. */
function httpFor(apiVersion: ApiVersion, http: HttpClient): HttpClient {
  return apiVersion === 3 ? requireTls13(http) : http
}

/** Returns the stored tokens, or newer ones of the same login in memory that couldn't be stored. */
function newer(stored: Tokens | undefined, held: Tokens | undefined): Tokens | undefined {
  if (stored === undefined || held?.login !== stored.login) return stored
  return held.refreshes > stored.refreshes ? held : stored
}
