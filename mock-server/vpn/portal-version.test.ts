import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { goodRequest, TestClient } from '../test-client'
import type { PortalVersion } from './portal-version'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function play(portalVersion: PortalVersion): Promise<{ client: TestClient; accessToken: string }> {
  server = await createMockServer({ autoApprove: true, portalVersion })
  const client = new TestClient(server)
  return { client, accessToken: (await client.logIn()).accessToken }
}

const remotes = (config: string) => config.match(/^remote /gm)?.length

describe.each([
  { version: '2.1.0', gateway: false, strategy: false, demandsName: true, saysVersion: false },
  { version: '2.2.8', gateway: false, strategy: true, demandsName: true, saysVersion: false },
  { version: '2.3.0', gateway: true, strategy: true, demandsName: false, saysVersion: false },
  { version: '2.4.5', gateway: true, strategy: true, demandsName: false, saysVersion: true },
] as const)('portal $version', ({ version, gateway, strategy, demandsName, saysVersion }) => {
  it(`says default_gateway: ${gateway}`, async () => {
    const { client, accessToken } = await play(version)
    const [profile] = await client.data(accessToken, 'profile_list')
    expect(Object.keys(profile as object).includes('default_gateway')).toBe(gateway)
    expect(profile).toMatchObject({ profile_id: 'internet', two_factor: false })
  })

  it(`heeds remote_strategy: ${strategy}`, async () => {
    const { client, accessToken } = await play(version)
    const all = await client.profileConfig(accessToken, 'profile_id=internet&remote_strategy=2')
    expect(remotes(all)).toBe(strategy ? 6 : 4)
  })

  it(`demands display_name: ${demandsName}`, async () => {
    const { client, accessToken } = await play(version)
    const create = (form: Record<string, string>) =>
      client.postForm('/api/vpn/create_keypair', form, { authorization: `Bearer ${accessToken}` })
    expect((await create({ display_name: 'Laptop', extra: '1' })).status).toBe(200)
    for (const form of [{}, { display_name: '' }] as Record<string, string>[]) {
      const response = await create(form)
      expect(response.status).toBe(demandsName ? 400 : 200)
      const answer: unknown = await response.json()
      if (demandsName) expect(answer).toEqual({ error: 'missing "display_name" parameter' })
    }
  })

  it(`says its version and its issuer: ${saysVersion}`, async () => {
    const { client } = await play(version)
    const info = (await (await client.get('/info.json')).json()) as object
    expect('v' in info ? info.v : undefined).toBe(saysVersion ? version : undefined)
    const redirect = await client.authorize(goodRequest().query)
    const { searchParams } = new URL(redirect.headers.get('location') ?? '')
    expect(searchParams.get('iss')).toBe(saysVersion ? client.origin : null)
  })
})

it('a display_name given twice is none to an old portal', async () => {
  const { client, accessToken } = await play('2.1.0')
  const body = new URLSearchParams([
    ['display_name', 'a'],
    ['display_name', 'b'],
  ])
  const response = await client.call(accessToken, '/create_keypair', { method: 'POST', body })
  expect([response.status, await response.json()]).toEqual([400, { error: 'invalid "display_name"' }])
})
