import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { z } from 'zod'
import { vpnApiKey } from '../mock-server/vpn/discovery'
import { startChildServer } from './child-server'
import type { Figure } from './figure'
import { takeTurns } from './take-turns'

const rounds = 5
const secondsEach = 2
/** A busy machine compiles little in a second, and a cold mock looked half as fast as it is. */
const warmUpRequests = 30_000
/** Mocks in one process, and worlds in one mock. */
const count = 50
const connections = 10
/** Requests before each look at the memory: the first ones fill the journal. */
const loads = [10_000, 190_000]

const addresses = z.object({ instance: z.url(), attachments: z.url(), accessToken: z.string() })
const discovery = z.object({ api: z.object({ [vpnApiKey]: z.object({ api_base_uri: z.url() }) }) })
const bareAddress = z.object({ origin: z.url() })
const times = z.object({ startManyMs: z.number(), worldMs: z.array(z.number()) })
const memoryUsage = z.object({ heapUsed: z.number() })

interface Request {
  url: string
  headers: Record<string, string>
}

async function send({ url, headers }: Request) {
  const response = await fetch(url, { headers })
  const { date: _date, ...answered } = Object.fromEntries(response.headers)
  return { status: response.status, headers: answered, body: await response.text() }
}

async function load(request: Request, extent: { duration: number } | { amount: number }): Promise<number> {
  const result = await autocannon({ ...request, connections, ...extent })
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${request.url}: ${result.errors} requests failed, ${result.non2xx} were refused`)
  }
  return result.requests.total / result.duration
}

/** Sends the same requests to the mock and to a bare route with the same answer, taking turns. */
async function compare(name: string, request: Request, atLeast: number): Promise<Figure> {
  const bare = startChildServer('bare-server-process.ts')
  try {
    const answer = await send(request)
    const { pathname, search } = new URL(request.url)
    const contentType = answer.headers['content-type'] ?? ''
    const { origin } = bareAddress.parse(await bare.ask({ path: pathname, contentType, body: answer.body }))
    const toBare = { ...request, url: `${origin}${pathname}${search}` }
    if (answer.status !== 200 || !isDeepStrictEqual(await send(toBare), answer)) {
      throw new Error(`The bare route does not answer ${name} as the mock does`)
    }
    for (const one of [request, toBare]) await load(one, { amount: warmUpRequests })
    const speed = (one: Request) => () => load(one, { duration: secondsEach })
    const { own, bare: values } = await takeTurns(rounds, { own: speed(request), bare: speed(toBare) })
    return {
      what: name,
      unit: 'requests/s',
      own,
      beside: { what: 'a bare Fastify route with the same answer', values },
      goal: { atLeast },
    }
  } finally {
    await bare.end()
  }
}

async function profileListOf(instance: string): Promise<string> {
  const { api } = discovery.parse(await (await fetch(new URL('info.json', instance))).json())
  return `${api[vpnApiKey].api_base_uri}/profile_list`
}

/**
 * `npm run bench -- mock-server`: requests per second, the start of many mocks and worlds, and the memory after many requests. Each
 * server runs in its own process.
 */
export async function benchMockServer(): Promise<Figure[]> {
  const mock = startChildServer('mock-server-process.ts')
  try {
    const { instance, attachments, accessToken } = addresses.parse(await mock.ask('start'))
    const profileList = {
      url: await profileListOf(instance),
      headers: { authorization: `Bearer ${accessToken}` },
    }
    const heap: number[] = []
    for (const amount of loads) {
      await load(profileList, { amount })
      heap.push(memoryUsage.parse(await mock.ask('memory')).heapUsed / 1e6)
    }
    const [full = NaN, many = NaN] = heap
    const throughput = [
      await compare('mock: profile_list', profileList, 0.7),
      await compare(
        'mock: list of attachments',
        { url: `${attachments}/attachments/?pageSize=10`, headers: {} },
        0.5,
      ),
    ]
    const { startManyMs, worldMs } = times.parse(await mock.ask(count))
    return [
      ...throughput,
      { what: 'mock: start of 50 in one process', unit: 'ms', own: [startManyMs], goal: { atMost: 2000 } },
      { what: 'mock: a world', unit: 'ms', own: worldMs, goal: { atMost: 5 } },
      {
        what: 'mock: memory in use after 200,000 requests',
        unit: 'MB',
        own: [many],
        beside: { what: 'after 10,000, with a full journal', values: [full] },
        goal: { atMost: 1.1 },
      },
    ]
  } finally {
    await mock.end()
  }
}
