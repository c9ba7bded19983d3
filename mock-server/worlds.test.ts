import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent, fetch as undiciFetch } from 'undici'
import { describe, expect, it } from 'vitest'
import { serveMock } from './test-server'
import { createMockServer } from './server'

const { server } = await serveMock({ autoApprove: true })

interface World {
  world: string
  origin: string
  control: string
  discovery: { url: string; key: string }
}

async function post(url: string, body: unknown = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function newWorld(name?: string): Promise<World> {
  const response = await post(`${server.control}/worlds`, name === undefined ? {} : { name })
  expect(response.status).toBe(200)
  return (await response.json()) as World
}

const json = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).json() as Promise<Record<string, unknown>>

const pathsIn = async (control: string) =>
  ((await json(`${control}/requests`)) as unknown as { path: string }[]).map(({ path }) => path)

const nowOf = async ({ control }: Pick<World, 'control'>) =>
  Date.parse(String((await json(control, { accept: 'application/json' })).now))

/** Sends a request with any Host header, which fetch doesn't allow. */
function withHost(path: string, host: string, origin = server.origin): Promise<string> {
  return new Promise((resolve, reject) => {
    httpRequest(`${origin}${path}`, { headers: { host } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => {
        resolve(text)
      })
    })
      .on('error', reject)
      .end()
  })
}

