import { afterEach, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'

const now = new Date('2026-11-20T12:00:00Z')
const servers: MockServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Returns all answers from login to configuration, with the mock's address removed. */
async function transcript(seed: number): Promise<string[]> {
  const server = await createMockServer({ autoApprove: true, seed, clock: { now: () => now } })
  servers.push(server)
  const client = new TestClient(server)
  const received: string[] = []
  const hear = async (response: Response): Promise<string> => {
    const text = await response.text()
    received.push(
      [response.status, response.headers.get('location'), text].join(' ').replaceAll(server.origin, ''),
    )
    return text
  }
  await hear(await client.get('/info.json'))
  for (const verifier of ['one', 'two'].map((name) => name.padEnd(43, '-'))) {
    const form = await client.codeForm(verifier)
    received.push(form.code ?? '')
    const { access_token, refresh_token } = JSON.parse(
      await hear(await client.postForm('/oauth/token', form)),
    ) as Record<string, string>
    await hear(await client.refresh(refresh_token ?? ''))
    for (const call of ['/profile_list', '/profile_config?profile_id=internet', '/system_messages']) {
      await hear(await client.call(access_token ?? '', call))
    }
    await hear(await client.call(access_token ?? '', '/create_keypair', { method: 'POST' }))
    await hear(await client.call(access_token ?? '', '/profile_config?profile_id=office&remote_strategy=1'))
  }
  return received
}

it('gives the same codes, tokens, keys, certificates and remotes, byte for byte, for the same seed', async () => {
  expect(await transcript(7)).toEqual(await transcript(7))
})

it('gives different values for another seed, and repeats none', async () => {
  const [one, other] = [await transcript(7), await transcript(8)]
  const keys = (received: string[]) => received.join('\n').match(/BEGIN PRIVATE KEY[^"]+/g) ?? []
  expect(new Set([...keys(one), ...keys(other)]).size).toBe(4)
  const tokens = (received: string[]) => received.join('\n').match(/[\w-]{380,}/g) ?? []
  expect(new Set([...tokens(one), ...tokens(other)]).size).toBe(16)
})

it('never repeats a code, token or key after a reset', async () => {
  const server = await createMockServer({ autoApprove: true, clock: { now: () => now } })
  servers.push(server)
  const client = new TestClient(server)
  const seen = new Set<string>()
  for (let round = 0; round < 2; round += 1) {
    const { accessToken, refreshToken } = await client.logIn()
    const { certificate, private_key } = await client.createKeyPair(accessToken)
    for (const secret of [accessToken, refreshToken, certificate, private_key]) seen.add(secret)
    await client.control('POST', '/reset')
  }
  expect(seen.size).toBe(8)
})
