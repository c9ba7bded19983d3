import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CausewayError } from '../../errors'
import { createHttpClient, type HttpClient, type HttpRequest } from '../../platform/http/http-client'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import { answerOf, isOutOfReach, readOrCached, type MaybeCached } from './read-or-cached'
import { createOfflineStore, type OfflineStore } from './offline-store'
import { testReporter } from '../../reporter.testing'

const instanceId = 'vpn.example.org'

interface World {
  readonly store: OfflineStore
  readonly url: (path: string) => URL
  /** The server's answer for each path; default: 200 with an empty list. */
  readonly answers: Map<string, { readonly status: number; readonly body: string }>
  readonly stop: () => Promise<void>
  now: number
  read(path: string, request?: HttpRequest): Promise<MaybeCached<unknown>>
}

/** Reads like the real clients, where a gateway's answer is a refusal with its status. */
async function ask(http: HttpClient, url: URL, request?: HttpRequest): Promise<unknown> {
  const { status, text } = await http.send(url, request)
  if (status !== 200)
    throw new CausewayError('content/refused', { details: { host: 'vpn.example.org', status } })
  return JSON.parse(text)
}

async function createWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-offline-'))
  const answers: World['answers'] = new Map()
  const server = await startTestServer((request, response) => {
    const { status, body } = answers.get(request.url ?? '') ?? { status: 200, body: '[]' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const http = createHttpClient()
  const url = (path: string) => new URL(path, server.origin)
  const world: World = {
    store: createOfflineStore({
      folder,
      now: () => new Date(world.now),
      registerForget: () => undefined,
      reporter: testReporter(),
    }),
    url,
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.server.close(() => {
          resolve()
        })
        server.server.closeAllConnections()
      }),
    now: 1000,
    read: (path, request) =>
      readOrCached({ http, store: world.store, instanceId }, (through) => ask(through, url(path), request)),
  }
  onTestFinished(async () => {
    await world.store.written()
    await rm(folder, { recursive: true, force: true })
  })
  return world
}

it('returns the current answer while the service is reachable', async () => {
  const world = await createWorld()
  await world.read('/list')
  world.answers.set('/list', { status: 200, body: '[1]' })
  world.now = 2000
  expect(await world.read('/list')).toEqual({ data: [1] })
})

it('returns the last answer and its age while the service is unreachable', async () => {
  const world = await createWorld()
  world.answers.set('/list', { status: 200, body: '[1,2]' })
  await world.read('/list')
  await world.store.written()
  await world.stop()
  world.now = 9000
  expect(await world.read('/list')).toMatchObject({
    data: [1, 2],
    cachedAt: 1000,
    because: { code: 'http/unreachable' },
  })
})

it.each([502, 503, 504])('returns the last answer when a gateway answers %i', async (status) => {
  const world = await createWorld()
  await world.read('/list')
  await world.store.written()
  world.answers.set('/list', { status, body: '<html>' })
  expect(await world.read('/list')).toMatchObject({ data: [], cachedAt: 1000 })
})

it.each([400, 429, 500])('throws a %i, which is an answer of the service', async (status) => {
  const world = await createWorld()
  await world.read('/list')
  await world.store.written()
  world.answers.set('/list', { status, body: '{}' })
  expect(await rejection(world.read('/list'))).toMatchObject({ details: { host: 'vpn.example.org', status } })
})

it.each([401, 403, 404, 410])('forgets an answer after a %i', async (status) => {
  const world = await createWorld()
  await world.read('/list')
  await world.store.written()
  world.answers.set('/list', { status, body: '{}' })
  await rejection(world.read('/list'))
  await world.stop()
  expect(await rejection(world.read('/list'))).toMatchObject({ code: 'http/unreachable' })
})

it('keeps an answer after a 401 if the refresh of the token fails then', async () => {
  const world = await createWorld()
  await world.read('/list')
  await world.store.written()
  world.answers.set('/list', { status: 401, body: '{}' })
  world.answers.set('/token', { status: 503, body: '<html>' })
  const refreshing = (http: HttpClient) =>
    ask(http, world.url('/list')).catch(() => ask(http, world.url('/token'), { method: 'POST' }))
  const options = { http: createHttpClient(), store: world.store, instanceId }
  expect(await readOrCached(options, refreshing)).toMatchObject({ data: [], cachedAt: 1000 })
})

