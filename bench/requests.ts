import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApiVersion } from '../contract/choices'
import { createServices } from '../main/app/services'
import { createMockServer, type MockServer } from '../mock-server/server'
import { TestClient, goodRequest } from '../mock-server/test-client'
import { withOpenVpn } from './connect'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'

type Services = ReturnType<typeof createServices>
type Mode = 'full' | 'handshake-only'

export interface RequestCount {
  readonly api: ApiVersion
  readonly connection: string
  readonly requests: readonly string[]
}

const journal = z.array(z.object({ method: z.string(), path: z.string() }))
const rounds = 10

/**
 * Lists the requests of adding a service, of a first connection with login, of a second one, and of one after the login has
 * ended. Compares the first connection, from the address of the service on, with a script that sends the same requests and
 * starts OpenVPN.
 */
export async function benchRequests(
  folder: string,
): Promise<{ readonly figures: Figure[]; readonly requests: RequestCount[] }> {
  const figures: Figure[] = []
  const requests: RequestCount[] = []
  for (const api of [2, 3] as const) {
    const server = await createMockServer({
      autoApprove: true,
      tunnel: 'openvpn',
      tunnelHooks: false,
      api: api === 2 ? '2' : '3',
    })
    try {
      requests.push(...(await withServices(folder, (services) => countRequests(server, services, api))))
      const client = new TestClient(server)
      const { script, own } = await takeTurns(rounds, {
        script: () => msOf(() => connectByScript(folder, client, api)),
        own: () => withServices(folder, (services) => msOf(() => connectFirst(server, services, 'full'))),
      })
      figures.push({
        what: `first connection from an address, API version ${String(api)}`,
        unit: 'ms',
        own,
        beside: { what: 'a script with the same requests, and OpenVPN', values: script },
        goal: { atMost: 1.3 },
        why: 'Causeway writes five files so that they outlast a loss of power, each locked and read again, and starts OpenVPN once more for its version, which takes 4 ms of processor time; the script keeps nothing, and checks nothing.',
      })
    } finally {
      await server.close()
    }
  }
  return { figures, requests }
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Calls with services that have a new data directory. */
async function withServices<T>(folder: string, work: (services: Services) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(folder, 'requests-'))
  const services = createServices({
    dataDir,
    secretStore: 'file',
    openBrowser: async (url) => {
      await fetch(url)
    },
    onNotice: () => undefined,
  })
  try {
    return await work(services)
  } finally {
    await services.connection.disconnect()
    await services.dispose()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function connectFirst({ instance }: MockServer, services: Services, mode: Mode): Promise<void> {
  await services.addInstance({ address: instance })
  await connect(services, mode)
}

async function connect(services: Services, mode: Mode): Promise<void> {
  const { id } = await services.instances.find(undefined)
  await services.connection.connect({ instanceId: id, profileId: 'internet' }, { mode })
}

/** A handshake is enough to list the requests. */
async function countRequests(
  server: MockServer,
  services: Services,
  api: ApiVersion,
): Promise<RequestCount[]> {
  const counts: RequestCount[] = []
  const count = async (connection: string, work: () => Promise<unknown>) => {
    await fetch(`${server.control}/requests`, { method: 'DELETE' })
    await work()
    await services.connection.disconnect()
    const made = journal.parse(await (await fetch(`${server.control}/requests`)).json())
    counts.push({ api, connection, requests: made.map(({ method, path }) => `${method} ${path}`) })
  }
  await count('adding the service', () => services.addInstance({ address: server.instance }))
  await count('first', () => connect(services, 'handshake-only'))
  await count('second', () => connect(services, 'handshake-only'))
  await post(server, 'tokens/revoke', { kind: 'all' })
  await count('after the login has ended', () => connect(services, 'handshake-only'))
  return counts
}

/** Connects as a short script would that knows the server. */
async function connectByScript(folder: string, client: TestClient, api: ApiVersion): Promise<void> {
  await (await client.get('/.well-known/vpn-user-portal')).text()
  if (api === 2) await (await client.get('/info.json')).text()
  // Causeway asks whether the portal knows its client ID before it opens a browser.
  await client.authorize(goodRequest().query)
  const { accessToken } = await client.logIn()
  const file = join(folder, 'script.ovpn')
  if (api === 2) {
    const { certificate, private_key: key } = await client.createKeyPair(accessToken)
    const profile = await client.profileConfig(accessToken, 'profile_id=internet')
    await writeFile(file, `${profile}\n<cert>\n${certificate}\n</cert>\n<key>\n${key}\n</key>\n`)
  } else {
    await (await client.call3(accessToken, '/info')).text()
    const answer = await client.connect(
      accessToken,
      { profile_id: 'internet' },
      'application/x-openvpn-profile',
    )
    await writeFile(file, await answer.text())
  }
  await withOpenVpn(file)
}

async function post({ control }: MockServer, path: string, body: object = {}): Promise<void> {
  await fetch(`${control}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
