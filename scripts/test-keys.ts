import { generateKeyPair } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rsaOptions } from '../main/platform/http/rsa-keys.testing'

const generate = promisify(generateKeyPair)

/**
 * Makes the RSA keys of a test run, which its processes share (main/platform/http/rsa-keys.testing.ts). `TEST_RSA_KEYS` names
 * the file. Vitest calls this before the tests, and the returned function after them.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-keys-'))
  const file = join(folder, 'rsa.json')
  // Eight for authorities, and eight for certificates.
  const keys = await Promise.all(Array.from({ length: 16 }, () => generate('rsa', rsaOptions)))
  await writeFile(file, JSON.stringify(keys), { mode: 0o600 })
  process.env.TEST_RSA_KEYS = file
  return () => rm(folder, { recursive: true, force: true })
}
