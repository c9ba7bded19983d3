import { hasCode } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import { retryAfterMs } from '../../platform/http/retrying-http'
import type { Reporter } from '../../reporter'
import { loginRequired } from '../oauth/errors'
import type { ApiV3 } from './api'
import type { Held, LoginSession } from './issued-configurations'
import type { SessionStore } from './session-store'

export interface DisconnectsOptions {
  readonly api: Pick<ApiV3, 'disconnect'>
  readonly store: Pick<SessionStore, 'markPendingDisconnect' | 'pendingDisconnect'>
  readonly session: LoginSession
  /** Receives failures to send /disconnect. */
  readonly reporter: Pick<Reporter, 'failure'>
  /**
   * Runs work while no process, also not this one, is connected to the instance or can start to. Rejects without running
   * it if one is connected.
   */
  readonly whileDisconnected: (work: () => Promise<void>) => Promise<void>
  /** Resolves after this time; doesn't keep the process running until then. */
  readonly delay: (milliseconds: number) => Promise<void>
  /** The time limit of `disconnect`; default 5 seconds. */
  readonly disconnectTimeoutMs?: number
}

/** The time limit of storing that `/disconnect` is still to be sent. */
const markTimeoutMs = 1000

/** Withdraws configurations that aren't used any more, also those that couldn't be withdrawn at once. */
export class Disconnects {
  readonly #options: DisconnectsOptions
  /** The time that the portal wants to pass before the next `/disconnect`. */
  #askedPauseMs = 0
  #sending: Promise<void> | undefined
  #isRetrying = false

  constructor(options: DisconnectsOptions) {
    this.#options = options
  }

  /** Withdraws a configuration, later if the portal can't be reached. Never throws. */
  async disconnect(held: Held): Promise<void> {
    try {
      await this.#withdraw(held)
    } catch (error) {
      this.#onFailed(error)
      if (!isAnswer(error)) await this.#markPending(held).catch(this.#onFailed)
    }
  }

  readonly #onFailed = (error: unknown): void => {
    this.#askedPauseMs = retryAfterMs(error)
    this.#options.reporter.failure('disconnect-not-sent', error)
  }

  /** Withdraws a configuration where it was issued, and with the login that it belongs to. */
  async #withdraw(held: Held): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.disconnectTimeoutMs ?? 5000)
    const send = async (): Promise<void> => {
      if ((await this.#options.session.loginTime()).login !== held.login) throw loginRequired()
      await this.#options.api.disconnect(signal, held.apiBaseUri)
    }
    // A key store that waits for its password ignores the signal; nothing is sent after it.
    await settledBefore(signal, send())
  }

  /** Remembers a configuration that the portal holds although it isn't used any more: up to the end of the session. */
  async #markPending({ login, apiBaseUri }: Held): Promise<void> {
    if (apiBaseUri === undefined) return
    await settledBefore(
      AbortSignal.timeout(markTimeoutMs),
      this.#options.session.keepFor(login, () =>
        this.#options.store.markPendingDisconnect(login, apiBaseUri),
      ),
    )
    if (this.#isRetrying) return
    this.#isRetrying = true
    void this.#sendPendingLater(login).finally(() => {
      this.#isRetrying = false
    })
  }

  async #sendPendingLater(login: string): Promise<void> {
    for (let pause = 10_000; ; pause = Math.min(2 * pause, 600_000)) {
      await this.#options.delay(Math.max(pause, this.#askedPauseMs))
      await this.sendPendingDisconnect()
      // A key store that can't be read now may be later.
      if ((await this.#options.store.pendingDisconnect(login).catch(() => '')) === undefined) return
    }
  }

  /** See `PortalV3`. */
  readonly sendPendingDisconnect = (): Promise<void> => {
    this.#sending ??= this.#sendPendingOnce()
      // The next answer of the portal is the next occasion.
      .catch(this.#onFailed)
      .finally(() => {
        this.#sending = undefined
      })
    return this.#sending
  }

  async #sendPendingOnce(): Promise<void> {
    const { login } = await this.#options.session.loginTime()
    if ((await this.#options.store.pendingDisconnect(login)) === undefined) return
    await this.#options.whileDisconnected(async () => {
      // A new configuration of any process has replaced it.
      const apiBaseUri = await this.#options.store.pendingDisconnect(login)
      if (apiBaseUri === undefined) return
      await this.#withdraw({ login, apiBaseUri }).catch((error: unknown) => {
        if (!isAnswer(error)) throw error
        this.#onFailed(error)
      })
    })
    // Outside, because a login in another process takes these locks in the other order.
    await this.#options.session.keepFor(login, () => this.#options.store.markPendingDisconnect(login))
  }
}

/** Returns whether the portal has answered with this error, or that there is no login to ask with. */
function isAnswer(error: unknown): boolean {
  return hasCode(
    error,
    'oauth/login-required',
    'vpn-api/refused',
    'vpn-api/not-allowed',
    'vpn-api/invalid-response',
  )
}

/** Settles like the work, or rejects once the signal aborts. */
export function settledBefore<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(requestCancelled())
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort)
    })
  })
}
