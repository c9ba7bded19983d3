import type { ApiVersion } from '../../../contract/choices'
import type { Endpoints } from '../instance/instance'

/**
 * Opens a URL for the user; rejects with `oauth/browser-not-opened`. For a login it is an address on this computer that
 * redirects to `destination`, which may be shown to the user and must be in no command line.
 */
export type OpenBrowser = (url: URL, destination?: URL) => Promise<void>

/** The tokens of one instance and the rules for them (docs/portal-api.md). */
export interface TokenSession {
  /** Returns whether there are tokens in the key store. Throws `secret-store/*`. */
  signedIn(): Promise<boolean>
  /** Returns the identifier of the login, which refreshes don't change. Throws `oauth/login-required`, `secret-store/*`. */
  login(): Promise<string>
  /**
   * Returns an access token that isn't expired. Refreshes an expired one first, once for all concurrent callers.
   * Throws `oauth/login-required` (no tokens, or the refresh was refused: then all are discarded), `http/*`
   * (not reachable: tokens kept), `oauth/server-error` (any status but 2xx, 400 and 401: tokens kept),
   * `oauth/invalid-token-response` (tokens kept), `discovery/*`, `secret-store/*`.
   *
   * `api` is the API that will get the token. If it isn't where the login was made, the login ends. Otherwise a service
   * could name another one's addresses for the login, and its own afterwards.
   */
  accessToken(signal?: AbortSignal, api?: Pick<Endpoints, 'apiBaseUri' | 'loginElsewhere'>): Promise<string>
  /**
   * Handles a 401 from the API for this token: discards all tokens, unless a newer one has replaced it. An expired
   * token is left to the refresh.
   */
  discardRejected(accessToken: string): Promise<void>
  /** Handles a 401 from an API of version 3: the next `accessToken` refreshes, unless a newer token has replaced this one. */
  expire(accessToken: string): Promise<void>
  /**
   * Ends a login that was made with another version of the API. Throws `oauth/login-required` if there is no login
   * afterwards, and `secret-store/*`.
   */
  requireVersion(apiVersion: ApiVersion): Promise<void>
  /**
   * Runs the authorization code flow with PKCE in the browser, one at a time. A second caller joins the first, which
   * continues until all callers have cancelled. Another process waits, and uses its tokens. Everything stored for the
   * previous login is deleted before the new tokens are stored. If the login fails, the current tokens stay.
   * Throws `oauth/client-refused` (the portal doesn't recognize our client ID), `oauth/cancelled` (the signal), `oauth/timed-out`, `oauth/browser-not-opened`, `oauth/access-denied`,
   * `oauth/authorization-failed`, `oauth/issuer-mismatch`, `oauth/invalid-callback`,
   * `oauth/code-refused`, `oauth/server-error`, `oauth/invalid-token-response`, `discovery/*`, `http/*`,
   * `secret-store/*` (before the browser opens, where that can be known), `usage/unknown-instance` (removed meanwhile).
   */
  logIn(signal?: AbortSignal): Promise<void>
  /** Deletes the tokens and everything else stored for the login. Throws `secret-store/*`, `data/*`. */
  logOut(): Promise<void>
}

/** The part of a TokenSession that the calls of the API need. */
export type ApiTokens = Pick<TokenSession, 'accessToken' | 'discardRejected' | 'expire' | 'requireVersion'>
