import { expect, it } from 'vitest'
import { serveMock } from '../test-server'

const { server } = await serveMock()

it.each(['/api', '/api/', '/api/unknown', '/api/dashboards/home', '/api/orgsx'])(
  'answers %s with a message, like all calls of the organization API',
  async (path) => {
    const response = await fetch(`${server.origin}${path}`)
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }])
  },
)

it('leaves the VPN application API its own errors', async () => {
  const response = await fetch(`${server.origin}/api/vpn/unknown`)
  expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_token' }])
})
