import type { HttpClient } from '../../platform/http/http-client'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { Reporter } from '../../reporter'
import type { Endpoints, Instance } from '../instance/instance'
import type { BrowserLogin } from './browser-logins'
import type { OpenBrowser } from './token-session'

/** Parameters for the token session of an instance. */
export interface InstanceTokenSessionOptions {
  readonly instance: Instance
  readonly endpoints: (signal?: AbortSignal) => Promise<Endpoints>
  /** Called when the token endpoint is gone, so that `endpoints` looks again. */
  readonly expireEndpoints?: () => Promise<void>
  readonly clientId: string
  /** Returns an address to open instead of the authorization request; called before each login. */
  readonly beforeLogin?: (signal: AbortSignal) => Promise<(url: URL) => URL>
  readonly http: HttpClient
  readonly secretStore: SecretStore
  readonly openBrowser: OpenBrowser
  /**
   * Runs the work under a lock for the instance and kind, across all processes: a refresh, a login in the browser, or a
   * change of the key store. A change may run within one of the others. Rejects if the signal aborts before the lock is
   * acquired.
   */
  readonly alone: <T>(
    kind: 'refresh' | 'login' | 'change',
    work: () => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>
  readonly forgetGrants: () => Promise<void>
  /**
   * Deletes everything stored for a login except its tokens and key pair. `replaced` is false if there was no login yet:
   * then, everything that the user configured is kept.
   */
  readonly forgetLogin: (replaced: boolean) => Promise<void>
  /** Throws `usage/unknown-instance` if the instance was removed, such as by another process while the browser was open. */
  readonly requireListed?: () => Promise<void>
  /** Remembers that somebody has signed in. Never rejects. */
  readonly onSignedIn?: () => Promise<void>
  /** Returns whether the instance has sent `iss` in a sign-in before. */
  readonly hasSentIssuer: () => Promise<boolean>
  /** Remembers that it has. */
  readonly onIssuerSent: () => Promise<void>
  /** Returns whether Causeway knows other instances. */
  readonly knowsOthers: () => Promise<boolean>
  /** Returns a unique identifier for a login. */
  readonly newLogin: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Called when a login starts to wait for the browser. The returned function is called when it no longer waits. */
  readonly onWaiting?: (login: BrowserLogin) => () => void
  /** Called on the callback from the browser, so that the app can come to the front. */
  readonly onReturned?: () => void
  /**
   * Runs work that replaces a login of version 3 while no process can start to use that login. Rejects without running it
   * if one uses it.
   */
  readonly whileUnused: (work: () => Promise<void>) => Promise<void>
  /** Resolves after this time. `alive` keeps the process running until then. */
  readonly delay: (milliseconds: number, process: 'alive' | 'may-end') => Promise<void>
  /** Receives failures to store refreshed tokens after several attempts, or to parse stored ones. */
  readonly reporter: Pick<Reporter, 'notice'>
}