it('names the unreachable host for the window', async () => {
  const world = await createWorld()
  expect(answerOf(await world.read('/list'))).toEqual({ data: [] })
  await world.store.written()
  await world.stop()
  expect(answerOf(await world.read('/list'))).toEqual({ data: [], cachedAt: 1000, host: world.url('/').host })
})

it('throws the connection error if nothing is stored', async () => {
  const world = await createWorld()
  await world.read('/list')
  await world.store.written()
  await world.stop()
  const error = await rejection(world.read('/list?page=2'))
  expect(error).toMatchObject({ code: 'http/unreachable' })
  expect(error).not.toMatchObject({ details: { reason: 'never-seen' } })
})

it('keeps the answers of different users apart', async () => {
  const world = await createWorld()
  const as = (user: string): HttpRequest => ({ headers: { 'X-User-Id': user } })
  await world.read('/list', as('ann'))
  await world.store.written()
  await world.stop()
  expect(await world.read('/list', as('ann'))).toMatchObject({ cachedAt: 1000 })
  expect(await rejection(world.read('/list', as('bob')))).toBeInstanceOf(CausewayError)
  expect(await rejection(world.read('/list'))).toBeInstanceOf(CausewayError)
})

it('stores no credentials', async () => {
  const world = await createWorld()
  await world.read('/list', { headers: { authorization: 'Bearer one' } })
  await world.store.written()
  await world.stop()
  expect(await world.read('/list', { headers: { authorization: 'Bearer two' } })).toMatchObject({ data: [] })
})

it('returns the oldest age of several answers', async () => {
  const world = await createWorld()
  await world.read('/a')
  world.now = 5000
  await world.read('/b')
  await world.store.written()
  await world.stop()
  const both = await readOrCached(
    { http: createHttpClient(), store: world.store, instanceId },
    async (http) => [await ask(http, world.url('/b')), await ask(http, world.url('/a'))],
  )
  expect(both).toMatchObject({ data: [[], []], cachedAt: 1000 })
})

it('stores nothing of an invalid answer', async () => {
  const world = await createWorld()
  const http = createHttpClient()
  const strict = async (through: HttpClient): Promise<unknown> => {
    await ask(through, world.url('/list'))
    throw new CausewayError('content/invalid-response')
  }
  await rejection(readOrCached({ http, store: world.store, instanceId }, strict))
  await world.store.written()
  await world.stop()
  expect(await rejection(world.read('/list'))).toMatchObject({ code: 'http/unreachable' })
})

it('stores no answer that was requested before the instance was forgotten', async () => {
  const world = await createWorld()
  const http = createHttpClient()
  await readOrCached({ http, store: world.store, instanceId }, async (through) => {
    const data = await ask(through, world.url('/list'))
    await world.store.forget(instanceId)
    return data
  })
  await world.store.written()
  expect(await world.store.find(instanceId, JSON.stringify([world.url('/list').href]))).toBeUndefined()
})

it('neither stores nor replays a change', async () => {
  const world = await createWorld()
  await world.read('/list', { method: 'POST' })
  await world.store.written()
  await world.stop()
  const error = await rejection(world.read('/list', { method: 'POST' }))
  expect(error).toMatchObject({ code: 'http/unreachable' })
})

it('distinguishes refusals and defects from an unreachable service', () => {
  expect(
    isOutOfReach(new CausewayError('http/tls-failed', { details: { host: 'vpn.example.org', reason: '' } })),
  ).toBe(false)
  expect(isOutOfReach(new CausewayError('http/cancelled'))).toBe(false)
  expect(isOutOfReach(new Error('http/unreachable'))).toBe(false)
  expect(isOutOfReach(new CausewayError('http/timed-out', { details: { host: 'vpn.example.org' } }))).toBe(
    true,
  )
})
