import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newAuthority } from '../mock-server/tls/server-identity'

/**
 * Creates the CA of a test run, whose certificates the mock servers of tests show. Every process that starts from here on trusts
 * it as on a company's computers: Node.js and Causeway read `NODE_EXTRA_CA_CERTS`. `TEST_AUTHORITY_KEY` names its key. Vitest and
 * Playwright call this before the tests, and the returned function after them.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-authority-'))
  const certificateFile = join(folder, 'ca.pem')
  const keyFile = join(folder, 'ca.key')
  const { certificate, privateKey } = newAuthority()
  await writeFile(certificateFile, certificate)
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  // Some tests start the command as another user.
  await chmod(folder, 0o755)
  process.env.NODE_EXTRA_CA_CERTS = certificateFile
  process.env.TEST_AUTHORITY_KEY = keyFile
  return () => rm(folder, { recursive: true, force: true })
}
