import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Collection, dropOldest, Single } from '../state/collection'
import { type Environment, secretOf } from '../state/environment'
import type { AccessTokenJwts } from './jwt'
import { invalidGrant, invalidRequest, type OAuthError } from './oauth-error'
import { SignedTokens, type TokenKind } from './signed-token'

const secondMs = 1000
const codeLifeMs = 5 * 60 * secondMs
const defaultSessionSeconds = 90 * 24 * 60 * 60
export const maxSessionSeconds = 10 * 365 * 24 * 60 * 60
const defaultAccessTokenSeconds = 3600
/** The maximum number of stored logins. The oldest are dropped first. */
const maxAuthorizations = 10_000
const minAuthorizationsToClean = 256

const authorizationSchema = z.object({
  userId: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  /** Times are in milliseconds since 1970. */
  begun: z.number(),
  ends: z.number(),
  serial: z.int(),
  redeemed: z.boolean(),
  /** The number of refresh token rotations, which is the generation of the current refresh token. */
  rotations: z.int().optional(),
})
type KeptAuthorization = z.infer<typeof authorizationSchema>

/** Generations of access tokens. Tokens of a generation below the minimum are refused. */
const generationSchema = z.object({ current: z.int(), least: z.int() })

type TokenEnvironment = Pick<Environment, 'clock' | 'persistence' | 'secrets'>

export const responseModes = ['query', 'form_post'] as const

/** A valid request for authorization. */
export interface AuthorizationRequest {
  ok: true
  clientId: string
  redirectUri: string
  state: string
  codeChallenge: string
  /** `form_post`: a page posts the answer to the redirect URI. */
  responseMode: (typeof responseModes)[number]
}

/** An approval by the user. Its tokens and certificates end with it. */
export interface Authorization {
  id: string
  userId: string
  clientId: string
  sessionEnd: Date
}

export interface IssuedTokens {
  ok: true
  accessToken: string
  /** Absent after a refresh without rotation: the client keeps its refresh token. */
  refreshToken?: string
  /** The lifetime sent to the client. Version 2 doesn't shorten it when the session ends earlier. */
  expiresIn: number
}

/** Logins with their codes and tokens, which are signed instead of stored. */
export class TokenStore {
  sessionSeconds = defaultSessionSeconds
  /** The lifetime of access tokens issued from now on. */
  accessTokenSeconds = defaultAccessTokenSeconds
  jwts: AccessTokenJwts | undefined
  /** Returns the claims of the portal in JWTs. */
  jwtOrigin: () => object = () => ({})
  readonly #environment: TokenEnvironment
  readonly #signed: SignedTokens
  readonly #authorizations: Collection<KeptAuthorization>
  /** Revoked access tokens by their hashes, with their expiry in milliseconds since 1970. */
  readonly #revoked: Collection<number>
  readonly #generation: Single<z.infer<typeof generationSchema>>
  /** Overrides when the logins up to this one end, and optionally later ones, until `revertScenario`. */
  #changedEnd: { upTo: number; ends: number; laterSeconds: number | undefined } | undefined
  /** Access tokens of an earlier generation are refused until `revertScenario`. */
  #refusedBelow = 0
  /** Decides the rules that differ between the versions of the API. */
  readonly #apiVersion: () => 2 | 3
  #lastSerial: number
  #lookAt = minAuthorizationsToClean

