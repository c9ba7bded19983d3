import type { RequestListener } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestAuthority } from '../platform/http/test-authority.testing'
import { BuiltCommand } from './causeway.testing'

let command: BuiltCommand
beforeAll(async () => {
  command = await BuiltCommand.make()
})
afterAll(() => command.remove())

const portal: RequestListener = (request, response) => {
  const origin = `https://${String(request.headers.host)}`
  const entry = { api_base_uri: origin, authorization_endpoint: origin, token_endpoint: origin }
  response.end(JSON.stringify({ api: { 'http://eduvpn.org/api#2': entry } }))
}

it.skipIf(process.platform === 'win32')(
  "trusts a portal through this computer's certificate store",
  async () => {
    const authority = createTestAuthority('Example University Root')
    const url = await authority.serve(portal)
    const person = await command.person()
    const store = join(person.dataDir, 'store.pem')
    await writeFile(store, authority.certificate)
    expect(await person.run(['instance', 'add', url.href], { env: { SSL_CERT_FILE: store } })).toMatchObject({
      status: 0,
      stdout: `Added ${url.host}.`,
    })
  },
)

it('trusts no stranger where a variable turns off the checks of Node.js', async () => {
  const person = await command.person()
  const url = await createTestAuthority('Stranger Root').serve(portal)
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const { status, stderr } = await person.run(['instance', 'add', url.href], { env })
  expect(status).toBe(4)
  expect(stderr).toContain('http/tls-failed')
  // Node.js warns that connections are insecure, which they aren't.
  expect(stderr).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED')
})

it('does not start where the keys of its connections would be in a file', async () => {
  const person = await command.person()
  const keys = join(person.dataDir, 'keys.log')
  const env = { NODE_OPTIONS: `--tls-keylog=${keys}` }
  expect(await person.run(['instance', 'list'], { env })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('Remove it from NODE_OPTIONS') as string,
  })
})

it('says which variable names no authorities', async () => {
  const person = await command.person()
  const url = await createTestAuthority('Stranger Root').serve(portal)
  const path = join(person.dataDir, 'missing.pem')
  const { stderr } = await person.run(['instance', 'add', url.href], { env: { NODE_EXTRA_CA_CERTS: path } })
  expect(stderr).toContain(`${path} (NODE_EXTRA_CA_CERTS)`)
})

it('names the issuer of an untrusted certificate', async () => {
  const person = await command.person()
  const url = await createTestAuthority('Stranger Root').serve(portal)
  expect(await person.failure(['instance', 'add', url.href])).toMatchObject({
    status: 4,
    code: 'http/tls-failed',
    message: expect.stringContaining('issued by "Stranger Root"') as string,
    details: { issuer: 'Stranger Root' },
  })
})
