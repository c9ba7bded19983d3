import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Collection } from '../state/collection'
import type { Environment } from '../state/environment'
import { Single } from '../state/single'
import type { AuthorizationRequest } from './authorization-request'
import { dropOldest } from './drop-oldest'
import { oauthError, type OAuthError } from './oauth-error'
import { SignedTexts, type TextKind } from './signed-text'

const secondMs = 1000
const codeLifeMs = 5 * 60 * secondMs
/** How long portals commonly let a login last. */
export const usualSessionSeconds = 90 * 24 * 60 * 60
/** A login that lasts longer would be of no use to anybody. */
export const mostSessionSeconds = 10 * 365 * 24 * 60 * 60
export const usualAccessTokenSeconds = 3600
/** The oldest logins are forgotten when there are more. */
const mostAuthorizations = 10_000
/** Below this many, what is over is not looked for. */
const fewAuthorizations = 256

const authorizationSchema = z.object({
  userId: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  /** Times are in milliseconds since 1970. */
  begun: z.number(),
  ends: z.number(),
  /** Counts the logins. */
  serial: z.int(),
  redeemed: z.boolean(),
})
type KeptAuthorization = z.infer<typeof authorizationSchema>

/** Access tokens carry the generation that was current; those below the least are refused. */
const generationSchema = z.object({ current: z.int(), least: z.int() })

type Ground = Pick<Environment, 'clock' | 'persistence' | 'secrets'>

/** One approval by the user: everything issued from it ends with it. */
export interface Authorization {
  id: string
  userId: string
  clientId: string
  /** When the session ends, and with it the tokens and certificates. */
  sessionEnd: Date
}

/** What the token endpoint hands out. */
export interface IssuedTokens {
  ok: true
  accessToken: string
  /** Absent after a refresh: the client keeps the one it has. */
  refreshToken?: string
  /** What the client is told of the access token's life; it stays the same when the session ends sooner. */
  expiresIn: number
}

/**
 * The logins, and the codes and tokens that are good now. Codes and tokens are not kept themselves but signed; what is
 * kept is readable on the disk, which a mock may leave so.
 */
export class TokenStore {
  /** How long a session lasts. */
  sessionSeconds = usualSessionSeconds
  /** How long access tokens live that are issued from now on. */
  accessTokenSeconds = usualAccessTokenSeconds
  readonly #environment: Ground
  readonly #texts: SignedTexts
  readonly #authorizations: Collection<KeptAuthorization>
  readonly #generation: Single<z.infer<typeof generationSchema>>
  /** The logins up to this one end at another time, and perhaps the later ones too, as long as the situation lasts. */
  #changedEnd: { upTo: number; ends: number; laterSeconds?: number } | undefined
  /** Access tokens of an earlier generation are refused as long as the situation lasts. */
  #refusedBelow = 0
  #lastSerial: number
  #lookAt = fewAuthorizations

