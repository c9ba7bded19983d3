import { z } from 'zod'
import { hasCode } from '../errors'
import type { SecretStore } from '../secret-store/secret-store'
import type { KeyPair } from './key-pair'

/** The key pair of one instance in the key store. Every method throws what SecretStore throws. */
export interface KeyPairStore {
  /** Undefined also when what is kept cannot be used: a new pair takes its place. */
  load(): Promise<KeyPair | undefined>
  save(keyPair: KeyPair): Promise<void>
  forget(): Promise<void>
}

const keptSchema = z.object({ certificate: z.string(), privateKey: z.string() })

/** Keeps the key pair under `key-pair:<instance id>`. */
export function createKeyPairStore(secretStore: SecretStore, instanceId: string): KeyPairStore {
  const account = `key-pair:${instanceId}`
  return {
    load: async () => {
      const kept = await secretStore.get(account)
      return kept === undefined ? undefined : parseKept(kept)
    },
    save: ({ certificate, privateKey }) =>
      secretStore.set(account, JSON.stringify({ certificate, privateKey })),
    forget: () => secretStore.delete(account),
  }
}

async function parseKept(kept: string): Promise<KeyPair | undefined> {
  const { readKeyPair } = await import('./certificate')
  try {
    return readKeyPair(keptSchema.parse(JSON.parse(kept)))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined
    if (hasCode(error, 'certificate/invalid')) return undefined
    throw error
  }
}
