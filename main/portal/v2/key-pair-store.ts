import { z } from 'zod'
import { hasCode } from '../../errors'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import type { KeyPair } from './key-pair'

/** The key pair of one instance in the key store. Every method throws what SecretStore throws. */
export interface KeyPairStore {
  /**
   * Returns the stored pair; with a login, only that of this login. Undefined also if the stored value is unusable: a new
   * pair replaces it.
   */
  load(login?: string): Promise<KeyPair | undefined>
  save(keyPair: KeyPair, login: string): Promise<void>
  forget(): Promise<void>
}

/** A stored key pair. `login` is the login that it was issued to (main/portal/oauth/token-store.ts). */
const keptSchema = z.object({
  apiVersion: z.literal(2),
  login: z.string(),
  certificate: z.string(),
  privateKey: z.string(),
  clockDiffered: z.literal(true).exactOptional(),
})

/** Stores the key pair under `key-pair:<instance id>`. */
export function createKeyPairStore(secretStore: SecretStore, instanceId: string): KeyPairStore {
  const account = `key-pair:${instanceId}`
  return {
    load: async (login) => {
      const stored = await secretStore.get(account)
      return stored === undefined ? undefined : parseKept(stored, login)
    },
    save: ({ certificate, privateKey, clockDiffered }, login) =>
      secretStore.set(
        account,
        JSON.stringify({ apiVersion: 2, login, certificate, privateKey, clockDiffered }),
      ),
    forget: () => secretStore.delete(account),
  }
}

async function parseKept(kept: string, login: string | undefined): Promise<KeyPair | undefined> {
  const { readKeyPair } = await import('./certificate')
  try {
    const parsed = keptSchema.parse(JSON.parse(kept))
    if (login !== undefined && parsed.login !== login) return undefined
    return { ...readKeyPair(parsed), clockDiffered: parsed.clockDiffered }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    if (hasCode(error, 'certificate/invalid')) return undefined
    throw error
  }
}