  constructor(environment: TokenEnvironment, apiVersion: () => 2 | 3 = () => 2) {
    const { persistence } = environment
    this.#environment = environment
    this.#apiVersion = apiVersion
    this.#authorizations = new Collection(persistence, 'vpn-authorizations', authorizationSchema)
    this.#revoked = new Collection(persistence, 'vpn-revoked-tokens', z.number())
    this.#generation = new Single(persistence, 'vpn-token-generation', generationSchema, {
      current: 0,
      least: 0,
    })
    this.#lastSerial = Math.max(0, ...this.#authorizations.values().map(({ serial }) => serial))
    this.#signed = new SignedTokens(secretOf(environment, 'vpn-token-key', 'token-key', 32))
  }

  get size(): number {
    return this.#authorizations.size
  }

  /** Returns a code for a valid, approved authorization request. It can be used once, within five minutes. */
  issueCode(
    request: Pick<AuthorizationRequest, 'clientId' | 'redirectUri' | 'codeChallenge'>,
    userId: string,
  ): string {
    return this.#environment.persistence.together(() => {
      const { clientId, redirectUri, codeChallenge } = request
      const id = this.#newAuthorization({ userId, clientId, redirectUri, codeChallenge, redeemed: false })
      return this.#sign('code', id, this.#environment.clock.now().getTime() + codeLifeMs)
    })
  }

  /** Returns tokens for a login without a browser. `expiresIn` is the lifetime of the access token in seconds. */
  issueTokens(given: { userId: string; clientId: string; expiresIn?: number | undefined }): IssuedTokens {
    const { userId, clientId, expiresIn } = given
    return this.#environment.persistence.together(() =>
      this.#newTokens(
        this.#newAuthorization({ userId, clientId, redirectUri: '', codeChallenge: '', redeemed: true }),
        expiresIn,
      ),
    )
  }

  /** Exchanges a code. It stays valid after a wrong verifier; a second use revokes the tokens of the first. */
  redeemCode(
    given: Record<'code' | 'client_id' | 'redirect_uri' | 'code_verifier', string>,
  ): OAuthError | IssuedTokens {
    const code = this.#signed.read('code', given.code)
    const authorization = code && this.#authorizations.get(code.authorizationId)
    if (code === undefined || authorization === undefined) return invalidGrant('"code" is not known')
    if (authorization.clientId !== given.client_id) return invalidRequest('unexpected "client_id"')
    if (authorization.redirectUri !== given.redirect_uri) return invalidRequest('unexpected "redirect_uri"')
    const challenge = createHash('sha256').update(given.code_verifier).digest('base64url')
    if (challenge !== authorization.codeChallenge) return invalidGrant('invalid "code_verifier"')
    const { authorizationId: id, expires } = code
    if (authorization.redeemed) {
      this.end(id)
      return invalidGrant('"code" was used before')
    }
    if (this.#environment.clock.now().getTime() > expires) return invalidGrant('"code" expired')
    return this.#environment.persistence.together(() => {
      this.#authorizations.set(id, { ...authorization, redeemed: true })
      return this.#newTokens(id)
    })
  }

  /** Returns a new access token. Version 3 replaces the refresh token as well; using a spent one ends the login. */
  refresh(refreshToken: string, clientId?: string): OAuthError | IssuedTokens {
    const authorization = this.refreshable(refreshToken)
    const isOther = clientId !== undefined && clientId !== authorization?.clientId
    if (authorization === undefined || isOther) {
      return invalidGrant('"refresh_token" is no longer authorized')
    }
    const { id } = authorization
    if (this.#isSpent(refreshToken, id)) {
      this.end(id)
      return invalidGrant('"refresh_token" was used before')
    }
    return this.#environment.persistence.together(() => {
      const authorization = this.#authorizations.get(id)
      if (this.#apiVersion() === 2 || authorization === undefined) return this.#newAccessToken(id)
      this.#authorizations.set(id, { ...authorization, rotations: (authorization.rotations ?? 0) + 1 })
      return this.#newTokens(id)
    })
  }

  end(authorizationId: string): void {
    this.#authorizations.delete(authorizationId)
  }

  refreshable(refreshToken: string): Authorization | undefined {
    const id = this.#signed.read('refresh', refreshToken)?.authorizationId
    const authorization = id === undefined ? undefined : this.#authorization(id)
    return authorization === undefined || this.#environment.clock.now() >= authorization.sessionEnd
      ? undefined
      : authorization
  }

  authorizationOf(accessToken: string): Authorization | undefined {
    const token = this.#accessToken(accessToken)
    const least = Math.max(this.#generation.get().least, this.#refusedBelow)
    if (token === undefined || token.generation < least) return undefined
    if (this.#revoked.size > 0 && this.#revoked.get(hashOf(accessToken)) !== undefined) return undefined
    const authorization = this.#authorization(token.authorizationId)
    const now = this.#environment.clock.now()
    return authorization !== undefined && now.getTime() < token.expires && now < authorization.sessionEnd
      ? authorization
      : undefined
  }

  /** Returns what a valid access or refresh token is for, and when it expires, in milliseconds since 1970. */
  active(token: string) {
    const access = this.authorizationOf(token)
    if (access !== undefined) {
      const expires = Math.min(access.sessionEnd.getTime(), this.#accessToken(token)?.expires ?? Infinity)
      return { kind: 'access' as const, authorization: access, expires }
    }
    const authorization = this.refreshable(token)
    if (authorization === undefined || this.#isSpent(token, authorization.id)) return undefined
    return { kind: 'refresh' as const, authorization, expires: authorization.sessionEnd.getTime() }
  }

  revokeToken(token: string): void {
    const active = this.active(token)
    if (active === undefined) return
    if (active.kind === 'refresh') {
      this.end(active.authorization.id)
    } else {
      dropOldest(this.#revoked, maxAuthorizations, (expires) => expires)
      this.#revoked.set(hashOf(token), active.expires)
    }
  }

  sessionEnd(authorizationId: string): Date | undefined {
    return this.#authorization(authorizationId)?.sessionEnd
  }

  userOf(authorizationId: string): string | undefined {
    return this.#authorizations.get(authorizationId)?.userId
  }

  /** Returns the user of an access token, even of one that has expired; undefined for an unknown one. */
  userOfToken(accessToken: string): string | undefined {
    const id = this.#accessToken(accessToken)?.authorizationId
    return id === undefined ? undefined : this.userOf(id)
  }

  get users(): string[] {
    return [...new Set(this.#authorizations.values().map(({ userId }) => userId))]
  }

  revoke(kind: 'access' | 'all'): void {
    this.#environment.persistence.together(() => {
      const next = this.#generation.get().current + 1
      this.#generation.set({ current: next, least: next })
      if (kind === 'all') this.#authorizations.clear()
    })
  }

  /** Refuses the access tokens issued so far, until `revertScenario`. */
  refuseAccessTokens(): void {
    const { current, least } = this.#generation.get()
    this.#generation.set({ current: current + 1, least })
    this.#refusedBelow = current + 1
  }

  /** Ends existing sessions this many seconds from now and, with `later`, new ones this long after the login. */
  endSessions(inSeconds: number, { later }: { later: boolean }): void {
    const ends = this.#environment.clock.now().getTime() + inSeconds * secondMs
    this.#changedEnd = { upTo: this.#lastSerial, ends, laterSeconds: later ? inSeconds : undefined }
  }

  revertScenario(): void {
    this.accessTokenSeconds = defaultAccessTokenSeconds
    this.#refusedBelow = 0
    this.#changedEnd = undefined
  }

  /** Returns true for a refresh token of version 3 that a newer one has replaced. */
  #isSpent(refreshToken: string, id: string): boolean {
    if (this.#apiVersion() === 2) return false
    const rotations = this.#authorizations.get(id)?.rotations ?? 0
    return this.#signed.read('refresh', refreshToken)?.generation !== rotations
  }

  #authorization(id: string): Authorization | undefined {
    const authorization = this.#authorizations.get(id)
    if (authorization === undefined) return undefined
    const changed = this.#changedEnd
    const ends =
      changed !== undefined && authorization.serial <= changed.upTo ? changed.ends : authorization.ends
    return { id, userId: authorization.userId, clientId: authorization.clientId, sessionEnd: new Date(ends) }
  }

  #newAuthorization(
    given: Pick<KeptAuthorization, 'userId' | 'clientId' | 'redirectUri' | 'codeChallenge' | 'redeemed'>,
  ): string {
    this.#dropEndedLogins()
    const id = this.#environment.secrets.next('authorization', 16).toString('hex')
    const begun = this.#environment.clock.now().getTime()
    const seconds = this.#changedEnd?.laterSeconds ?? this.sessionSeconds
    this.#lastSerial += 1
    this.#authorizations.set(id, {
      ...given,
      begun,
      ends: begun + seconds * secondMs,
      serial: this.#lastSerial,
    })
    return id
  }

  #newTokens(authorizationId: string, accessSeconds?: number): IssuedTokens {
    const { ends = 0, rotations = 0 } = this.#authorizations.get(authorizationId) ?? {}
    const refreshToken = this.#sign('refresh', authorizationId, ends, rotations)
    return { ...this.#newAccessToken(authorizationId, accessSeconds), refreshToken }
  }

  #newAccessToken(authorizationId: string, seconds = this.accessTokenSeconds): IssuedTokens {
    const now = this.#environment.clock.now().getTime()
    const sessionEnd = this.#authorization(authorizationId)?.sessionEnd.getTime() ?? now
    const expiresIn =
      this.#apiVersion() === 2
        ? seconds
        : Math.max(0, Math.min(seconds, Math.floor((sessionEnd - now) / secondMs)))
    const expires = now + expiresIn * secondMs
    const token = this.#sign('access', authorizationId, expires)
    const { userId = '', clientId = '' } = this.#authorizations.get(authorizationId) ?? {}
    const claims = {
      ...this.jwtOrigin(),
      sub: userId,
      client_id: clientId,
      scope: 'config',
      iat: Math.floor(now / secondMs),
      exp: Math.floor(expires / secondMs),
      jti: token,
    }
    return { ok: true, accessToken: this.jwts?.write(claims) ?? token, expiresIn }
  }

  #accessToken(text: string) {
    return this.#signed.read('access', this.jwts?.read(text) ?? text)
  }

  #sign(
    kind: TokenKind,
    authorizationId: string,
    expires: number,
    generation = this.#generation.get().current,
  ): string {
    const nonce = this.#environment.secrets.next(`${kind}-nonce`, 8)
    return this.#signed.write(kind, { authorizationId, generation, expires }, nonce)
  }

  /** Removes ended logins once their number has doubled since the last removal. */
  #dropEndedLogins(): void {
    if (this.size < this.#lookAt) return
    const now = this.#environment.clock.now().getTime()
    for (const [id, { redeemed, begun, ends }] of this.#authorizations.entries()) {
      if (now > ends || (!redeemed && now > begun + codeLifeMs)) this.#authorizations.delete(id)
    }
    dropOldest(this.#authorizations, maxAuthorizations, ({ begun }) => begun)
    this.#lookAt = Math.min(maxAuthorizations, Math.max(minAuthorizationsToClean, 2 * this.size))
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
