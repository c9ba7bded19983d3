import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../platform/http/test-authority.testing'
import { startTestProxy } from '../platform/http/test-proxy.testing'
import { BuiltCommand } from './causeway.testing'
import { rows } from '../../scripts/slow.testing'

let command: BuiltCommand
beforeAll(async () => {
  command = await BuiltCommand.make()
})
afterAll(() => command.remove())

const authority = createTestAuthority('Example University Root')
const password = 'correct-horse'

/** Starts a portal that only a proxy can reach, and returns its environment. */
async function setUp() {
  const entry = Object.fromEntries(
    ['api_base_uri', 'authorization_endpoint', 'token_endpoint'].map((name) => [
      name,
      'https://vpn.example.org/',
    ]),
  )
  const portal = await authority.serve(
    (_request, response) => response.end(JSON.stringify({ api: { 'http://eduvpn.org/api#2': entry } })),
    { host: 'vpn.example.org' },
  )
  const proxy = await startTestProxy({ leadsTo: Number(portal.port), login: `user:${password}` })
  const person = await command.person()
  const store = join(person.dataDir, 'store.pem')
  await writeFile(store, authority.certificate)
  return { proxy, person, store }
}

async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
    '\n',
  )
}

describe.skipIf(process.platform === 'win32')('a proxy in the variables', () => {
  it.each(rows(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'HTTP_PROXY'], 1))(
    'leads to a portal: %s',
    async (name) => {
      const { proxy, person, store } = await setUp()
      const env = { SSL_CERT_FILE: store, [name]: `http://user:${password}@127.0.0.1:${proxy.port}` }
      expect(await person.run(['instance', 'add', 'vpn.example.org'], { env })).toMatchObject({
        status: 0,
        stdout: 'Added vpn.example.org.',
      })
      expect(proxy.asked).toContain('vpn.example.org:443')
      const doctor = await person.run(['doctor'], { env })
      expect(doctor.stdout).toContain(`The proxy 127.0.0.1:${proxy.port} is set up`)
      expect(doctor.stdout + (await everythingIn(person.dataDir))).not.toContain(password)
    },
  )

  it('is not used for what NO_PROXY names', async () => {
    const { proxy, person, store } = await setUp()
    const env = {
      SSL_CERT_FILE: store,
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      NO_PROXY: '.example.org',
    }
    const failure = await person.failure(['instance', 'add', 'vpn.example.org'], { env })
    expect(failure).toMatchObject({ status: 4, code: 'http/unreachable' })
    expect(proxy.asked).toEqual([])
  })

  it('that refuses the password has its own error, which is in no file with the password', async () => {
    const { proxy, person, store } = await setUp()
    const env = { SSL_CERT_FILE: store, HTTPS_PROXY: `http://user:wrong-${password}@127.0.0.1:${proxy.port}` }
    const failure = await person.failure(['instance', 'add', 'vpn.example.org'], { env })
    expect(failure).toMatchObject({ status: 4, code: 'http/proxy-authentication' })
    const written = JSON.stringify(failure) + (await everythingIn(person.dataDir))
    expect(written).not.toContain(password)
    expect(written).not.toContain(Buffer.from(`user:wrong-${password}`).toString('base64'))
  })
})
