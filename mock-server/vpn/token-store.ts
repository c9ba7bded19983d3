import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock'
import type { AuthorizationRequest } from './authorization-request'
import { oauthError, type OAuthError } from './oauth-error'

const secondMs = 1000
const codeLifeMs = 5 * 60 * secondMs
const sessionLifeMs = 90 * 24 * 60 * 60 * secondMs
export const accessTokenSeconds = 3600

/** One approval by the user: everything issued from it ends with it. */
export interface Authorization {
  userId: string
  clientId: string
  /** When the session ends, and with it the tokens and certificates. */
  sessionEnd: Date
}

interface Code {
  request: AuthorizationRequest
  authorization: Authorization
  expires: Date
  redeemed: boolean
}

interface AccessToken {
  authorization: Authorization
  expires: Date
}

/** What the token endpoint hands out. */
export interface IssuedTokens {
  ok: true
  accessToken: string
  /** Absent after a refresh: the client keeps the one it has. */
  refreshToken?: string
}

/** Random text about as long as what portals give, so that clients meet realistic sizes. */
function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** The codes and tokens that are good now. */
export class TokenStore {
  readonly #clock: Clock
  readonly #codes = new Map<string, Code>()
  readonly #accessTokens = new Map<string, AccessToken>()
  readonly #refreshTokens = new Map<string, Authorization>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A code for a checked authorization request that the user approved; good for five minutes, once. */
  issueCode(request: AuthorizationRequest, userId: string): string {
    const code = newSecret(288)
    const authorization = { userId, clientId: request.clientId, sessionEnd: this.#after(sessionLifeMs) }
    this.#codes.set(code, { request, authorization, expires: this.#after(codeLifeMs), redeemed: false })
    return code
  }

  /**
   * Exchanges a code (RFC 6749 section 4.1.3, RFC 7636 section 4.6). A wrong verifier leaves the code alive; a second
   * use by someone who knows the verifier ends the tokens of the first.
   */
  redeemCode(given: {
    code: string
    clientId: string
    redirectUri: string
    codeVerifier: string
  }): OAuthError | IssuedTokens {
    const code = this.#codes.get(given.code)
    if (code === undefined) return oauthError('invalid_grant', '"code" is not known')
    if (code.request.clientId !== given.clientId) {
      return oauthError('invalid_request', 'unexpected "client_id"')
    }
    if (code.request.redirectUri !== given.redirectUri) {
      return oauthError('invalid_request', 'unexpected "redirect_uri"')
    }
    const challenge = createHash('sha256').update(given.codeVerifier).digest('base64url')
    if (challenge !== code.request.codeChallenge) {
      return oauthError('invalid_grant', 'invalid "code_verifier"')
    }
    if (code.redeemed) {
      this.#end(code.authorization)
      return oauthError('invalid_grant', '"code" was used before')
    }
    if (this.#clock.now() > code.expires) return oauthError('invalid_grant', '"code" expired')
    code.redeemed = true
    const refreshToken = newSecret(300)
    this.#refreshTokens.set(refreshToken, code.authorization)
    return { ok: true, accessToken: this.#issueAccessToken(code.authorization), refreshToken }
  }

  /** A new access token; the refresh token stays as it is (RFC 6749 section 6). */
  refresh(given: { refreshToken: string; clientId?: string | undefined }): OAuthError | IssuedTokens {
    const authorization = this.#refreshTokens.get(given.refreshToken)
    const isOver = authorization === undefined || this.#clock.now() > authorization.sessionEnd
    const isOther = given.clientId !== undefined && given.clientId !== authorization?.clientId
    if (isOver || isOther) return oauthError('invalid_grant', '"refresh_token" is no longer authorized')
    return { ok: true, accessToken: this.#issueAccessToken(authorization) }
  }

  /** The authorization behind an access token that is good now. */
  authorizationOf(accessToken: string): Authorization | undefined {
    const token = this.#accessTokens.get(accessToken)
    if (token === undefined) return undefined
    const now = this.#clock.now()
    return now < token.expires && now < token.authorization.sessionEnd ? token.authorization : undefined
  }

  /** Makes the access tokens, or all tokens and codes, worthless. */
  revoke(kind: 'access' | 'all'): void {
    this.#accessTokens.clear()
    if (kind === 'access') return
    this.#refreshTokens.clear()
    this.#codes.clear()
  }

  #after(ms: number): Date {
    return new Date(this.#clock.now().getTime() + ms)
  }

  #issueAccessToken(authorization: Authorization): string {
    const accessToken = newSecret(300)
    this.#accessTokens.set(accessToken, {
      authorization,
      expires: this.#after(accessTokenSeconds * secondMs),
    })
    return accessToken
  }

  #end(authorization: Authorization): void {
    for (const [token, { authorization: its }] of this.#accessTokens) {
      if (its === authorization) this.#accessTokens.delete(token)
    }
    for (const [token, its] of this.#refreshTokens) {
      if (its === authorization) this.#refreshTokens.delete(token)
    }
  }
}
