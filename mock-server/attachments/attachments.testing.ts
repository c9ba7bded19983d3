import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { TestClient } from '../test-client'
import type { Attachment } from './attachment'

export interface Page {
  data: Attachment[]
  totalCount: number
}
export interface Refusal {
  statusCode: number
  message: string
  error: string
}
export interface Uploads {
  switches: Record<string, unknown>
  queued: { attachmentId: string; messageId: string; dueAt: string; failures: number }[]
  deliveries: { attachmentId: string; messageId: string; outcome: string; note: string }[]
}

type Answer<T> = Promise<{ status: number; body: T }>

export function as(userId: string, roles: string): Record<string, string> {
  return { 'x-user-id': userId, 'x-user-roles': roles }
}

export const anna = as('anna', 'CONTRIBUTOR')
export const link = { type: 'EXTERNAL', title: 'A link', url: 'https://www.example.org/a' }

/** Client of the attachments service for tests, over real sockets, with a clock that only tests move. */
export class TestAttachments {
  readonly server: MockServer
  readonly #client: TestClient

  constructor(server: MockServer) {
    this.server = server
    this.#client = new TestClient(server)
  }

  static async start(options: MockServerOptions = {}): Promise<TestAttachments> {
    const now = new Date('2026-11-20T12:00:00Z')
    return new TestAttachments(await createMockServer({ clock: { now: () => now }, ...options }))
  }

  async call<T = Refusal>(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: unknown } = {},
  ): Answer<T> {
    const { headers = {}, body } = options
    const response = await fetch(`${this.server.attachments}/attachments${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  /** Creates an attachment, as anna by default, and returns the answer. */
  async create<T = Attachment>(body: unknown, headers = anna): Promise<T> {
    const answer = await this.call<T | Refusal>('POST', '/', { headers, body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer))
    return answer.body as T
  }

  /** Makes a request that must be refused with this status, as anna by default, and returns the message. */
  async refused(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    headers = anna,
  ): Promise<string> {
    const answer = await this.call(method, path, { headers, body })
    if (answer.status !== status || answer.body.statusCode !== status) throw new Error(JSON.stringify(answer))
    return answer.body.message
  }

  async list(query = '', headers: Record<string, string> = {}): Promise<Page> {
    return (await this.call<Page>('GET', `/${query}`, { headers })).body
  }

  /** Returns the first attachment that matches. */
  async one(wanted: (attachment: Attachment) => boolean): Promise<Attachment> {
    const found = (await this.list('?pageSize=100')).data.find(wanted)
    if (found === undefined) throw new Error('the seed has no such attachment')
    return found
  }

  get(id: string, headers: Record<string, string> = {}): Answer<Attachment> {
    return this.call<Attachment>('GET', `/${id}`, { headers })
  }

  /** Announces a text file; returns its id and upload URL. */
  async announce(headers: Record<string, string> = {}): Promise<{ id: string; url: string }> {
    const title = `Announced at ${performance.now()}`
    const body = { type: 'INTERNAL', title, extension: 'txt' }
    const { url } = (await this.call<{ url: string }>('POST', '/', { headers, body })).body
    return { id: (await this.one((attachment) => attachment.title === title)).id, url }
  }

  /** Announces a text file and uploads it; returns its id. */
  async upload(content: string): Promise<string> {
    const { id, url } = await this.announce()
    const response = await fetch(url, { method: 'PUT', body: content })
    if (response.status !== 200) throw new Error(await response.text())
    return id
  }

  async control<T = { error: string }>(method: string, path: string, body?: unknown): Answer<T> {
    const response = await this.#client.control(method, path, body)
    return { status: response.status, body: (await response.json()) as T }
  }

  async uploads(): Promise<Uploads> {
    return (await this.control<Uploads>('GET', '/uploads')).body
  }

  async advance(seconds: number): Promise<void> {
    await this.control('POST', '/clock', { advanceSeconds: seconds })
  }
}
