import { join } from 'node:path'
import { report } from '../errors'
import { createFileSecretStore, secretsSchema } from '../platform/secret-store/file-secret-store'
import { createOsSecretStore } from '../platform/secret-store/os-secret-store'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createJsonFile } from '../platform/storage/json-file'
import { removeCopies } from '../platform/storage/remove-copies'
import type { Reporter } from '../reporter'

/** Returns the path of the file with tokens, key pairs and passwords, if they aren't in the key store. */
export function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

/** Returns the key store of the system, a file, or the store that is given. */
export function createSecretStore({
  store,
  dataDir,
  signal,
  now,
  reporter,
}: {
  readonly store: 'os' | 'file' | SecretStore
  readonly dataDir: string
  readonly signal: AbortSignal | undefined
  readonly now: () => Date
  readonly reporter: Reporter
}): SecretStore {
  if (typeof store === 'object') return store
  if (store === 'os') return createOsSecretStore({ signal })
  const path = secretsFile(dataDir)
  reporter.notice(report('secret-store/in-file', { details: { path } }))
  return createFileSecretStore({
    path,
    file: {
      ...createJsonFile({
        path,
        schema: secretsSchema,
        version: 1,
        empty: {},
        now,
        shrinksInPlace: true,
        reporter,
      }),
      removeCopies: () => removeCopies(path),
    },
  })
}
