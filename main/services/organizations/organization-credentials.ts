import type { OrganizationCredential, OrganizationCredentialsItem } from '../../../contract/organizations'
import { parseJson } from '../../json'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { SecretStore } from '../../platform/secret-store/secret-store'

export type CredentialKind = OrganizationCredential['kind']

/** The `Authorization` header to send, if any. */
export interface Authorization {
  readonly kind?: CredentialKind
  readonly header?: string
}

const keptSchema = z.object({
  origin: z.string(),
  token: z.string().exactOptional(),
  user: z.string().exactOptional(),
  password: z.string().exactOptional(),
})
type Kept = z.infer<typeof keptSchema>

const longestSecret = 8192

/**
 * The credentials for the organization service of one instance, in the key store under `organization-credentials:<instance
 * id>`. They belong to the service's origin at the time they were set, and are sent nowhere else. Known servers require a
 * token for `/api/org` and the user name and password of a server administrator for `/api/orgs` (field notes), so both can
 * be stored. All methods throw `secret-store/*`.
 */
export class OrganizationCredentials {
  readonly #secretStore: SecretStore
  readonly #account: string
  readonly #onChanged: () => Promise<void>

  /** @param onChanged awaited after each change of the credentials */
  constructor(
    secretStore: SecretStore,
    instanceId: string,
    onChanged: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#secretStore = secretStore
    this.#onChanged = onChanged
    this.#account = `organization-credentials:${instanceId}`
  }

  /** Returns the stored credentials without tokens and passwords. */
  async describe(): Promise<Omit<OrganizationCredentialsItem, 'keptIn'>> {
    const stored = await this.#read()
    return {
      bearer: stored?.token !== undefined,
      basic: stored?.user,
      origin: stored?.origin,
    }
  }

  /**
   * Stores a credential for the service at this address. Replaces the credential of the same kind, and any for another
   * origin. Throws `organizations/invalid-request`.
   */
  async set(credential: OrganizationCredential, baseUrl: string): Promise<void> {
    const checked = checkedCredential(credential)
    const { origin } = new URL(baseUrl)
    const stored = await this.#read()
    await this.#write({ ...(stored?.origin === origin ? stored : { origin }), ...checked })
    await this.#onChanged()
  }

  /** Removes the credential of one kind, or all. */
  async remove(kind?: CredentialKind): Promise<void> {
    const stored = kind === undefined ? undefined : await this.#read()
    const rest = stored === undefined ? undefined : without(stored, kind)
    try {
      if (rest !== undefined) await this.#write(rest)
      else await this.#secretStore.delete(this.#account)
      await this.#secretStore.removeCopies?.()
    } catch (error) {
      // The removal must succeed even if the rest cannot be stored.
      if (rest !== undefined) await this.#secretStore.delete(this.#account)
      throw error
    } finally {
      await this.#onChanged()
    }
  }

  /**
   * Returns the header for an address: of the given kind, or else of the kind that its path requires, or of the other one.
   */
  async authorization(url: URL, kind?: CredentialKind): Promise<Authorization> {
    const stored = await this.#read()
    if (stored?.origin !== url.origin) return {}
    const bearer = bearerOf(stored)
    const basic = basicOf(stored)
    if (kind !== undefined) return (kind === 'basic' ? basic : bearer) ?? {}
    return (isForAdministrators(url) ? (basic ?? bearer) : (bearer ?? basic)) ?? {}
  }

  async #read(): Promise<Kept | undefined> {
    const text = await this.#secretStore.get(this.#account)
    if (text === undefined) return undefined
    const stored = keptSchema.safeParse(parseJson(text))
    return stored.success ? stored.data : undefined
  }

  #write(kept: Kept): Promise<void> {
    return this.#secretStore.set(this.#account, JSON.stringify(kept))
  }
}

/** Returns true for paths where known servers accept only the user name and password of a server administrator. */
export function isForAdministrators(url: URL): boolean {
  return /\/api\/orgs(\/|$)/.test(url.pathname)
}

/** Returns the remaining credentials after removing one kind, if any. */
function without(
  { origin, token, user, password }: Kept,
  kind: CredentialKind | undefined,
): Kept | undefined {
  if (kind === 'basic' && token !== undefined) return { origin, token }
  if (kind === 'bearer' && user !== undefined && password !== undefined) return { origin, user, password }
  return undefined
}

function bearerOf({ token }: Kept): Authorization | undefined {
  return token === undefined ? undefined : { kind: 'bearer', header: `Bearer ${token}` }
}

function basicOf({ user, password }: Kept): Authorization | undefined {
  if (user === undefined || password === undefined) return undefined
  return { kind: 'basic', header: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` }
}

/** Checks a token (RFC 6750, section 2.1), or a user name and password (RFC 7617, section 2). */
function checkedCredential(credential: OrganizationCredential): Omit<Kept, 'origin'> {
  if (credential.kind === 'bearer') {
    const token = credential.token.trim()
    if (/^[\w.~+/-]+=*$/.test(token) && token.length <= longestSecret) return { token }
    throw invalid('token')
  }
  const { user, password } = credential
  if (user === '' || user.length > 255 || user.includes(':') || /\p{Cc}/u.test(user)) throw invalid('user')
  if (password === '' || password.length > longestSecret || /\p{Cc}/u.test(password))
    throw invalid('password')
  return { user, password }
}

function invalid(field: 'token' | 'user' | 'password'): CausewayError {
  return new CausewayError('organizations/invalid-request', {
    variant: field,
    details: { field },
  })
}
