import { getEachMessage, sendMessage } from 'execa'
import { createMockServer } from '../mock-server/server'
import { TestClient } from '../mock-server/test-client'

/**
 * Runs a mock server that answers "start" with its addresses and an access token, and "memory" with its memory use
 * after garbage collection.
 */
async function answerTo(message: unknown): Promise<Record<string, string | number>> {
  if (message === 'start') {
    const server = await createMockServer({ autoApprove: true })
    const { accessToken } = await new TestClient(server).logIn()
    return { instance: server.instance, attachments: server.attachments, accessToken }
  }
  if (gc === undefined) throw new Error('Memory can be measured with --expose-gc only.')
  await gc({ type: 'major', execution: 'async' })
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heapUsed }
}

for await (const message of getEachMessage()) await sendMessage(await answerTo(message))
