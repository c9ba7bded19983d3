import { getEachMessage, sendMessage } from 'execa'
import { createMockServer, type MockServer } from '../mock-server/server'
import { TestClient } from '../mock-server/test-client'
import { msOf } from './take-turns'

/** Starts this many mocks, then this many worlds in one mock, one after the other, and returns how long it took. */
async function startMany(count: number): Promise<{ startManyMs: number; worldMs: number[] }> {
  const servers: MockServer[] = []
  const startManyMs = await msOf(async () => {
    while (servers.length < count) servers.push(await createMockServer())
  })
  const worldMs: number[] = []
  const create = () => fetch(`${servers[0]?.control ?? ''}/worlds`, { method: 'POST' })
  while (worldMs.length < count) worldMs.push(await msOf(async () => (await create()).json()))
  await Promise.all(servers.map((server) => server.close()))
  return { startManyMs, worldMs }
}

/**
 * Runs a mock server that answers "start" with its addresses and an access token, "memory" with its memory use after
 * garbage collection, and a number with the times to start so many mocks and worlds.
 */
async function answerTo(message: unknown): Promise<object> {
  if (typeof message === 'number') return startMany(message)
  if (message === 'start') {
    const server = await createMockServer({ autoApprove: true })
    const { accessToken } = await new TestClient(server).logIn()
    return { instance: server.instance, attachments: server.attachments, accessToken }
  }
  if (gc === undefined) throw new Error('Memory can be measured with --expose-gc only.')
  await gc({ type: 'major', execution: 'async' })
  return { heapUsed: process.memoryUsage().heapUsed }
}

for await (const message of getEachMessage()) await sendMessage(await answerTo(message))
