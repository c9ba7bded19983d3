import { z } from 'zod'
import type { Services } from '../main/app/services'
import type { MockServer } from '../mock-server/server'

export interface RequestCount {
  readonly connection: string
  readonly count: number
  readonly requests: string
}

const journal = z.array(z.object({ method: z.string(), path: z.string() }))

/**
 * Returns the requests of a first connection (address just typed, no login yet), of a second one, and of one after the
 * service has ended the login. The handshake alone is enough for this.
 */
export async function countRequests(services: Services, server: MockServer): Promise<RequestCount[]> {
  const counts: RequestCount[] = []
  const count = async (connection: string, work: () => Promise<unknown>) => {
    await fetch(`${server.control}/requests`, { method: 'DELETE' })
    await work()
    const made = journal.parse(await (await fetch(`${server.control}/requests`)).json())
    const requests = made.map(({ method, path }) => `${method} ${path}`)
    counts.push({ connection, count: requests.length, requests: requests.join(', ') })
  }
  const connect = async () => {
    const { id } = await services.instances.find(undefined)
    await services.connection.connect({ instanceId: id, profileId: 'internet' }, { mode: 'handshake-only' })
    await services.connection.disconnect()
  }
  await count('adding the instance', () => services.addInstance({ address: server.instance }))
  await count('first', connect)
  await count('second', connect)
  await fetch(`${server.control}/tokens/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'all' }),
  })
  await count('after the login has ended', connect)
  return counts
}
