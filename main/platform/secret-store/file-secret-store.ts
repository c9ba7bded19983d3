import { chmod, stat } from 'node:fs/promises'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { whileAnswering } from '../storage/while-answering'
import type { SecretStore } from './secret-store'

/** The content of the file: secrets by account. */
export const secretsSchema = z.record(z.string(), z.string())
export type Secrets = z.infer<typeof secretsSchema>

/** What is needed here of a JSON file (main/platform/storage); its errors, `data/*`, pass through. */
interface SecretsFile {
  read(): Promise<Secrets>
  update(change: (secrets: Secrets) => Secrets): Promise<Secrets>
  /** Removes what other files still hold of earlier content. */
  removeCopies(): Promise<void>
}

/**
 * Stores secrets in a file for its owner alone, for computers without a key store (`--secret-store file`); the caller warns
 * the user. Removes permissions of others before reading; throws `secret-store/failed` if that fails.
 */
export function createFileSecretStore(options: {
  readonly path: string
  readonly file: SecretsFile
}): SecretStore {
  const { path, file } = options

  async function change(by: (secrets: Map<string, string>) => void): Promise<void> {
    await keepToOwner(path)
    await file.update((secrets) => {
      const changed = new Map(Object.entries(secrets))
      by(changed)
      return Object.fromEntries(changed)
    })
  }

  async function get(account: string): Promise<string | undefined> {
    await keepToOwner(path)
    const secrets = await file.read()
    return Object.hasOwn(secrets, account) ? secrets[account] : undefined
  }

  return {
    get,
    set: (account, secret) =>
      change((secrets) => {
        secrets.set(account, secret)
      }),
    delete: async (account) => {
      // A login deletes what an earlier one may have left; writing the file takes longer than reading it.
      if ((await get(account)) === undefined) return
      await change((secrets) => {
        secrets.delete(account)
      })
    },
    removeCopies: () => file.removeCopies(),
  }
}

async function keepToOwner(path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    await whileAnswering(path, async () => {
      const { mode } = await stat(path)
      if ((mode & 0o077) !== 0) await chmod(path, 0o600)
    })
  } catch (cause) {
    if (cause instanceof CausewayError) throw cause
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return
    throw new CausewayError('secret-store/failed', {
      variant: 'readable-by-others',
      details: { path },
      cause,
    })
  }
}
