import { z } from 'zod'
import { parseJson } from '../../json'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { Validity } from '../portal'

/** The start and end of the session of one instance. All methods throw what SecretStore throws. */
export interface SessionStore {
  /** Undefined before the first connection after a login, which tells the end, and if it can't be parsed. */
  load(): Promise<Validity | undefined>
  /** Stores the session of a new configuration, which has replaced any that `markPendingDisconnect` recorded. */
  save(validity: Validity, login: string): Promise<void>
  /**
   * Records the API that may still hold a configuration of this login which isn't used any more; without one, deletes that
   * record.
   */
  markPendingDisconnect(login: string, apiBaseUri?: string): Promise<void>
  /** Returns that API until the session ends. */
  pendingDisconnect(login: string): Promise<string | undefined>
}

const storedSchema = z.object({
  apiVersion: z.literal(3),
  /** The login that the session belongs to (main/portal/oauth/token-store.ts). */
  login: z.string(),
  /** Milliseconds since the epoch, like `endsAt`. */
  loggedInAt: z.number(),
  endsAt: z.number(),
  /** The API that is still to be told that its configuration isn't used any more. */
  pendingDisconnect: z.url().exactOptional(),
})
type Stored = z.infer<typeof storedSchema>

/**
 * Stores the session under `session:<instance id>`, beside the tokens that it belongs to, so that the key store forgets
 * both or none.
 */
export function createSessionStore(
  secretStore: SecretStore,
  instanceId: string,
  now: () => Date,
): SessionStore {
  const account = sessionAccount(instanceId)
  const read = async (): Promise<Stored | undefined> => {
    const stored = await secretStore.get(account)
    return storedSchema.safeParse(stored === undefined ? undefined : parseJson(stored)).data
  }
  const write = (stored: Stored) => secretStore.set(account, JSON.stringify(stored))
  const ofLogin = async (login: string): Promise<Stored | undefined> => {
    const stored = await read()
    return stored?.login === login ? stored : undefined
  }
  return {
    load: async () => {
      const stored = await read()
      return stored && { notBefore: new Date(stored.loggedInAt), notAfter: new Date(stored.endsAt) }
    },
    save: ({ notBefore, notAfter }, login) =>
      write({ apiVersion: 3, login, loggedInAt: notBefore.getTime(), endsAt: notAfter.getTime() }),
    markPendingDisconnect: async (login, apiBaseUri) => {
      const stored = await ofLogin(login)
      if (stored === undefined || stored.pendingDisconnect === apiBaseUri) return
      const { pendingDisconnect: _before, ...session } = stored
      await write({ ...session, pendingDisconnect: apiBaseUri })
    },
    pendingDisconnect: async (login) => {
      const stored = await ofLogin(login)
      return stored !== undefined && now().getTime() < stored.endsAt ? stored.pendingDisconnect : undefined
    },
  }
}

/** Returns the name of the session of an instance in the key store. */
export function sessionAccount(instanceId: string): string {
  return `session:${instanceId}`
}
