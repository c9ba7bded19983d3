import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApiVersion } from '../contract/choices'
import { createServices } from '../main/app/services'
import { createMockServer, type MockServer } from '../mock-server/server'
import { median } from './median'

interface RequestCount {
  readonly api: ApiVersion
  readonly connection: string
  readonly count: number
  /** Median until connected, or until the instance is added. */
  readonly ms: number
  readonly requests: string
}

const journal = z.array(z.object({ method: z.string(), path: z.string() }))

/**
 * Counts the requests of adding an instance, of a first connection with login, of a second one, and of one after the
 * login has ended, and measures their time. A handshake is enough for this.
 */
export async function countRequests(folder: string, api: ApiVersion, runs: number): Promise<RequestCount[]> {
  const server = await createMockServer({ autoApprove: true, tunnel: 'openvpn', api: api === 2 ? '2' : '3' })
  try {
    const all: (readonly Omit<RequestCount, 'api'>[])[] = []
    for (let run = 0; run < runs; run += 1) {
      await post(server, 'reset')
      all.push(await countOnce(folder, server))
    }
    return (all[0] ?? []).map((row, at) => ({
      api,
      ...row,
      ms: Math.round(median(all.map((rows) => rows[at]?.ms ?? Number.NaN))),
    }))
  } finally {
    await server.close()
  }
}

/** Uses a new data directory. */
async function countOnce(folder: string, server: MockServer): Promise<Omit<RequestCount, 'api'>[]> {
  const dataDir = await mkdtemp(join(folder, 'requests-'))
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: async (url) => {
      await fetch(url)
    },
    onNotice: () => undefined,
  })
  const counts: Omit<RequestCount, 'api'>[] = []
  const count = async (connection: string, work: () => Promise<unknown>) => {
    await fetch(`${server.control}/requests`, { method: 'DELETE' })
    const began = performance.now()
    await work()
    const ms = performance.now() - began
    await services.connection.disconnect()
    const made = journal.parse(await (await fetch(`${server.control}/requests`)).json())
    const requests = made.map(({ method, path }) => `${method} ${path}`)
    counts.push({ connection, count: requests.length, ms, requests: requests.join(', ') })
  }
  const connect = async () => {
    const { id } = await services.instances.find(undefined)
    await services.connection.connect({ instanceId: id, profileId: 'internet' }, { mode: 'handshake-only' })
  }
  try {
    await count('adding the instance', () => services.addInstance({ address: server.instance }))
    await count('first', connect)
    await count('second', connect)
    await post(server, 'tokens/revoke', { kind: 'all' })
    await count('after the login has ended', connect)
    return counts
  } finally {
    await services.dispose()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function post({ control }: MockServer, path: string, body: object = {}): Promise<void> {
  await fetch(`${control}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