  constructor(environment: Ground) {
    const { persistence, secrets } = environment
    this.#environment = environment
    this.#authorizations = new Collection(persistence, 'vpn-authorizations', authorizationSchema)
    this.#generation = new Single(persistence, 'vpn-token-generation', generationSchema, {
      current: 0,
      least: 0,
    })
    this.#lastSerial = Math.max(0, ...this.#authorizations.values().map(({ serial }) => serial))
    const key = new Single(persistence, 'vpn-token-key', z.hex(), '')
    if (key.get() === '') key.set(secrets.next('token-key', 32).toString('hex'))
    this.#texts = new SignedTexts(Buffer.from(key.get(), 'hex'))
  }

  /** How many logins are remembered. */
  get size(): number {
    return this.#authorizations.size
  }

  /** A code for a checked authorization request that the user approved; good for five minutes, once. */
  issueCode(request: AuthorizationRequest, userId: string): string {
    return this.#environment.persistence.together(() => {
      this.#dropWhatIsOver()
      const id = this.#environment.secrets.next('authorization', 16).toString('hex')
      const begun = this.#environment.clock.now().getTime()
      const seconds = this.#changedEnd?.laterSeconds ?? this.sessionSeconds
      this.#lastSerial += 1
      this.#authorizations.set(id, {
        userId,
        clientId: request.clientId,
        redirectUri: request.redirectUri,
        codeChallenge: request.codeChallenge,
        begun,
        ends: begun + seconds * secondMs,
        serial: this.#lastSerial,
        redeemed: false,
      })
      return this.#newText('code', id, begun + codeLifeMs)
    })
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
    const code = this.#texts.read('code', given.code)
    const authorization = code && this.#authorizations.get(code.authorizationId)
    if (code === undefined || authorization === undefined) {
      return oauthError('invalid_grant', '"code" is not known')
    }
    if (authorization.clientId !== given.clientId) {
      return oauthError('invalid_request', 'unexpected "client_id"')
    }
    if (authorization.redirectUri !== given.redirectUri) {
      return oauthError('invalid_request', 'unexpected "redirect_uri"')
    }
    const challenge = createHash('sha256').update(given.codeVerifier).digest('base64url')
    if (challenge !== authorization.codeChallenge) {
      return oauthError('invalid_grant', 'invalid "code_verifier"')
    }
    const { authorizationId: id, expires } = code
    if (authorization.redeemed) {
      this.#authorizations.delete(id)
      return oauthError('invalid_grant', '"code" was used before')
    }
    if (this.#environment.clock.now().getTime() > expires)
      return oauthError('invalid_grant', '"code" expired')
    return this.#environment.persistence.together(() => {
      this.#authorizations.set(id, { ...authorization, redeemed: true })
      const refreshToken = this.#newText('refresh', id, authorization.ends)
      return { ...this.#newAccessToken(id), refreshToken }
    })
  }

  /** A new access token; the refresh token stays as it is (RFC 6749 section 6). */
  refresh(given: { refreshToken: string; clientId?: string | undefined }): OAuthError | IssuedTokens {
    const authorization = this.refreshable(given.refreshToken)
    const isOther = given.clientId !== undefined && given.clientId !== authorization?.clientId
    if (authorization === undefined || isOther) {
      return oauthError('invalid_grant', '"refresh_token" is no longer authorized')
    }
    return this.#environment.persistence.together(() => this.#newAccessToken(authorization.id))
  }

  /** The authorization behind a refresh token that is good now. */
  refreshable(refreshToken: string): Authorization | undefined {
    const id = this.#texts.read('refresh', refreshToken)?.authorizationId
    const authorization = id === undefined ? undefined : this.#authorization(id)
    return authorization === undefined || this.#environment.clock.now() >= authorization.sessionEnd
      ? undefined
      : authorization
  }

  /** The authorization behind an access token that is good now. */
  authorizationOf(accessToken: string): Authorization | undefined {
    const token = this.#texts.read('access', accessToken)
    const least = Math.max(this.#generation.get().least, this.#refusedBelow)
    if (token === undefined || token.generation < least) return undefined
    const authorization = this.#authorization(token.authorizationId)
    const now = this.#environment.clock.now()
    return authorization !== undefined && now.getTime() < token.expires && now < authorization.sessionEnd
      ? authorization
      : undefined
  }

  /** When the session of this authorization ends; undefined when it is forgotten. */
  sessionEnd(authorizationId: string): Date | undefined {
    return this.#authorization(authorizationId)?.sessionEnd
  }

  /** Who approved this authorization; undefined when it is forgotten. */
  userOf(authorizationId: string): string | undefined {
    return this.#authorizations.get(authorizationId)?.userId
  }

  /** Makes the access tokens, or all tokens and codes, worthless. */
  revoke(kind: 'access' | 'all'): void {
    this.#environment.persistence.together(() => {
      const next = this.#generation.get().current + 1
      this.#generation.set({ current: next, least: next })
      if (kind === 'all') this.#authorizations.clear()
    })
  }

  /** Refuses the access tokens handed out so far, until `settle`. */
  refuseAccessTokens(): void {
    const { current, least } = this.#generation.get()
    this.#generation.set({ current: current + 1, least })
    this.#refusedBelow = current + 1
  }

  /**
   * Ends the sessions of all logins so far this many seconds from now, and those of `later` ones as long after the
   * login, until `settle`.
   */
  endSessions(inSeconds: number, later: 'later ones too' | 'only those so far'): void {
    const ends = this.#environment.clock.now().getTime() + inSeconds * secondMs
    this.#changedEnd = {
      upTo: this.#lastSerial,
      ends,
      ...(later === 'later ones too' ? { laterSeconds: inSeconds } : {}),
    }
  }

  /** Takes back what a situation changed; logins and tokens stay as they are. */
  settle(): void {
    this.accessTokenSeconds = usualAccessTokenSeconds
    this.#refusedBelow = 0
    this.#changedEnd = undefined
  }

  #authorization(id: string): Authorization | undefined {
    const kept = this.#authorizations.get(id)
    if (kept === undefined) return undefined
    const changed = this.#changedEnd
    const ends = changed !== undefined && kept.serial <= changed.upTo ? changed.ends : kept.ends
    return { id, userId: kept.userId, clientId: kept.clientId, sessionEnd: new Date(ends) }
  }

  #newAccessToken(authorizationId: string): IssuedTokens {
    const expires = this.#environment.clock.now().getTime() + this.accessTokenSeconds * secondMs
    const accessToken = this.#newText('access', authorizationId, expires)
    return { ok: true, accessToken, expiresIn: this.accessTokenSeconds }
  }

  #newText(kind: TextKind, authorizationId: string, expires: number): string {
    const nonce = this.#environment.secrets.next(`${kind}-nonce`, 8)
    const generation = this.#generation.get().current
    return this.#texts.write(kind, { authorizationId, generation, expires }, nonce)
  }

  /** Looks only when there are twice as many logins as were left the last time. */
  #dropWhatIsOver(): void {
    if (this.size < this.#lookAt) return
    const now = this.#environment.clock.now().getTime()
    for (const [id, { redeemed, begun, ends }] of this.#authorizations.entries()) {
      if (now > ends || (!redeemed && now > begun + codeLifeMs)) this.#authorizations.delete(id)
    }
    dropOldest(this.#authorizations, mostAuthorizations, ({ begun }) => begun)
    this.#lookAt = Math.min(mostAuthorizations, Math.max(fewAuthorizations, 2 * this.size))
  }
}
