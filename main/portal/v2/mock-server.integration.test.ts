import { X509Certificate, createPrivateKey } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import { TestClient } from '../../../mock-server/test-client'
import { createHttpClient } from '../../platform/http/http-client'
import { createVpnApi } from './create-vpn-api'

it('makes the five calls to a server written independently of it', async () => {
  const server = await startTestMock({ autoApprove: true })
  onTestFinished(() => server.close())
  const client = new TestClient(server)
  const { accessToken } = await client.logIn()
  const api = createVpnApi({
    http: createHttpClient(),
    endpoints: () =>
      Promise.resolve({
        apiBaseUri: `${server.origin}/api/vpn`,
        authorizationEndpoint: `${server.origin}/oauth/authorize`,
        tokenEndpoint: `${server.origin}/oauth/token`,
        services: {},
      }),
    tokens: { accessToken: () => Promise.resolve(accessToken), discardRejected: () => Promise.resolve() },
  })

  expect((await api.profileList()).items).toMatchObject([
    { profileId: 'internet', defaultGateway: true },
    { profileId: 'office', displayName: 'Office Network', defaultGateway: false },
  ])

  const { certificate, privateKey } = await api.createKeyPair('Causeway (Linux)')
  const issued = new X509Certificate(certificate)
  expect(issued.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
  const commonName = issued.subject.replace('CN=', '')
  expect(await api.checkCertificate(commonName)).toEqual({ isValid: true })
  expect(await api.checkCertificate('0'.repeat(32))).toEqual({
    isValid: false,
    reason: 'certificate_missing',
  })

  expect(await api.profileConfig('internet', 0)).toMatch(/^remote /m)
  await expect(api.profileConfig('no-such-profile')).rejects.toMatchObject({
    code: 'vpn-api/profile-unavailable',
  })

  const { items: messages } = await api.systemMessages()
  expect(messages.length).toBeGreaterThan(1)
  expect(messages.map(({ type }) => type)).toEqual(messages.map(() => 'notification'))

  await client.control('POST', '/tokens/revoke', { kind: 'access' })
  await expect(api.profileList()).rejects.toMatchObject({ code: 'oauth/login-required' })
})
