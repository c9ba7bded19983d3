import { z } from 'zod'
import type { SecretStore } from '../../platform/secret-store/secret-store'

const tokensSchema = z.object({
  /**
   * Names the login that the tokens come from: each authorization code grant has another, and a refresh keeps it. All
   * tokens kept before there were names are of one login.
   */
  login: z.string().min(1).default('unnamed'),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).exactOptional(),
  /** Milliseconds since the epoch; absent where the server does not say. */
  expiresAt: z.number().exactOptional(),
  /** Milliseconds since the epoch. */
  obtainedAt: z.number(),
})

/** In the place of tokens that are no longer good: somebody has logged in, and has not logged out. */
const ended = JSON.stringify({ ended: true })

export type Tokens = z.infer<typeof tokensSchema>

/** The tokens of one instance in the key store. All throw `secret-store/*`. */
export interface TokenStore {
  /** Undefined where there are none, or what is there cannot be read. */
  read(): Promise<Tokens | undefined>
  write(tokens: Tokens): Promise<void>
  /** Removes the tokens, and remembers that there was a login. */
  end(): Promise<void>
  /** Leaves nothing. */
  delete(): Promise<void>
  /** Returns whether there is a login, or was one that nobody has logged out of. */
  hasBeenUsed(): Promise<boolean>
}

/** Under the account `tokens:<instance id>`, as JSON. `onUnreadable` is told once of a value that is no tokens. */
export function createTokenStore(options: {
  readonly secretStore: SecretStore
  readonly instanceId: string
  readonly onUnreadable?: () => void
}): TokenStore {
  const { secretStore, onUnreadable } = options
  const account = `tokens:${options.instanceId}`
  let reported = false
  return {
    read: async () => {
      const stored = await secretStore.get(account)
      if (stored === undefined || stored === ended) return undefined
      const tokens = tokensSchema.safeParse(parseJson(stored))
      if (tokens.success) return tokens.data
      if (!reported) onUnreadable?.()
      reported = true
      return undefined
    },
    write: (tokens) => secretStore.set(account, JSON.stringify(tokens)),
    end: () => secretStore.set(account, ended),
    delete: () => secretStore.delete(account),
    hasBeenUsed: async () => (await secretStore.get(account)) !== undefined,
  }
}

/** The parsed JSON, or undefined, which no tokens are. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
