import { Emitter } from '../../emitter'

/** A login that waits for the browser. */
export interface BrowserLogin {
  /** The authorization request, for a browser elsewhere. */
  readonly link: URL
  /** The time at which it times out; milliseconds since the epoch. */
  readonly until: number
  /** Opens the browser again. Throws `oauth/browser-not-opened`; the login continues. */
  openAgain(): Promise<void>
}

/** The logins that wait for the browser, by the id of their instance. */
export class BrowserLogins {
  readonly #logins = new Map<string, BrowserLogin>()
  readonly #changes = new Emitter<void>()

  of(instanceId: string): BrowserLogin | undefined {
    return this.#logins.get(instanceId)
  }

  /** Adds a login; returns a function that removes it. */
  add(instanceId: string, login: BrowserLogin): () => void {
    this.#logins.set(instanceId, login)
    this.#changes.emit()
    return () => {
      if (this.#logins.get(instanceId) !== login) return
      this.#logins.delete(instanceId)
      this.#changes.emit()
    }
  }

  /** Calls back after each change; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }
}
