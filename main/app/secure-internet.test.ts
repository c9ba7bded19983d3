import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { TestLists } from '../platform/signed-list/signed-list.testing'
import { approve, failure } from './connecting.testing'
import { createServices, type Services } from './services'

let mock: MockServer
let lists: TestLists
let services: Services

const college = 'https://idp.example.net/college'
const school = 'https://idp.example.net/school'

beforeAll(async () => {
  mock = await startTestMock({ autoApprove: true })
  lists = await TestLists.start()
  // The mock by another of its names stands for another home.
  const elsewhere = mock.instance.replace('127.0.0.1', 'localhost')
  lists.publish(
    2,
    [
      { server_type: 'secure_internet', base_url: mock.instance, country_code: 'NL' },
      { server_type: 'secure_internet', base_url: elsewhere, country_code: 'DE' },
    ],
    [
      { org_id: college, display_name: 'Example College', secure_internet_home: mock.instance },
      { org_id: school, display_name: 'Example School', secure_internet_home: elsewhere },
    ],
  )
})
afterAll(async () => {
  await lists.close()
  await mock.close()
})
beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-secure-'))
  services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: approve,
    onNotice: () => undefined,
    discovery: { url: lists.url, keys: lists.signer.publicKey },
  })
  onTestFinished(async () => {
    await services.dispose()
    await rm(dataDir, { recursive: true, force: true })
  })
})

it('is used with one organization at a time', async () => {
  const { id } = await services.addOrganization({ id: college })
  expect(await failure(services.addOrganization({ id: school }))).toMatchObject({
    code: 'organization-list/one-at-a-time',
    details: { instance: id },
  })
  expect((await services.instances.all()).map((instance) => instance.id)).toEqual([id])
  await services.removeInstance(id)
  await services.addOrganization({ id: school })
  expect(await services.instances.all()).toHaveLength(1)
})

it('keeps the last profile of a location while another one is chosen', async () => {
  const { id } = await services.addOrganization({ id: college })
  const target = { instanceId: id, profileId: 'internet' }
  await services.lastConnections.put(target)
  await services.setLocation(id, 'DE')
  await services.setLocation(id, 'NL')
  expect(await services.lastConnections.all()).toEqual([target])
})
