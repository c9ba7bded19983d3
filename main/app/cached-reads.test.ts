import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { TestClient } from '../../mock-server/test-client'
import { cachedEndpoints } from './cached-reads'
import { createServices, type Services } from './services'

it('remembers the services of an instance after a restart, also after a second login', async () => {
  const server = await startTestMock({ autoApprove: true })
  onTestFinished(() => server.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-cached-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const start = (): Services =>
    createServices({
      dataDir,
      secretStore: 'file',
      openBrowser: async (url) => {
        await (await fetch(url)).text()
      },
      onNotice: () => undefined,
    })

  const first = start()
  const instance = await first.addInstance({ address: server.instance })
  const logIn = async (): Promise<void> => {
    await first.session(instance).logIn()
    await first.read.vpn(instance, (portal) => portal.profiles())
  }
  await logIn()
  await first.session(instance).logOut()
  await logIn()
  const offered = await first.knownServices(instance)
  expect(Object.keys(offered ?? {}).sort()).toEqual(['attachments', 'content', 'organizations'])
  await first.dispose()

  const client = new TestClient(server)
  await client.control('DELETE', '/requests')
  const again = start()
  expect(await again.knownServices(instance)).toEqual(offered)
  await again.dispose()
  expect(await (await client.control('GET', '/requests')).json()).toEqual([])
})

it('reads no stored endpoints without an API version', async () => {
  const endpoints = { apiBaseUri: 'https://vpn.example.org/api', services: {} }
  const findEndpoints = (stored: object) =>
    cachedEndpoints(
      { find: () => Promise.resolve({ json: JSON.stringify(stored), cachedAt: 0 }) },
      'vpn.example.org',
    )
  expect(await findEndpoints(endpoints)).toBeUndefined()
  expect(await findEndpoints({ ...endpoints, apiVersion: 2 })).toEqual({ ...endpoints, apiVersion: 2 })
  expect(await findEndpoints({ ...endpoints, apiVersion: 3 })).toEqual({ ...endpoints, apiVersion: 3 })
  expect(await findEndpoints({ ...endpoints, apiVersion: 4 })).toBeUndefined()
})
