import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { z } from 'zod'
import { vpnApiKey } from '../mock-server/vpn/discovery'
import { startChildServer } from './child-server'
import { median } from './median'

interface Throughput {
  readonly request: string
  readonly rounds: number
  /** Medians of requests per second. */
  readonly mock: number
  readonly bareFastify: number
  /** Median of the ratios within each round; 1 is as fast as the bare route. */
  readonly ratio: number
}

export interface Memory {
  readonly requests: number
  readonly rssBytes: number
  readonly heapBytes: number
}

interface MockServerFigures {
  /** Milliseconds to start 50 mocks in one process, one after the other. */
  readonly startManyMs: number
  /** Median of the milliseconds from asking for a world until its address is there. */
  readonly worldMs: number
  readonly throughput: Throughput[]
  readonly memory: Memory[]
}

const rounds = 3
const secondsEach = 3
/** A busy machine compiles little in a second, and a cold mock looked half as fast as it is. */
const warmUpRequests = 30_000
/** Mocks in one process, and worlds in one mock. */
const many = 50
const connections = 10
/** Numbers of requests after which memory is measured: none, a full journal, and many more. */
const memoryAfter = [0, 10_000, 100_000, 200_000]

const addresses = z.object({ instance: z.url(), attachments: z.url(), accessToken: z.string() })
const discovery = z.object({ api: z.object({ [vpnApiKey]: z.object({ api_base_uri: z.url() }) }) })
const bareAddress = z.object({ origin: z.url() })
const times = z.object({ startManyMs: z.number(), worldMs: z.array(z.number()) })
const memoryUsage = z.object({ rss: z.number(), heapUsed: z.number() })

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
async function compare(name: string, request: Request): Promise<Throughput> {
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
    const figures: Record<'mock' | 'bare', number>[] = []
    for (let round = 0; round < rounds; round += 1) {
      const measured = { mock: 0, bare: 0 }
      const turns = [['mock', request] as const, ['bare', toBare] as const]
      for (const [who, one] of round % 2 === 0 ? turns : turns.reverse()) {
        measured[who] = await load(one, { duration: secondsEach })
      }
      figures.push(measured)
    }
    return {
      request: name,
      rounds,
      mock: median(figures.map(({ mock }) => mock)),
      bareFastify: median(figures.map(({ bare: bareFastify }) => bareFastify)),
      ratio: median(figures.map((round) => round.mock / round.bare)),
    }
  } finally {
    await bare.end()
  }
}

function timesOf(answer: unknown): Pick<MockServerFigures, 'startManyMs' | 'worldMs'> {
  const { startManyMs, worldMs } = times.parse(answer)
  return { startManyMs, worldMs: median(worldMs) }
}

async function profileListOf(instance: string): Promise<string> {
  const { api } = discovery.parse(await (await fetch(new URL('info.json', instance))).json())
  return `${api[vpnApiKey].api_base_uri}/profile_list`
}

/**
 * Measures requests per second of two calls, compared with a bare Fastify route that sends the same bytes, and the
 * memory of a mock after growing numbers of requests. Each server runs in its own process. Takes about a minute.
 */
export async function benchMockServer(): Promise<MockServerFigures> {
  const mock = startChildServer('mock-server-process.ts')
  try {
    const { instance, attachments, accessToken } = addresses.parse(await mock.ask('start'))
    const profileList = {
      url: await profileListOf(instance),
      headers: { authorization: `Bearer ${accessToken}` },
    }
    const memory: Memory[] = []
    let sent = 0
    for (const requests of memoryAfter) {
      if (requests > sent) await load(profileList, { amount: requests - sent })
      sent = requests
      const { rss, heapUsed } = memoryUsage.parse(await mock.ask('memory'))
      memory.push({ requests, rssBytes: rss, heapBytes: heapUsed })
    }
    const throughput = [
      await compare('profile_list', profileList),
      await compare('attachments listing', { url: `${attachments}/attachments/?pageSize=10`, headers: {} }),
    ]
    return { ...timesOf(await mock.ask(many)), throughput, memory }
  } finally {
    await mock.end()
  }
}
