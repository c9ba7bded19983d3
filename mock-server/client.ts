import type { ControlApi } from './control/control-api'
import { paths } from './paths'

/** Sends a control call, with a JSON body if there is one. */
export type SendControlCall = (call: {
  method: string
  /** The path below the origin of the mock. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}) => Promise<{ status: number; text: string }>

type Verification = ControlApi['POST /verify']['body']

/** The requests that are expected: all conditions must be met. */
export type RequestMatch = NonNullable<Verification['match']>

/** A control call that was refused. */
export class MockRefusal extends Error {
  override name = 'MockRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Checks how often a request came. Each method rejects with the nearest misses if it did not. */
export interface RequestExpectation {
  times(count: number): Promise<void>
  never(): Promise<void>
  atLeast(count: number): Promise<void>
  atMost(count: number): Promise<void>
}

/** Returns the reason of a refusal, with the nearest misses of a verification. */
function reasonIn(text: string): string {
  let answer: {
    error: string
    nearest?: { request: { method: string; path: string }; differences: string[] }[]
  }
  try {
    answer = JSON.parse(text) as typeof answer
  } catch {
    // Of a proxy, or another server.
    return text.slice(0, 200)
  }
  const { error, nearest = [] } = answer
  const shown = nearest.map(
    ({ request: { method, path }, differences }) =>
      `  ${method} ${path}${differences.length === 0 ? '' : ` (${differences.join('; ')})`}`,
  )
  return shown.length === 0 ? error : [error, 'Nearest:', ...shown].join('\n')
}

/** Controls a mock, or one world of it. */
export class MockClient {
  /** The origin of the addresses below. Answers name the origin that a client calls. */
  readonly origin: string
  /** The address of the VPN instance, as a user types it. */
  readonly instance: string
  readonly attachments: string
  readonly content: string
  readonly organizations: string
  /** The address below which control calls are. */
  readonly control: string
  readonly #send: SendControlCall

  constructor(origin: string, send: SendControlCall) {
    this.origin = origin
    this.instance = `${origin}/`
    this.attachments = `${origin}${paths.attachments}`
    this.content = origin
    this.organizations = origin
    this.control = `${origin}${paths.control}`
    this.#send = send
  }

  /** Makes a control call, such as `call('PUT /user', { body: { user: 'anna' } })`. Rejects with a MockRefusal. */
  async call<Route extends keyof ControlApi>(
    route: Route,
    input: {
      body?: ControlApi[Route]['body']
      query?: ControlApi[Route]['query']
      params?: ControlApi[Route]['params']
    } = {},
  ): Promise<ControlApi[Route]['answer']> {
    const [method = '', template = ''] = route.split(' ')
    const params: Record<string, unknown> = { ...(input.params as object | undefined) }
    const path = template.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])))
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...input.query })) {
      if (value !== undefined) query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const search = query.size === 0 ? '' : `?${query.toString()}`
    const body = input.body === undefined ? undefined : JSON.stringify(input.body)
    const { status, text } = await this.#send({
      method,
      path: `${paths.control}${path}${search}`,
      headers: {
        // Some calls have pages for browsers.
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
    })
    if (status !== 200) throw new MockRefusal(status, reasonIn(text))
    return JSON.parse(text) as ControlApi[Route]['answer']
  }

  /** Goes back to the seed data. */
  async reset(): Promise<void> {
    await this.call('POST /reset')
  }

  /** Sets up these scenarios together, instead of those before; none ends them. */
  async scenario(...names: ControlApi['POST /scenarios']['body']['names']): Promise<void> {
    await this.call('POST /scenarios', { body: { names } })
  }

  /** Adds a fault. Returns a function that removes it. */
  async fault(rule: ControlApi['POST /faults']['body']): Promise<() => Promise<void>> {
    const { id } = await this.call('POST /faults', { body: rule })
    return async () => {
      await this.call('DELETE /faults/:id', { params: { id } })
    }
  }

  /** Moves the clock by seconds, or to a time. */
  async clock(change: number | Date): Promise<void> {
    const body = typeof change === 'number' ? { advanceSeconds: change } : { now: change.toISOString() }
    await this.call('POST /clock', { body })
  }

  /** Logs in without a browser. */
  logIn(login?: ControlApi['POST /tokens']['body']): Promise<ControlApi['POST /tokens']['answer']> {
    return this.call('POST /tokens', { body: login })
  }

  /** Returns the requests in the journal, newest last. */
  requests(
    filter: ControlApi['GET /requests']['query'] = {},
  ): Promise<ControlApi['GET /requests']['answer']> {
    return this.call('GET /requests', { query: filter })
  }

  /** Expects requests: `await mock.expectRequest({ path: '/info.json' }).times(1)`. */
  expectRequest(match: RequestMatch): RequestExpectation {
    const verify = async (times: Verification['times']) => {
      await this.call('POST /verify', { body: { match, times } })
    }
    return {
      times: (count) => verify(count),
      never: () => verify(0),
      atLeast: (count) => verify({ atLeast: count }),
      atMost: (count) => verify({ atMost: count }),
    }
  }

  /** Expects requests one after the other, with any others between. Rejects with what came nearest to the missing one. */
  async expectInOrder(matches: readonly RequestMatch[]): Promise<void> {
    await this.call('POST /verify', { body: { inOrder: matches.map((match) => ({ match })) } })
  }

  /** Waits until a request has come, at most this long. Rejects with the nearest misses. */
  async waitFor(match: RequestMatch, options: { timeoutMs?: number } = {}): Promise<void> {
    await this.call('POST /verify', { body: { match, withinMs: options.timeoutMs ?? 5000 } })
  }

  /**
   * Creates an isolated world in this server, with a state, a clock, faults and a journal of its own, and with `port` on a
   * port of its own.
   */
  async world(name?: string, options: { port?: boolean } = {}): Promise<MockWorld> {
    const created = await this.call('POST /worlds', { body: { name, ...options } })
    // The world is an address of the server, whichever world created it.
    const inWorld: SendControlCall = ({ path, ...rest }) =>
      this.#send({ ...rest, path: `/_world/${created.world}${path}` })
    return new MockWorld(created, inWorld)
  }
}

/** A world of a mock. */
export class MockWorld extends MockClient {
  readonly name: string
  /** The signed lists of servers and organizations, and the key that clients must trust. */
  readonly discovery: { url: string; key: string }

  constructor(created: ControlApi['POST /worlds']['answer'], send: SendControlCall) {
    super(created.origin, send)
    this.name = created.world
    this.discovery = created.discovery
  }

  /** Deletes the world. */
  async close(): Promise<void> {
    await this.call('DELETE /worlds/:name', { params: { name: this.name } })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The parts of fetch that the client uses. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body: string | undefined },
) => Promise<{ status: number; text(): Promise<string> }>

/** Returns a client of a mock that runs elsewhere, such as `http://127.0.0.1:5006`. */
export function connectToMock(origin: string, options: { fetch?: Fetch } = {}): MockClient {
  const base = origin.replace(/\/$/, '')
  const send = options.fetch ?? fetch
  return new MockClient(base, async ({ method, path, headers, body }) => {
    const answer = await send(`${base}${path}`, { method, headers, body })
    return { status: answer.status, text: await answer.text() }
  })
}
