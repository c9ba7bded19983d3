import { z } from 'zod'
import { parseJson } from '../../json'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { Validity } from '../portal'

/** The start and end of the session of one instance. All methods throw what SecretStore throws. */
export interface SessionStore {
  /** Undefined before the first connection after a login, which tells the end, and if it can't be parsed. */
  load(): Promise<Validity | undefined>
  save(validity: Validity, login: string): Promise<void>
  forget(): Promise<void>
}

const storedSchema = z.object({
  apiVersion: z.literal(3),
  /** The login that the session belongs to (main/portal/oauth/token-store.ts). */
  login: z.string(),
  /** Milliseconds since the epoch, like `endsAt`. */
  loggedInAt: z.number(),
  endsAt: z.number(),
})

/**
 * Stores the session under `session:<instance id>`, beside the tokens that it belongs to, so that the key store forgets
 * both or none.
 */
export function createSessionStore(secretStore: SecretStore, instanceId: string): SessionStore {
  const account = `session:${instanceId}`
  return {
    load: async () => {
      const stored = await secretStore.get(account)
      const parsed = storedSchema.safeParse(stored === undefined ? undefined : parseJson(stored))
      if (!parsed.success) return undefined
      return { notBefore: new Date(parsed.data.loggedInAt), notAfter: new Date(parsed.data.endsAt) }
    },
    save: ({ notBefore, notAfter }, login) =>
      secretStore.set(
        account,
        JSON.stringify({
          apiVersion: 3,
          login,
          loggedInAt: notBefore.getTime(),
          endsAt: notAfter.getTime(),
        }),
      ),
    forget: () => secretStore.delete(account),
  }
}
