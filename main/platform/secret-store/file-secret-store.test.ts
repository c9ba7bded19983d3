import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileSecretStore, type Secrets } from './file-secret-store'
import type { SecretStore } from './secret-store'

let directory: string
let path: string
let store: SecretStore

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'causeway-file-secrets-'))
  path = join(directory, 'secrets.json')
  store = createFileSecretStore({ path, file: plainFile() })
})

afterEach(() => rm(directory, { recursive: true, force: true }))

/** A minimal JSON file; the real one is tested in main/platform/storage. */
function plainFile(): Parameters<typeof createFileSecretStore>[0]['file'] {
  async function read(): Promise<Secrets> {
    const text = await readFile(path, 'utf8').catch(() => '{}')
    return JSON.parse(text) as Secrets
  }
  return {
    read,
    update: async (change) => {
      const secrets = change(await read())
      await writeFile(path, JSON.stringify(secrets), { mode: 0o600 })
      return secrets
    },
    removeCopies: () => Promise.resolve(),
  }
}

it('stores, replaces and deletes secrets', async () => {
  await store.set('tokens:vpn.example.org', 'one')
  await store.set('key-pair:vpn.example.org', 'two')
  await store.set('tokens:vpn.example.org', 'three')
  expect(await store.get('tokens:vpn.example.org')).toBe('three')

  await store.delete('tokens:vpn.example.org')
  await store.delete('never stored')
  expect(await store.get('tokens:vpn.example.org')).toBeUndefined()
  expect(await store.get('key-pair:vpn.example.org')).toBe('two')
})

it('writes nothing to delete what is not there', async () => {
  await store.delete('never stored')
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

it('accepts any text as an account', async () => {
  expect(await store.get('constructor')).toBeUndefined()
  expect(await store.get('__proto__')).toBeUndefined()
  await store.set('__proto__', 'kept')
  expect(await store.get('__proto__')).toBe('kept')
})

it.skipIf(process.platform === 'win32')('removes the permissions of others before reading', async () => {
  await store.set('a', 'secret')
  await chmod(path, 0o644)
  expect(await store.get('a')).toBe('secret')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
