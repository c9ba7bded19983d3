import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createTokenStore } from '../portal/oauth/token-store'
import { testReporter } from '../reporter.testing'
import { createSecretStore, secretsFile } from './configured-secret-store'

const reporter = testReporter({ notice: () => undefined })
let dataDir: string
let store: SecretStore

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'causeway-secrets-'))
  store = createSecretStore({ store: 'file', dataDir, signal: undefined, now: () => new Date(0), reporter })
})

const tokensOf = (instanceId: string) => createTokenStore({ secretStore: store, instanceId, reporter })

afterEach(() => rm(dataDir, { recursive: true, force: true }))

it('leaves no copy of the tokens of who signs out, neither of a damaged file nor of one that was being written', async () => {
  const path = secretsFile(dataDir)
  const damaged = { version: 1, data: { 'tokens:one': 'the token', 'tokens:two': 2 } }
  await writeFile(path, JSON.stringify(damaged))
  expect(await store.get('tokens:one')).toBe('the token')
  await writeFile(`${path}.2881062377`, '{"version":1,"data":{"tokens:one":"the tok')
  expect(await readdir(dataDir)).toHaveLength(3)
  // A sign-in to another service deletes, too.
  await store.delete('tokens:three')
  expect(await readdir(dataDir)).toHaveLength(3)
  await tokensOf('one').delete()
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
})

it('deletes tokens that only the copy of a damaged file holds', async () => {
  await writeFile(secretsFile(dataDir), '{"version":1,"data":{"tokens:one":"the token"')
  expect(await store.get('tokens:one')).toBeUndefined()
  expect(await readdir(dataDir)).toHaveLength(1)
  await tokensOf('one').delete()
  expect(await readdir(dataDir)).toEqual([])
})
