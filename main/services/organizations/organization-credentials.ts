import { parseJson } from '../../json'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { SecretStore } from '../../platform/secret-store/secret-store'

/** Who the caller is, where an organization service asks. */
export type Credential =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
export type CredentialKind = Credential['kind']

/** What may be shown of the credentials that are kept: never a token or password. */
export interface KeptCredentials {
  readonly bearer: boolean
  /** The name of the user, where there is one with a password. */
  readonly basic?: string
  /** The only place that they are sent to, such as `https://vpn.example.org`. */
  readonly origin?: string
}

/** Undefined `header`: there is nothing to send there. */
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
 * The credentials for the organization service of one instance, in the key store under
 * `organization-credentials:<instance id>`. They belong to the origin that the service had when they were set, and are
 * sent nowhere else. Known servers take a token for `/api/org` and the user name and password of a server administrator
 * for `/api/orgs` (field notes), so both can be kept. All throw `secret-store/*`.
 */
export class OrganizationCredentials {
  readonly #secretStore: SecretStore
  readonly #account: string
  readonly #onChanged: () => Promise<void>

  /** @param onChanged awaited whenever the person is, or may be, somebody else to the service from then on */
  constructor(
    secretStore: SecretStore,
    instanceId: string,
    onChanged: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#secretStore = secretStore
    this.#onChanged = onChanged
    this.#account = `organization-credentials:${instanceId}`
  }

  async describe(): Promise<KeptCredentials> {
    const kept = await this.#read()
    return {
      bearer: kept?.token !== undefined,
      ...(kept?.user === undefined ? {} : { basic: kept.user }),
      ...(kept === undefined ? {} : { origin: kept.origin }),
    }
  }

  /**
   * Keeps it for the service at this address, in the place of the one of its kind; one for another origin goes. Throws
   * `organizations/invalid-request`.
   */
  async set(credential: Credential, baseUrl: string): Promise<void> {
    const checked = checkedCredential(credential)
    const { origin } = new URL(baseUrl)
    const kept = await this.#read()
    await this.#write({ ...(kept?.origin === origin ? kept : { origin }), ...checked })
    await this.#onChanged()
  }

  /** Forgets those of one kind, or all. */
  async remove(kind?: CredentialKind): Promise<void> {
    const kept = kind === undefined ? undefined : await this.#read()
    const rest = kept === undefined ? undefined : without(kept, kind)
    try {
      if (rest !== undefined) await this.#write(rest)
      else await this.#secretStore.delete(this.#account)
    } catch (error) {
      // What is to go must go, even where the key store does not take the rest.
      if (rest !== undefined) await this.#secretStore.delete(this.#account)
      throw error
    } finally {
      await this.#onChanged()
    }
  }

  /** What to send to this address: of this kind alone; without one, of the kind that its path takes, else the other. */
  async authorization(url: URL, kind?: CredentialKind): Promise<Authorization> {
    const kept = await this.#read()
    if (kept?.origin !== url.origin) return {}
    const bearer = bearerOf(kept)
    const basic = basicOf(kept)
    if (kind !== undefined) return (kind === 'basic' ? basic : bearer) ?? {}
    return (isForAdministrators(url) ? (basic ?? bearer) : (bearer ?? basic)) ?? {}
  }

  async #read(): Promise<Kept | undefined> {
    const text = await this.#secretStore.get(this.#account)
    if (text === undefined) return undefined
    const kept = keptSchema.safeParse(parseJson(text))
    return kept.success ? kept.data : undefined
  }

  #write(kept: Kept): Promise<void> {
    return this.#secretStore.set(this.#account, JSON.stringify(kept))
  }
}

/** Whether known servers take only the user name and password of a server administrator there. */
export function isForAdministrators(url: URL): boolean {
  return /\/api\/orgs(\/|$)/.test(url.pathname)
}

/** Returns what is left without those of this kind, if anything. */
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

/** RFC 6750, section 2.1 for the token; RFC 7617, section 2 for the others. */
function checkedCredential(credential: Credential): Omit<Kept, 'origin'> {
  if (credential.kind === 'bearer') {
    const token = credential.token.trim()
    if (/^[\w.~+/-]+=*$/.test(token) && token.length <= longestSecret) return { token }
    throw invalid('token', 'A token can contain only letters, digits and the characters - . _ ~ + / =.')
  }
  const { user, password } = credential
  if (user === '' || user.length > 255 || user.includes(':') || /\p{Cc}/u.test(user))
    throw invalid('user', 'A user name has 1 to 255 characters, and no colon.')
  if (password === '' || password.length > longestSecret || /\p{Cc}/u.test(password))
    throw invalid('password', "The password is missing, or contains characters that aren't allowed.")
  return { user, password }
}

function invalid(field: string, message: string): CausewayError {
  return new CausewayError('organizations/invalid-request', `${message} Enter it again.`, {
    details: { field },
  })
}
