import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestOrganizations } from './test-organizations'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mock-organizations-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

/** Calls that change something of every kind. */
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

it('everything that clients changed is there after a restart, and numbers go on', async () => {
  const first = await TestOrganizations.start({ dataDir })
  await change(first)
  const held = await first.answer('GET', '/_mock/organizations')
  await first.close()

  const second = await TestOrganizations.start({ dataDir })
  expect(await second.answer('GET', '/_mock/organizations')).toEqual(held)
  expect(await second.create('Newer')).toBe(5)
  await second.close()
})

it('a situation ends with the mock, and what clients did in it does not', async () => {
  const first = await TestOrganizations.start({ dataDir })
  await first.scenario('thousand-users')
  await first.call('DELETE', '/api/org/users/4')
  await first.close()

  const second = await TestOrganizations.start({ dataDir })
  expect(Object.keys(await second.roles('/api/org'))).toEqual(['1', '2', '3', '5', '6', '7'])
  await second.close()
})

it('the same calls on the same seed give the same answers', async () => {
  const first = await TestOrganizations.start({ seed: 7 })
  const second = await TestOrganizations.start({ seed: 7 })
  const answers = await change(first)
  expect(await change(second)).toEqual(answers)
  await first.reset()
  expect(await change(first)).toEqual(answers)
  await first.close()
  await second.close()
})
