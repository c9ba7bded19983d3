import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { z } from 'zod'

const listening = z.object({
  event: z.literal('listening'),
  origin: z.url(),
  instance: z.url(),
  control: z.url(),
  discovery: z.object({ url: z.url(), key: z.string() }),
})
const tunnelStatus = z.object({
  mode: z.enum(['none', 'handshake', 'full']),
  pingAddress: z.string().optional(),
})
const journal = z.array(
  z.object({
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.unknown()),
    body: z.string().nullable(),
  }),
)

export type JournalEntry = z.infer<typeof journal>[number]

/** `npm test` bundles it, because starting from source takes twice the processor time. */
const { TEST_MOCK_SERVER: bundled } = process.env
const program = bundled === undefined ? ['--import', 'tsx', 'mock-server/cli.ts'] : [bundled]

/** The mock server in its own process. */
export class MockServer {
  /** Address of its instance, as a user types it. */
  readonly instance: string
  readonly origin: string
  /** The address and key of its lists of organizations, as options of the app. */
  readonly lists: Readonly<Record<'CAUSEWAY_DISCOVERY' | 'CAUSEWAY_DISCOVERY_KEY', string>>
  /** Host and port: the app's name for the instance, also in the key store. */
  readonly host: string
  readonly tunnel: z.infer<typeof tunnelStatus>
  /** Ends the process and its children. */
  readonly stop: () => Promise<void>
  readonly #control: string

  private constructor(
    { origin, instance, control, discovery }: z.infer<typeof listening>,
    tunnel: z.infer<typeof tunnelStatus>,
    stop: () => Promise<void>,
  ) {
    this.origin = origin
    this.lists = { CAUSEWAY_DISCOVERY: discovery.url, CAUSEWAY_DISCOVERY_KEY: discovery.key }
    this.instance = instance
    this.host = new URL(origin).host
    this.tunnel = tunnel
    this.stop = stop
    this.#control = control
  }

  /**
   * Starts a mock server, which speaks https with a certificate that this test run trusts, by default with a real OpenVPN; a
   * `port` of 0 chooses a free one.
   */
  static async start(port: number, more: readonly string[] = ['--tunnel', 'openvpn']): Promise<MockServer> {
    const { NODE_EXTRA_CA_CERTS: ca = '', TEST_AUTHORITY_KEY: caKey = '' } = process.env
    const secure = ['--tls-ca', ca, '--tls-ca-key', caKey]
    const args = ['--port', String(port), '--json', ...secure, ...more]
    const server = execa(process.execPath, [...program, ...args], {
      stdin: 'ignore',
      stderr: 'inherit',
      reject: false,
      buffer: false,
    })
    const stop = async (): Promise<void> => {
      server.kill('SIGTERM')
      await server
    }
    const lines = createInterface({ input: server.stdout })
    const first = await Promise.race([once(lines, 'line'), server.then(() => undefined)])
    if (first === undefined) throw new Error('The mock server ended before it was ready.')
    const addresses = listening.parse(JSON.parse(String(first[0])))
    const answer = await fetch(`${addresses.control}/tunnel`)
    return new MockServer(addresses, tunnelStatus.parse(await answer.json()), stop)
  }

  /** Makes a control call (docs/mock-control.md). */
  async control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', call: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.#control}/${call}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const json: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${call} was refused: ${JSON.stringify(json)}`)
    return json
  }

  /** Returns the requests since the last reset, oldest first. */
  async requests(): Promise<JournalEntry[]> {
    return journal.parse(await this.control('GET', 'requests'))
  }

  /** Counts the requests with this method and path. */
  async count(method: string, path: string): Promise<number> {
    const requests = await this.requests()
    return requests.filter((request) => request.method === method && request.path === path).length
  }

  /** Returns the grant types of the token requests, oldest first. */
  async grants(): Promise<(string | null)[]> {
    const requests = await this.requests()
    return requests
      .filter(({ method, path }) => method === 'POST' && path === '/oauth/token')
      .map(({ body }) => new URLSearchParams(body ?? '').get('grant_type'))
  }

  /** Makes all responses for this path fail in this way. */
  async fault(path: string, fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.control('POST', 'faults', { match: { path }, fault })
  }
}