describe('a world', () => {
  it('has addresses of its own in every answer', async () => {
    const { origin, discovery } = await newWorld('addresses')
    expect(origin).toBe(`${server.origin}/_world/addresses`)
    const info = JSON.stringify(await json(`${origin}/info.json`))
    expect(info).toContain(`${origin}/api/vpn`)
    expect(info.replaceAll(origin, '')).not.toContain(server.origin)
    expect(JSON.stringify(await json(`${discovery.url}server_list.json`))).toContain(`${origin}/nl/`)
    const list = JSON.stringify(await json(`${origin}/v2.0.0/attachments/`))
    expect(list).toContain(`${origin}/storage/`)
    const [file] = /http[^"]*\/storage\/[^"]*method=GET[^"]*/.exec(list) ?? ['']
    expect((await fetch(file)).status).toBe(200)
    const elsewhere = file.replace('addresses', (await newWorld()).world)
    expect((await fetch(elsewhere)).status).toBe(403)
    expect(JSON.stringify(await json(`${origin}/2.3/club`))).toContain(`${origin}/content-`)
    const page = await fetch(`${origin}/_mock`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('action="/_world/addresses/_mock/reset"')
  })

  it('is chosen by a header or a host name as well', async () => {
    const { origin, control } = await newWorld('chosen')
    await fetch(`${server.origin}/info.json?by=header`, { headers: { 'x-mock-world': 'chosen' } })
    const port = String(server.port)
    expect(await withHost('/info.json?by=host', `chosen.localhost:${port}`)).toContain(
      `http://chosen.localhost:${port}/api/vpn`,
    )
    await fetch(`${origin}/info.json?by=path`)
    expect(await pathsIn(control)).toEqual(['/info.json', '/info.json', '/info.json'])
    expect(await pathsIn(server.control)).toEqual([])
  })

  it('is never the main one under a name that is mistyped or was deleted', async () => {
    const port = String(server.port)
    const { control } = await newWorld('typed')
    expect(await withHost('/info.json', `tpyed.localhost:${port}`)).toContain('no world with this name')
    expect((await fetch(control.replace('/_mock', '/_mock/worlds/typed'), { method: 'DELETE' })).status).toBe(
      200,
    )
    expect(await withHost('/info.json', `typed.localhost:${port}`)).toContain('no world with this name')
    expect(await withHost('/info.json', `localhost:${port}`)).toContain('/api/vpn')
    await expect(server.expectRequest({ path: '/info.json' }).times(1)).resolves.toBeUndefined()
    await server.call('DELETE /requests')
  })

  it.each([['2'], ['3']] as const)(
    'can have a port of its own, also for version %s of the API',
    async (api) => {
      await using mock = await createMockServer({ api, tls: 'generated' })
      const world = await mock.world('ported', { port: true })
      const agent = new Agent({ connect: { ca: readFileSync(mock.caFile ?? '') } })
      const read = async (path: string) =>
        (await undiciFetch(`${world.origin}${path}`, { dispatcher: agent })).text()
      const path = api === '3' ? '/.well-known/vpn-user-portal' : '/info.json'
      expect(await read(path)).toContain(`${world.origin}/`)
      await world.expectRequest({ path }).times(1)
      await mock.expectRequest({}).never()
      expect(await read('/_mock/worlds')).toContain('ported')
      expect(world.discovery.url).toBe(`${world.origin}/discovery/`)
      await world.close()
      await expect(read(path)).rejects.toThrow()
      await agent.destroy()
    },
  )

  it('can be deleted through its own port, which is closed after the answer', async () => {
    const world = await server.world('leaving', { port: true })
    const control = `${world.origin}/_mock`
    const socket = connect(Number(new URL(world.origin).port), '127.0.0.1')
    socket.write('DELETE /_mock/worlds/leaving HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*\{"ok":true\}$/)
    await expect(json(control)).rejects.toThrow('fetch failed')
    expect((await server.call('GET /worlds')).worlds).not.toContain('leaving')
  })

  it('has no port beside an origin that all answers name', async () => {
    await using mock = await createMockServer({ origin: 'https://mock.example' })
    await expect(mock.world('a', { port: true })).rejects.toMatchObject({ status: 409 })
    expect((await mock.call('GET /worlds')).worlds).toEqual([])
  })

  it('gives worlds of worlds a state of their own', async () => {
    const inner = await (await server.world()).world()
    await inner.expectRequest({}).never()
  })

  it('has tokens and certificates that no other world accepts', async () => {
    const [one, other] = [await newWorld(), await newWorld()]
    const tokens = await Promise.all(
      [one, other].map(
        async ({ control }) => (await (await post(`${control}/tokens`)).json()) as { accessToken: string },
      ),
    )
    const status = async ({ origin }: World, token = '') =>
      (await fetch(`${origin}/api/vpn/profile_list`, { headers: { authorization: `Bearer ${token}` } }))
        .status
    expect(await status(one, tokens[0]?.accessToken)).toBe(200)
    expect(await status(other, tokens[0]?.accessToken)).toBe(401)
    expect(one.discovery.key).not.toBe(other.discovery.key)
  })

  it('is refused under a name that exists or is no name, and is gone once it is deleted', async () => {
    const { origin } = await newWorld('once')
    expect((await post(`${server.control}/worlds`, { name: 'once' })).status).toBe(409)
    for (const name of ['', 'Upper', '-a', 'a/b', 'a'.repeat(64)])
      expect((await post(`${server.control}/worlds`, { name })).status).toBe(400)
    expect((await json(`${server.control}/worlds`)).worlds).toContain('once')
    expect((await fetch(`${server.control}/worlds/once`, { method: 'DELETE' })).status).toBe(200)
    expect((await fetch(`${server.control}/worlds/once`, { method: 'DELETE' })).status).toBe(404)
    expect((await fetch(`${origin}/info.json`)).status).toBe(404)
    expect((await fetch(`${server.origin}/info.json`, { headers: { 'x-mock-world': 'once' } })).status).toBe(
      404,
    )
  })
})

it('keeps twenty parallel tests apart', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `parallel-${index}`)
  await Promise.all(
    names.map(async (name, index) => {
      const { origin, control } = await newWorld(name)
      await post(`${control}/clock`, { advanceSeconds: index * 3600 })
      await post(`${control}/faults`, { match: { path: '/info.json' }, fault: { status: 500 + index } })
      await post(`${control}/scenarios/${index % 2 === 0 ? 'content-down' : 'no-attachments'}`)
      await post(`${control}/faults`, { match: { path: '/info.json' }, fault: { status: 500 + index } })
      const { accessToken } = (await (await post(`${control}/tokens`, { user: name })).json()) as {
        accessToken: string
      }
      const headers = { authorization: `Bearer ${accessToken}` }
      expect((await fetch(`${origin}/info.json`)).status).toBe(500 + index)
      expect((await fetch(`${origin}/2.3/club`)).status).toBe(index % 2 === 0 ? 503 : 200)
      const { totalCount } = await json(`${origin}/v2.0.0/attachments/`)
      expect(totalCount === 0).toBe(index % 2 === 1)
      const { user_info } = await json(`${origin}/api/vpn/user_info`, headers)
      expect(user_info).toMatchObject({ data: { user_id: name } })
      expect(await pathsIn(control)).toEqual([
        '/info.json',
        '/2.3/club',
        '/v2.0.0/attachments/',
        '/api/vpn/user_info',
      ])
      expect((await nowOf({ control })) - Date.now()).toBeCloseTo(index * 3_600_000, -6)
    }),
  )
  expect((await fetch(`${server.origin}/info.json`)).status).toBe(200)
})

it('has addresses of its own below a fixed origin, however it is chosen', async () => {
  const fixed = await createMockServer({ origin: 'https://mock.example' })
  try {
    await post(`${fixed.control}/worlds`.replace('https://mock.example', `http://127.0.0.1:${fixed.port}`), {
      name: 'login',
    })
    const local = `http://127.0.0.1:${fixed.port}`
    for (const answer of [
      await withHost('/info.json', `login.localhost:${fixed.port}`, local),
      JSON.stringify(await json(`${local}/_world/login/info.json`)),
      JSON.stringify(await json(`${local}/info.json`, { 'x-mock-world': 'login' })),
    ])
      expect(answer).toContain('"https://mock.example/_world/login/api/vpn')
    const made = await withHost('/_mock/openapi.json', `login.localhost:${fixed.port}`, local)
    expect(made).toContain('"servers":[{"url":"https://mock.example/_world/login"}]')
  } finally {
    await fixed.close()
  }
})

it('serves worlds over TLS too', async () => {
  const secure = await createMockServer({ tls: 'generated' })
  try {
    const { default: undici } = await import('undici')
    const { readFileSync } = await import('node:fs')
    const dispatcher = new undici.Agent({ connect: { ca: readFileSync(secure.caFile ?? '') } })
    const created = await undici.request(`${secure.control}/worlds`, { dispatcher, method: 'POST' })
    const { origin } = (await created.body.json()) as World
    const info = await undici.request(`${origin}/info.json`, { dispatcher })
    expect(await info.body.text()).toContain(`${origin}/api/vpn`)
    await dispatcher.close()
  } finally {
    await secure.close()
  }
})
