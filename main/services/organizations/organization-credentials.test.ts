import { expect, it } from 'vitest'
import { rejection } from '../../platform/http/test-server.testing'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { OrganizationCredentials } from './organization-credentials'

/** Creates a key store in memory. */
function memory(): SecretStore & { readonly held: Map<string, string> } {
  const held = new Map<string, string>()
  return {
    held,
    get: (account) => Promise.resolve(held.get(account)),
    set: (account, secret) => {
      held.set(account, secret)
      return Promise.resolve()
    },
    delete: (account) => {
      held.delete(account)
      return Promise.resolve()
    },
  }
}

const base = 'https://org.example/grafana'
const at = (path: string, origin = base) => new URL(`${origin}${path}`)
const basic = { kind: 'basic', user: 'admin', password: 'pass: wörd' } as const
const bearer = { kind: 'bearer', token: 'glsa_a-b.c~d+/==' } as const
const basicHeader = `Basic ${Buffer.from('admin:pass: wörd').toString('base64')}`

it('sends each kind where it is required, and a single kind everywhere', async () => {
  const credentials = new OrganizationCredentials(memory(), 'vpn.example.org')
  expect(await credentials.authorization(at('/api/org'))).toEqual({})
  await credentials.set(bearer, base)
  expect((await credentials.authorization(at('/api/orgs/1'))).kind).toBe('bearer')
  await credentials.set(basic, base)
  for (const path of ['/api/org', '/api/org/users/1']) {
    expect((await credentials.authorization(at(path))).header).toBe(`Bearer ${bearer.token}`)
  }
  for (const path of ['/api/orgs', '/api/orgs/1/users', '/api/orgs/name/api%2Forg']) {
    expect((await credentials.authorization(at(path))).header).toBe(basicHeader)
  }
})

it('sends nothing to another origin, port or scheme', async () => {
  const credentials = new OrganizationCredentials(memory(), 'vpn.example.org')
  await credentials.set(bearer, base)
  for (const origin of ['https://org.example:8443', 'http://org.example', 'https://org.example.evil.test']) {
    expect(await credentials.authorization(at('/api/org', origin))).toEqual({})
  }
  await credentials.set(basic, 'https://elsewhere.example')
  expect(await credentials.authorization(at('/api/org')), 'the service has moved').toEqual({})
  expect(await credentials.describe()).toEqual({
    bearer: false,
    basic: 'admin',
    origin: 'https://elsewhere.example',
  })
})

it('describes credentials without secrets, and removes one kind or all', async () => {
  const store = memory()
  const credentials = new OrganizationCredentials(store, 'vpn.example.org')
  await credentials.set(bearer, base)
  await credentials.set(basic, base)
  expect(await credentials.describe()).toEqual({
    bearer: true,
    basic: 'admin',
    origin: 'https://org.example',
  })
  await credentials.remove('bearer')
  expect(await credentials.describe()).toEqual({
    bearer: false,
    basic: 'admin',
    origin: 'https://org.example',
  })
  await credentials.set(bearer, base)
  await credentials.remove('basic')
  expect(await credentials.describe()).toEqual({ bearer: true, origin: 'https://org.example' })
  await credentials.remove()
  expect([...store.held]).toEqual([])
})

it('removes everything if the rest cannot be stored', async () => {
  const store = memory()
  const credentials = new OrganizationCredentials(store, 'vpn.example.org')
  await credentials.set(bearer, base)
  await credentials.set(basic, base)
  store.set = () => Promise.reject(new Error('no room'))
  await expect(credentials.remove('bearer')).rejects.toThrow('no room')
  expect([...store.held]).toEqual([])
})

it('ignores a damaged entry', async () => {
  const store = memory()
  store.held.set('organization-credentials:vpn.example.org', '{"token":')
  const credentials = new OrganizationCredentials(store, 'vpn.example.org')
  expect(await credentials.describe()).toEqual({ bearer: false })
})

it.each([
  [{ kind: 'bearer', token: '' }, 'token'],
  [{ kind: 'bearer', token: 'two words' }, 'token'],
  [{ kind: 'bearer', token: 'line\r\nx-more: 1' }, 'token'],
  [{ kind: 'basic', user: 'a:b', password: 'c' }, 'user'],
  [{ kind: 'basic', user: '', password: 'c' }, 'user'],
  [{ kind: 'basic', user: 'a', password: '' }, 'password'],
  [{ kind: 'basic', user: 'a', password: 'b\nc' }, 'password'],
] as const)('rejects %j without repeating it in the error', async (credential, field) => {
  const store = memory()
  const error = await rejection(new OrganizationCredentials(store, 'i').set(credential, base))
  expect(error).toMatchObject({ code: 'organizations/invalid-request', details: { field } })
  expect((error as Error).message).not.toContain('words')
  expect([...store.held]).toEqual([])
})
