import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { caseCount } from '../scripts/fuzzing'
import { isNightly } from '../scripts/nightly-tests'
import { violation, errorContents } from './fuzz/judge.testing'
import {
  dereferenced,
  requestsFor,
  type Example,
  type FuzzRequest,
  type Knowledge,
  type Operation,
} from './fuzz/requests.testing'
import { Sender } from './fuzz/send.testing'
import { interfaces, type Interface } from './openapi/openapi'
import { createMockServer, type MockServer } from './server'
import { TestClient } from './test-client'

/** Repeat with another seed: MOCK_FUZZ_SEED=7 npx vitest run mock-server/fuzz.test.ts */
const seed = Number(process.env.MOCK_FUZZ_SEED ?? (isNightly ? Date.now() % 2 ** 31 : 20261120))
/** Returns the number of requests to an interface. */
const requestsTo = (name: Interface) =>
  Number(process.env.MOCK_FUZZ_REQUESTS ?? caseCount(`requests to the mock: ${name}`))
const atOnce = 8
const leastDone = 0.1
/** Stream that never ends; it has its own test. */
const endless = '/_mock/events'

/** Shortens the ten minutes that a call may wait for a request which never comes. */
function withShortWaits(name: string, value: unknown): unknown {
  return name === 'withinMs' && typeof value === 'object' ? { ...value, maximum: 100 } : value
}

interface Described {
  method: string
  path: string
  operation: Operation
}

let server: MockServer
let sender: Sender
let client: TestClient
beforeAll(async () => {
  server = await createMockServer({ autoApprove: true, api: '2,3' })
  sender = new Sender(server.origin)
  client = new TestClient(server)
})
afterAll(async () => {
  sender.close()
  await server.close()
})

async function operationsOf(name: Interface): Promise<Described[]> {
  const response = await client.get(`/_mock/openapi/${name}.json`)
  const { paths } = dereferenced(JSON.parse(await response.text(), withShortWaits)) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths)
    .filter(([path]) => path !== endless)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    )
}

function describeRequest({ method, url, headers, body }: FuzzRequest): string {
  return `${method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 300) ?? ''}`
}

/** Returns the parameters of a pre-signed URL, with a condition that its file meets. */
function signedExample(address: string): Example {
  const { pathname, searchParams } = new URL(address)
  const [attachmentId = '', file = ''] = pathname.split('/').slice(2).map(decodeURIComponent)
  // Other entity tags are hardly ever met.
  return { ...Object.fromEntries(searchParams), attachmentId, file, 'if-match': '*' }
}

/**
 * Returns values that exist in the mock. Without them hardly any request would get past the check of its identifiers.
 */
async function examples(): Promise<Record<Interface, Example[]>> {
  const listing = await client.get('/v2.0.0/attachments/?pageSize=100')
  const { data } = (await listing.json()) as { data: { id: string; url?: string; videos?: string[] }[] }
  const content = async (path: string) =>
    (await (await client.get(`/2.3/${path}`)).json()) as { id: number }[]
  const entries = await content('club?count=5')
  return {
    vpn3: [{ profile_id: 'internet' }],
    discovery: [],
    vpn: [{ profile_id: 'internet' }, { profile_id: 'office', remote_strategy: '2' }],
    attachments: data.map(({ id, videos }) => ({
      id,
      videoId: videos?.[0] ?? 'video-1',
      'x-user-roles': 'ADMINISTRATOR, CONTRIBUTOR',
      'x-user-id': 'tester',
    })),
    storage: data.flatMap(({ url }) =>
      url?.startsWith(`${server.origin}/storage/`) ? [signedExample(url)] : [],
    ),
    content: entries.map(({ id }) => ({ entryId: String(id), userId: '1', q: '#vpn' })),
    organizations: [
      { orgId: '1', userId: '3' },
      { orgId: '2', userId: '4', orgName: 'Mock University' },
    ],
    control: [],
  }
}

interface Outcome {
  /** Errors in the answers, each kind once. */
  violations: string[]
  sent: number
  /** Number of requests that were answered as valid. */
  done: number
}

/** Sends requests for all of these operations, several at a time. */
async function fuzz(operations: Described[], requests: number, knowledge: Knowledge): Promise<Outcome> {
  const errors = errorContents(operations.map(({ operation }) => operation))
  const each = Math.ceil(requests / operations.length)
  const rows = operations.map(({ method, path, operation }) =>
    fc
      .sample(requestsFor(method, path, operation, knowledge), { seed, numRuns: each })
      .map((request) => ({ operation, request })),
  )
  const mixed = Array.from({ length: each }, (_, turn) => rows.flatMap((row) => row[turn] ?? [])).flat()
  const found = new Map<string, string>()
  let done = 0
  const work = mixed[Symbol.iterator]()
  const one = async () => {
    for (const { operation, request } of work) {
      const wrong = await sender.send(request).then(
        (answer) => {
          if (answer !== undefined && answer.status < 400) done += 1
          const what = answer === undefined ? undefined : violation(operation, errors, request, answer)
          return what === undefined ? undefined : { what, body: answer?.body.toString().slice(0, 200) }
        },
        (error: unknown) => ({ what: String(error), body: undefined }),
      )
      if (wrong === undefined) continue
      const name = `${operation.operationId}: ${wrong.what}`
      if (!found.has(name)) found.set(name, `${name}\n  ${describeRequest(request)}\n  ${wrong.body ?? ''}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return { violations: [...found.values()], sent: mixed.length, done }
}

async function worksStill(): Promise<void> {
  const { accessToken } = await client.logIn()
  expect((await client.get('/info.json')).status).toBe(200)
  expect((await client.call(accessToken, '/profile_list')).status).toBe(200)
  expect((await client.get('/v2.0.0/attachments/')).status).toBe(200)
  expect((await client.get('/2.3/news/lists')).status).toBe(200)
  expect((await client.get('/api/org')).status).toBe(200)
}

// Control comes last, because its requests change the behaviour of the others.
it.each(interfaces)(`answers any request to %s as its document says (seed ${seed})`, async (name) => {
  const { accessToken } = await client.logIn()
  const credentials: Partial<Record<Interface, Record<string, string>>> = {
    vpn: { authorization: `Bearer ${accessToken}` },
    vpn3: { authorization: `Bearer ${accessToken}` },
    storage: { 'content-type': 'application/pdf' },
  }
  const known = await examples()
  const operations = await operationsOf(name)
  expect(operations).not.toEqual([])
  const { violations, sent, done } = await fuzz(operations, requestsTo(name), {
    credentials: credentials[name] ?? {},
    examples: known[name],
  })
  expect(violations.slice(0, 20)).toEqual([])
  expect(sent).toBeGreaterThanOrEqual(requestsTo(name))
  // Otherwise the test would have seen little but refusals.
  expect(done / sent).toBeGreaterThan(leastDone)
  await client.control('POST', '/reset')
  await worksStill()
})
