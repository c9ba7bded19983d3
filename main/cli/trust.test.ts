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
