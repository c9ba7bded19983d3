import { createMockServer, type MockServer, type MockServerOptions } from '../server'

export interface Answer {
  status: number
  body: unknown
  headers: Headers
}

/** Client of a mock whose clock stands still. */
export class TestOrganizations {
  readonly server: MockServer

  private constructor(server: MockServer) {
    this.server = server
  }

  static async start(options: MockServerOptions = {}): Promise<TestOrganizations> {
    const now = new Date('2026-11-20T12:00:00Z')
    return new TestOrganizations(await createMockServer({ clock: { now: () => now }, ...options }))
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${this.server.origin}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: text }),
    })
    const answer = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      body: isJson ? (JSON.parse(answer) as unknown) : answer,
      headers: response.headers,
    }
  }

  /** Returns only status and body, for comparisons. */
  async answer(method: string, path: string, body?: unknown): Promise<[number, unknown]> {
    const answer = await this.call(method, path, body)
    return [answer.status, answer.body]
  }

  /** Returns the roles of the users of an organization by user id. */
  async roles(path: string): Promise<Record<number, string>> {
    const { body } = await this.call('GET', `${path}/users`)
    return Object.fromEntries(
      (body as { userId: number; role: string }[]).map(({ userId, role }) => [userId, role]),
    )
  }

  /** Creates an organization and returns its id. */
  async create(name: string): Promise<number> {
    const { body } = await this.call('POST', '/api/orgs', { name })
    return (body as { orgId: number }).orgId
  }

  reset(): Promise<Answer> {
    return this.call('POST', '/_mock/reset')
  }

  scenario(name: string): Promise<Answer> {
    return this.call('POST', `/_mock/scenarios/${name}`)
  }

  close(): Promise<void> {
    return this.server.close()
  }
}
