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
  { version: '2.1.0', gateway: false, strategy: false, sendsVersion: false, sendsIssuer: false },
  { version: '2.2.8', gateway: false, strategy: true, sendsVersion: true, sendsIssuer: false },
  { version: '2.3.0', gateway: true, strategy: true, sendsVersion: true, sendsIssuer: false },
  { version: '2.4.5', gateway: true, strategy: true, sendsVersion: true, sendsIssuer: true },
] as const)('portal $version', ({ version, gateway, strategy, sendsVersion, sendsIssuer }) => {
  it(`shows default_gateway: ${gateway}`, async () => {
    const { client, accessToken } = await play(version)
    const [profile] = await client.data(accessToken, 'profile_list')
    expect(Object.keys(profile as object).includes('default_gateway')).toBe(gateway)
    expect(profile).toMatchObject({ profile_id: 'internet', two_factor: false })
  })

  it(`supports remote_strategy: ${strategy}`, async () => {
    const { client, accessToken } = await play(version)
    const all = await client.profileConfig(accessToken, 'profile_id=internet&remote_strategy=2')
    expect(remotes(all)).toBe(strategy ? 6 : 4)
  })

  it('creates a key pair with or without display_name', async () => {
    const { client, accessToken } = await play(version)
    const create = (form: Record<string, string>) =>
      client.postForm('/api/vpn/create_keypair', form, { authorization: `Bearer ${accessToken}` })
    for (const form of [{ display_name: 'Laptop', extra: '1' }, {}, { display_name: '' }]) {
      expect((await create(form as Record<string, string>)).status).toBe(200)
    }
  })

  it('refuses an unknown profile in the words of its age', async () => {
    const { client, accessToken } = await play(version)
    expect(JSON.parse(await client.profileConfig(accessToken, 'profile_id=none'))).toEqual({
      profile_config: {
        ok: false,
        error:
          version === '2.1.0'
            ? 'user has no access to this profile'
            : 'profile not available or no permission',
      },
    })
  })

  it(`shows its version: ${sendsVersion}, and its issuer: ${sendsIssuer}`, async () => {
    const { client } = await play(version)
    const info = (await (await client.get('/info.json')).json()) as object
    expect('v' in info ? info.v : undefined).toBe(sendsVersion ? version : undefined)
    const redirect = await client.authorize(goodRequest().query)
    const { searchParams } = new URL(redirect.headers.get('location') ?? '')
    expect(searchParams.get('iss')).toBe(sendsIssuer ? client.origin : null)
  })
})
