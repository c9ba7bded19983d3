import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestOrganizations } from './organizations.testing'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mock-organizations-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

/** Makes a change of every kind, and returns the answers. */
async function change(mock: TestOrganizations): Promise<unknown[]> {
  return [
    await mock.answer('POST', '/api/orgs', { name: 'New', address: { city: 'Gent' } }),
    await mock.answer('POST', '/api/orgs', { name: 'Short-lived' }),
    await mock.answer('DELETE', '/api/orgs/4'),
    await mock.answer('POST', '/api/orgs/3/users', { loginOrEmail: 'grace', role: 'Editor' }),
    await mock.answer('POST', '/api/orgs/3/users', { loginOrEmail: 'anna', role: 'Viewer' }),
    await mock.answer('PATCH', '/api/org/users/3', { role: 'Admin' }),
    await mock.answer('DELETE', '/api/org/users/4'),
    await mock.answer('PUT', '/_mock/organizations/current', { orgId: 3 }),
    await mock.answer('GET', '/api/org/users'),
    await mock.answer('GET', '/_mock/organizations'),
  ]
}

it('keeps all changes across a restart, and continues the ids', async () => {
  const first = await TestOrganizations.start({ dataDir })
  await change(first)
  const held = await first.answer('GET', '/_mock/organizations')
  await first.close()

  const second = await TestOrganizations.start({ dataDir })
  expect(await second.answer('GET', '/_mock/organizations')).toEqual(held)
  expect(await second.create('Newer')).toBe(5)
  await second.close()
})

it('forgets a situation on restart, but not the changes that clients made in it', async () => {
  const first = await TestOrganizations.start({ dataDir })
  await first.scenario('thousand-users')
  await first.call('DELETE', '/api/org/users/4')
  await first.close()

  const second = await TestOrganizations.start({ dataDir })
  expect(Object.keys(await second.roles('/api/org'))).toEqual(['1', '2', '3', '5', '6', '7'])
  await second.close()
})

it('gives the same answers for the same seed and calls', async () => {
  const first = await TestOrganizations.start({ seed: 7 })
  const second = await TestOrganizations.start({ seed: 7 })
  const answers = await change(first)
  expect(await change(second)).toEqual(answers)
  await first.reset()
  expect(await change(first)).toEqual(answers)
  await first.close()
  await second.close()
})
