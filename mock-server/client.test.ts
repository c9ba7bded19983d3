import { readFileSync } from 'node:fs'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectToMock, createMockServer, type MockClient, type MockServer } from './server'

describe.each([
  ['http', undefined],
  ['https', 'generated'],
] as const)('over %s', (_scheme, tls) => {
  let server: MockServer
  let agent: Agent
  let elsewhere: MockClient
  const get = (url: string) => undiciFetch(url, { dispatcher: agent })
  beforeAll(async () => {
    server = await createMockServer({ tls })
    agent = new Agent({ connect: tls === undefined ? {} : { ca: readFileSync(server.caFile ?? '') } })
    elsewhere = connectToMock(server.origin, {
      fetch: (url, options) => undiciFetch(url, { ...options, dispatcher: agent }),
    })
  })
  afterAll(async () => {
    await agent.destroy()
    await server.close()
  })
  beforeEach(() => server.reset())

  describe.each([
    ['of the server', () => server],
    ['of another process', () => elsewhere],
  ])('the client %s', (_which, clientOf) => {
    it('expects requests, and says what came nearest', async () => {
      const mock = clientOf()
      await get(`${mock.instance}info.json`)
      await mock.expectRequest({ path: '/info.json' }).times(1)
      await mock.expectRequest({ path: '/info.json' }).atLeast(1)
      await mock.expectRequest({ path: '/info.json' }).atMost(1)
      await mock.expectRequest({ method: 'POST' }).never()
      await expect(mock.expectRequest({ method: 'POST', path: '/info.json' }).times(1)).rejects.toThrow(
        'Matching requests: expected 1, found 0.\nNearest:\n  GET /info.json (method: GET)',
      )
    })

    it('waits for requests', async () => {
      const mock = clientOf()
      const waiting = mock.waitFor({ path: '/2.3/club' })
      await get(`${mock.content}/2.3/club`)
      await waiting
      await expect(mock.waitFor({ path: '/later' }, { timeoutMs: 10 })).rejects.toMatchObject({ status: 422 })
    })

    it('sets up scenarios, faults, the clock and logins', async () => {
      const mock = clientOf()
      await mock.scenario('content-down', 'no-messages')
      expect((await get(`${mock.content}/2.3/club`)).status).toBe(503)
      await expect(mock.scenario('content-down', 'content-slow')).rejects.toThrow(
        'content-down and content-slow',
      )
      await mock.scenario()
      const remove = await mock.fault({ match: { path: '/info.json' }, fault: { status: 418 } })
      expect((await get(`${mock.instance}info.json`)).status).toBe(418)
      await remove()
      expect((await get(`${mock.instance}info.json`)).status).toBe(200)
      await mock.clock(new Date('2026-01-01T00:00:00Z'))
      await mock.clock(60)
      expect((await mock.logIn({ user: 'anna' })).accessToken).toMatch(/^\S{100}/)
      const [first] = await mock.requests({ limit: 1, path: '/info.json' })
      expect(first).toMatchObject({
        method: 'GET',
        status: 200,
        time: expect.stringMatching(/^20/) as string,
      })
      await mock.call('PUT /user', { body: { user: 'bram' } })
    })

    it('creates worlds, which it controls alike', async () => {
      const mock = clientOf()
      const world = await mock.world()
      await get(`${world.instance}info.json`)
      await world.expectRequest({ path: '/info.json' }).times(1)
      await mock.expectRequest({ path: '/info.json' }).never()
      expect(world.discovery.url).toBe(`${world.origin}/discovery/`)
      expect(world.attachments).toBe(`${mock.origin}/_world/${world.name}/v2.0.0`)
      await world.close()
      expect((await get(`${world.instance}info.json`)).status).toBe(404)
    })
  })
})

describe('under fake timers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('makes control calls, and waits by the time of the machine', async () => {
    await using mock = await createMockServer()
    await mock.clock(60)
    await expect(mock.waitFor({ path: '/never' }, { timeoutMs: 10 })).rejects.toMatchObject({ status: 422 })
    await using world = await mock.world()
    expect((await world.call('GET /')).worlds).toEqual([world.name])
  })
})
