import { afterEach, describe, expect, it } from 'vitest'
import { TestClient } from '../test-client'
import { TestOrganizations } from './organizations.testing'

let mock: TestOrganizations
afterEach(() => mock.close())

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

async function statuses(authorization: string): Promise<number[]> {
  const headers = { authorization }
  return [
    (await mock.call('GET', '/api/org', undefined, headers)).status,
    (await mock.call('GET', '/api/orgs/1/users', undefined, headers)).status,
    (await mock.call('PUT', '/api/org', { name: 'Renamed' }, headers)).status,
  ]
}

it('is optional by default, and ignored if sent', async () => {
  mock = await TestOrganizations.start()
  expect((await mock.call('GET', '/api/org')).status).toBe(200)
  expect(await statuses('Bearer wrong')).toEqual([200, 200, 200])
  expect(await statuses(basic('who:ever'))).toEqual([200, 200, 200])
})

describe('--org-auth bearer', () => {
  it('accepts the one token for every call, with its scheme in any case', async () => {
    mock = await TestOrganizations.start({ orgAuth: 'bearer' })
    expect(await statuses('Bearer mock-organization-token')).toEqual([200, 200, 200])
    expect(await statuses('bearer mock-organization-token')).toEqual([200, 200, 200])
  })

  it.each([
    '',
    'Bearer',
    'Bearer mock',
    'Bearer mock-organization-token x',
    basic('admin:admin'),
    'mock-organization-token',
  ])('refuses %j', async (authorization) => {
    mock = await TestOrganizations.start({ orgAuth: 'bearer' })
    expect(await statuses(authorization)).toEqual([401, 401, 401])
  })

  it('refuses a token of the VPN instance', async () => {
    mock = await TestOrganizations.start({ orgAuth: 'bearer', autoApprove: true })
    const { accessToken } = await new TestClient(mock.server).logIn()
    expect(await statuses(`Bearer ${accessToken}`)).toEqual([401, 401, 401])
  })

  it('answers 401 with a challenge before any other check, and changes nothing', async () => {
    mock = await TestOrganizations.start({ orgAuth: 'bearer' })
    const { status, body, headers } = await mock.call('PUT', '/api/orgs/x', { name: 7 })
    expect([status, body]).toEqual([401, { message: 'Unauthorized' }])
    expect(headers.get('www-authenticate')).toBe('Bearer realm="mock organizations"')
    const held = (await mock.call('GET', '/_mock/organizations')).body
    expect(held).toMatchObject({ organizations: [{ name: 'Mock University' }, {}] })
  })
})

describe('--org-auth basic', () => {
  it('accepts the one user name and password', async () => {
    mock = await TestOrganizations.start({ orgAuth: 'basic' })
    expect(await statuses(basic('admin:admin'))).toEqual([200, 200, 200])
  })

  it.each([
    basic('admin:'),
    basic('admin'),
    basic('admin:admin '),
    basic('Admin:admin'),
    'Basic !!!',
    'Bearer mock-organization-token',
  ])('refuses %s', async (authorization) => {
    mock = await TestOrganizations.start({ orgAuth: 'basic' })
    expect(await statuses(authorization)).toEqual([401, 401, 401])
    expect((await mock.call('GET', '/api/org')).headers.get('www-authenticate')).toBe(
      'Basic realm="mock organizations", charset="UTF-8"',
    )
  })
})

it('--org-auth per-area demands a token below /api/org, and a password below /api/orgs', async () => {
  mock = await TestOrganizations.start({ orgAuth: 'per-area' })
  expect(await statuses('Bearer mock-organization-token')).toEqual([200, 401, 200])
  expect(await statuses(basic('admin:admin'))).toEqual([401, 200, 401])
  const challenge = async (path: string) => (await mock.call('GET', path)).headers.get('www-authenticate')
  expect(await challenge('/api/org')).toMatch(/^Bearer /)
  expect(await challenge('/api/orgs/1')).toMatch(/^Basic /)
})
