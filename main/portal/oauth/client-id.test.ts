import { expect, it } from 'vitest'
import type { Instance } from '../instance/instance'
import { clientIdFor } from './client-id'

const instance: Pick<Instance, 'clientId'> = {}

it.each([
  ['win32', 'org.causeway.app.windows'],
  ['darwin', 'org.causeway.app.macos'],
  ['linux', 'org.causeway.app.linux'],
  ['freebsd', 'org.causeway.app.linux'],
] as const)('is the one registered for the platform: %s', (platform, id) => {
  expect(clientIdFor(instance, platform, {})).toBe(id)
})

it('is the id that the user set for the instance', () => {
  expect(clientIdFor({ ...instance, clientId: 'org.example.client' }, 'linux')).toBe('org.example.client')
})

it('is that of a build for an organization, unless the user set another one for the instance', () => {
  const brand = { clientIds: { linux: 'org.example.build' } }
  expect(clientIdFor(instance, 'linux', brand)).toBe('org.example.build')
  expect(clientIdFor(instance, 'win32', brand)).toBe('org.causeway.app.windows')
  expect(clientIdFor({ clientId: 'org.example.client' }, 'linux', brand)).toBe('org.example.client')
})
