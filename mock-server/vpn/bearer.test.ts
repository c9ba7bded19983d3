import { expect, it } from 'vitest'
import { serveMock } from '../test-server'

const { client } = await serveMock({ autoApprove: true })
const { accessToken } = await client.logIn()

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="OAuth",error="invalid_token"')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({
    error: 'invalid_token',
    error_description: expect.any(String) as string,
  })
}

it('requires a token for every call', async () => {
  const calls = ['profile_list', 'profile_config', 'check_certificate', 'system_messages']
  for (const call of calls) await expectRefused(await client.get(`/api/vpn/${call}`))
  await expectRefused(await client.postForm('/api/vpn/create_keypair', {}))
})

it('checks the token before routing, so that unknown paths and wrong methods are 401 too', async () => {
  await expectRefused(await client.get('/api/vpn/nope'))
  await expectRefused(await client.get('/api/vpn'))
  await expectRefused(await client.postForm('/api/vpn/profile_list', {}))
})

it('requires the scheme Bearer, followed by the token alone', async () => {
  const given = (authorization: string) => client.get('/api/vpn/profile_list', { authorization })
  expect((await given(`Bearer ${accessToken}`)).status).toBe(200)
  for (const wrong of [
    `bearer ${accessToken}`,
    `BEARER ${accessToken}`,
    `Bearer  ${accessToken}`,
    `Bearer ${accessToken} x`,
    `Basic ${accessToken}`,
    accessToken,
    'Bearer',
    `Bearer ${accessToken.slice(1)}`,
  ]) {
    await expectRefused(await given(wrong))
  }
})

it('ignores a token in the query or in a form', async () => {
  await expectRefused(await client.get(`/api/vpn/profile_list?access_token=${accessToken}`))
  await expectRefused(await client.postForm('/api/vpn/create_keypair', { access_token: accessToken }))
})

it('refuses a revoked token while its refresh token still works', async () => {
  const { accessToken: revoked, refreshToken } = await client.logIn()
  await client.control('POST', '/tokens/revoke', { kind: 'access' })
  await expectRefused(await client.call(revoked, '/profile_list'))
  const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken }
  expect((await client.postForm('/oauth/token', refresh)).status).toBe(200)
})
