import { expect, it } from 'vitest'
import { clientIdFor } from './client-id'

const instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }

it.each([
  ['win32', 'org.causeway.app.windows'],
  ['darwin', 'org.causeway.app.macos'],
  ['linux', 'org.causeway.app.linux'],
  ['freebsd', 'org.causeway.app.linux'],
] as const)('is the one registered for the platform: %s', (platform, id) => {
  expect(clientIdFor(instance, platform)).toBe(id)
})

it('is the one that the person gave the instance', () => {
  expect(clientIdFor({ ...instance, clientId: 'org.example.client' }, 'linux')).toBe('org.example.client')
})
