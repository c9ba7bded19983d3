import { z } from 'zod'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { entrySchema, errorSchema, type Entry } from './answer-schemas'

/** Time of the mock in content tests. */
export const testNow = new Date('2026-11-20T12:00:00Z')

const entries = z.array(entrySchema)

/** Client of a mock's content API that checks that answers have exactly the fields of their schema. */
export class TestContent {
  readonly server: MockServer
  constructor(server: MockServer) {
    this.server = server
  }

  static async start(options: MockServerOptions = {}): Promise<TestContent> {
    return new TestContent(await createMockServer({ clock: { now: () => testNow }, ...options }))
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.server.content}${path}`, init)
  }

  async json(path: string): Promise<unknown> {
    return (await this.fetch(path)).json()
  }

  /** Returns the answer to a call that must succeed and match the schema exactly. */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const response = await this.fetch(path)
    const body: unknown = await response.json()
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`)
    const parsed = schema.parse(body)
    if (JSON.stringify(parsed) !== JSON.stringify(body)) {
      throw new Error(`${path} has fields, or an order of them, that its schema does not know`)
    }
    return parsed
  }

  entries(path: string): Promise<Entry[]> {
    return this.get(path, entries)
  }

  async ids(path: string): Promise<number[]> {
    return (await this.entries(path)).map(({ id }) => id)
  }

  /** Returns status and message of a call that must be refused with the error object. */
  async refusal(path: string, init: RequestInit = {}): Promise<[status: number, message: string]> {
    const response = await this.fetch(path, init)
    const { error } = errorSchema.parse(await response.json())
    if (error.code !== response.status)
      throw new Error(`${path}: code ${error.code}, status ${response.status}`)
    return [response.status, error.message]
  }

  control(method: string, path: string, body?: unknown): Promise<Response> {
    return this.fetch(`/_mock${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  }

  async scenario(name: string): Promise<void> {
    const response = await this.control('POST', `/scenarios/${name}`)
    if (!response.ok) throw new Error(`Scenario ${name}: ${response.status}`)
  }
}
