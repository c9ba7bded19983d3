import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complaint, errorContents } from './openapi/fuzz/judge'
import { requestsFor, type FuzzRequest, type Operation } from './openapi/fuzz/requests'
import { Sender } from './openapi/fuzz/send'
import { interfaces, type Interface } from './openapi/documents'
import { createMockServer, type MockServer } from './server'
import { TestClient } from './test-client'

/** Another row of requests: MOCK_FUZZ_SEED=7 npx vitest run mock-server/fuzz.test.ts */
const seed = Number(process.env.MOCK_FUZZ_SEED ?? 20261120)
/** How many requests there are for each interface. */
const requestsEach = Number(process.env.MOCK_FUZZ_REQUESTS ?? 1000)
const atOnce = 8
/** This one never ends: it is tested elsewhere. */
const endless = '/_mock/events'

interface Described {
  method: string
  path: string
  operation: Operation
}

let server: MockServer
let sender: Sender
let client: TestClient
beforeAll(async () => {
  server = await createMockServer({ autoApprove: true })
  sender = new Sender(server.origin)
  client = new TestClient(server)
  console.info(`The seed is ${seed}.`)
})
afterAll(async () => {
  sender.close()
  await server.close()
})

async function operationsOf(name: Interface): Promise<Described[]> {
  const response = await client.get(`/_mock/openapi/${name}.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths)
    .filter(([path]) => path !== endless)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    )
}

function shown({ method, url, headers, body }: FuzzRequest): string {
  return `${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 300) ?? ''}`
}

/** Sends them all, a few at once, and collects what is wrong with the answers, each kind once. */
async function complaints(operations: Described[], credentials: Record<string, string>): Promise<string[]> {
  const errors = errorContents(operations.map(({ operation }) => operation))
  const each = Math.ceil(requestsEach / operations.length)
  const rows = operations.map(({ method, path, operation }) =>
    fc
      .sample(requestsFor(method, path, operation, credentials), { seed, numRuns: each })
      .map((request) => ({ operation, request })),
  )
  const mixed = Array.from({ length: each }, (_, turn) => rows.flatMap((row) => row[turn] ?? [])).flat()
  const found = new Map<string, string>()
  const work = mixed[Symbol.iterator]()
  const one = async () => {
    for (const { operation, request } of work) {
      const wrong = await sender.send(request).then(
        (answer) => {
          const what = answer === undefined ? undefined : complaint(operation, errors, request, answer)
          return what === undefined ? undefined : { what, body: answer?.body.toString().slice(0, 200) }
        },
        (error: unknown) => ({ what: String(error), body: undefined }),
      )
      if (wrong === undefined) continue
      const name = `${operation.operationId}: ${wrong.what}`
      if (!found.has(name)) found.set(name, `${name}\n  ${shown(request)}\n  ${wrong.body ?? ''}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return [...found.values()]
}

async function worksStill(): Promise<void> {
  const { accessToken } = await client.logIn()
  expect((await client.get('/info.json')).status).toBe(200)
  expect((await client.call(accessToken, '/profile_list')).status).toBe(200)
  expect((await client.get('/v2.0.0/attachments/')).status).toBe(200)
  expect((await client.get('/2.3/news/lists')).status).toBe(200)
  expect((await client.get('/api/org')).status).toBe(200)
}

// Control comes last: what it changes, the others would meet.
it.each(interfaces)(
  'whatever is sent to %s is answered as its document says',
  async (name) => {
    const { accessToken } = await client.logIn()
    const credentials = name === 'vpn' ? { authorization: `Bearer ${accessToken}` } : {}
    const operations = await operationsOf(name)
    expect(operations).not.toEqual([])
    const found = await complaints(operations, credentials)
    expect(found.slice(0, 20)).toEqual([])
    await client.control('POST', '/reset')
    await worksStill()
  },
  60_000,
)
