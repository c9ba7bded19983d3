import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startTestMock } from '../../mock-server/test-authority'
import { TestClient } from '../../mock-server/test-client'
import { CausewayError } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import type { Instance } from '../portal/instance/instance'
import { testReporter } from '../reporter.testing'
import { createContentClient } from '../services/news/content-client'
import { createOfflineStore } from '../services/offline-cache/offline-store'
import { cachedEndpoints, type ClientEndpoints, type ClientParts, createCachedReads } from './cached-reads'
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

const instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' } as Instance
const endpoints: ClientEndpoints = {
  apiVersion: 3,
  apiBaseUri: 'https://vpn.example.org/api',
  services: { content: 'https://news.example.org' },
}

/** Returns reads of a news service, and how to take it out of reach. */
async function createReads() {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-reads-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const open = () =>
    createOfflineStore({
      folder: join(dataDir, 'seen'),
      now: () => new Date(0),
      reporter: testReporter(),
      registerForget: () => undefined,
    })
  let isReachable = true
  const http: HttpClient = {
    send: (url) => {
      const text = JSON.stringify({ id: url.searchParams.get('entryId'), title: 'x' })
      return isReachable
        ? Promise.resolve({ url, status: 200, headers: new Headers(), text })
        : Promise.reject(new CausewayError('http/unreachable', { details: { host: url.host } }))
    },
  }
  const content = async (_instance: Instance, parts: ClientParts) =>
    createContentClient({ http: parts.http, baseUrl: (await parts.endpoints()).services.content ?? '' })
  const start = () => {
    const store = open()
    const unused = () => Promise.reject(new Error('Not used here.'))
    const clients = { content, attachments: unused, organizations: unused, vpn: unused }
    const reads = createCachedReads({ http, store, clients, endpoints: () => Promise.resolve(endpoints) })
    const entry = async (id: number) => reads.content(instance, (client) => client.item(String(id)))
    return { store, entry }
  }
  const goOffline = () => {
    isReachable = false
  }
  return { start, goOffline }
}

it('shows a stored answer after many others were read, also after a restart', async () => {
  const { start, goOffline } = await createReads()
  const first = start()
  for (let id = 1; id <= 430; id += 1) await first.entry(id)
  await first.store.written()
  goOffline()
  expect(await first.entry(430)).toMatchObject({ data: { id: '430' }, cachedAt: 0 })
  expect(await start().entry(430)).toMatchObject({ data: { id: '430' }, cachedAt: 0 })
  expect(await cachedEndpoints(first.store, instance.id)).toEqual(endpoints)
})

it('shows an answer that was read after another process had logged out', async () => {
  const { start, goOffline } = await createReads()
  const [window, terminal] = [start(), start()]
  await window.entry(1)
  await window.store.written()
  await terminal.store.forget(instance.id)
  await window.entry(2)
  await window.store.written()
  goOffline()
  expect(await window.entry(2)).toMatchObject({ data: { id: '2' }, cachedAt: 0 })
})
