/**
 * Opens a URL for the user; rejects with `oauth/browser-not-opened`. For a login it is an address on this computer that
 * redirects to `destination`, which may be shown to the user and must be in no command line.
 */
export type OpenBrowser = (url: URL, destination?: URL) => Promise<void>

/**
 * The tokens of one instance and the rules for them (vpn-application-api.md, sections 3 and 5).
 */
export interface TokenSession {
  /** Returns whether there are tokens in the key store. Throws `secret-store/*`. */
  signedIn(): Promise<boolean>
  /**
   * An access token that is not expired; an expired one is refreshed first, once for all who wait.
   * Throws `oauth/login-required` (no tokens, or the refresh was refused: then all are discarded), `http/*`
   * (not reachable: tokens kept), `oauth/server-error` (any status but 2xx, 400 and 401: tokens kept),
   * `oauth/invalid-token-response` (tokens kept), `discovery/*`, `secret-store/*`.
   */
  accessToken(signal?: AbortSignal): Promise<string>
  /**
   * The API answered 401 to this unexpired token: discard all tokens, unless a newer one has taken its place. An
   * expired one is left to the refresh.
   */
  discardRejected(accessToken: string): Promise<void>
  /**
   * Authorization code flow with PKCE in the browser; one at a time. A second caller joins the first, which goes on until
   * all have cancelled; another process waits, and uses its tokens. Before the new tokens are kept, everything that is kept
   * of the login before is forgotten. When the login fails, the tokens that are held stay.
   * Throws `oauth/client-refused` (the portal does not know our client id), `oauth/cancelled` (the signal), `oauth/timed-out`, `oauth/browser-not-opened`, `oauth/access-denied`,
   * `oauth/authorization-failed`, `oauth/issuer-mismatch`, `oauth/invalid-callback`,
   * `oauth/code-refused`, `oauth/server-error`, `oauth/invalid-token-response`, `discovery/*`, `http/*`,
   * `secret-store/*` (before the browser opens, where that can be known).
   */
  logIn(signal?: AbortSignal): Promise<void>
  /** Forgets the tokens, the key pair, and everything else that is kept of the login. Throws `secret-store/*`, `data/*`. */
  logOut(): Promise<void>
}
