import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { noPolicy, type Policy } from '../../contract/policy'
import { startTestFeed, type TestFeed } from '../updates/updates.testing'
import { createServices } from './services'

let feed: TestFeed

beforeEach(async () => {
  feed = await startTestFeed()
  feed.publish({ v: 1, version: '99.0.0' })
})

/** Starts services on a computer with this policy, and looks for new versions. */
async function lookedWith(settings: Policy['settings']) {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-app-updates-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const updates = { url: feed.source.url, keys: [feed.source.keys] }
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: () => Promise.resolve(),
    onNotice: () => undefined,
    now: () => new Date('2026-11-23T12:00:00Z'),
    findPolicy: () =>
      Promise.resolve({ policy: { ...noPolicy, updates, settings }, skipped: [], place: '/policy.json' }),
  })
  onTestFinished(() => services.dispose())
  const looking = await services.updates()
  await looking.checkIfDue()
  return services
}

it('looks in the feed of the policy, and the doctor tells what it found', async () => {
  const services = await lookedWith({})
  const found = (await services.diagnose()).find(({ name }) => name === 'updates')
  expect(found).toMatchObject({ code: 'updates-available', facts: { version: '99.0.0' } })
})

it('requests nothing on a computer where the policy switches it off, and no user can switch it on', async () => {
  const services = await lookedWith({ updates: false })
  await expect(services.settings.set('updates', 'true')).rejects.toMatchObject({ code: 'settings/managed' })
  await (await services.updates()).checkIfDue()
  expect(feed.requests()).toEqual([])
  const found = (await services.diagnose()).find(({ name }) => name === 'updates')
  expect(found).toMatchObject({ status: 'ok', code: 'updates-off' })
})
