import { report } from '../../errors'
import type { Reporter } from '../../reporter'
import { parseJson } from '../../json'
import { z } from 'zod'
import { type ApiVersion, apiVersions } from '../../../contract/choices'
import type { SecretStore } from '../../platform/secret-store/secret-store'

const tokensSchema = z.object({
  apiVersion: z.literal(apiVersions),
  /**
   * Identifies the login that the tokens come from. Each authorization code grant gets a new one, and a refresh keeps it.
   */
  login: z.string().min(1),
  /** The origins of the token endpoint and the API at the login. The tokens go nowhere else, whatever discovery finds later. */
  origins: z.object({ token: z.string(), api: z.string() }),
  /** The time of the login, in milliseconds since the epoch. */
  loggedInAt: z.number(),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).exactOptional(),
  /** Milliseconds since the epoch; absent if the server doesn't send it. */
  expiresAt: z.number().exactOptional(),
  /** Milliseconds since the epoch. */
  obtainedAt: z.number(),
  /** The number of refreshes since the login, which orders the tokens of one login also if the clock was set back. */
  refreshes: z.int().nonnegative(),
})

/** Replaces tokens that are no longer valid: the user has logged in and hasn't logged out. */
const ended = JSON.stringify({ ended: true })

export type Tokens = z.infer<typeof tokensSchema>

/** The tokens of one instance in the key store. All methods throw `secret-store/*`. */
export interface TokenStore {
  /** Returns undefined if there are none, or if they can't be parsed. */
  read(): Promise<Tokens | undefined>
  write(tokens: Tokens): Promise<void>
  /** Removes the tokens, and remembers that there was a login. */
  end(): Promise<void>
  /** Removes everything. */
  delete(): Promise<void>
  /** Returns whether there is a login, or there was one without a logout since. */
  hasBeenUsed(): Promise<boolean>
}

/** Returns the API version of the stored login; undefined without one. Throws `secret-store/*`. */
export async function storedVersion(
  secretStore: Pick<SecretStore, 'get'>,
  instanceId: string,
): Promise<ApiVersion | undefined> {
  return parse(await secretStore.get(accountOf(instanceId)))?.apiVersion
}

/** Returns undefined if there are none, or they have ended or can't be parsed. */
function parse(stored: string | undefined): Tokens | undefined {
  return stored === undefined ? undefined : tokensSchema.safeParse(parseJson(stored)).data
}

function accountOf(instanceId: string): string {
  return `tokens:${instanceId}`
}

/** Stores tokens as JSON under the account `tokens:<instance id>`. Reports a value that can't be parsed once. */
export function createTokenStore(options: {
  readonly secretStore: SecretStore
  readonly instanceId: string
  readonly reporter: Pick<Reporter, 'notice'>
}): TokenStore {
  const { secretStore, instanceId, reporter } = options
  const account = accountOf(instanceId)
  let reported = false
  return {
    read: async () => {
      const stored = await secretStore.get(account)
      if (stored === undefined || stored === ended) return undefined
      const tokens = parse(stored)
      if (tokens !== undefined) return tokens
      if (!reported)
        reporter.notice(report('data/damaged', { variant: 'tokens', details: { instance: instanceId } }))
      reported = true
      return undefined
    },
    write: (tokens) => secretStore.set(account, JSON.stringify(tokens)),
    end: () => secretStore.set(account, ended),
    delete: async () => {
      await secretStore.delete(account)
      await secretStore.removeCopies?.()
    },
    hasBeenUsed: async () => (await secretStore.get(account)) !== undefined,
  }
}
