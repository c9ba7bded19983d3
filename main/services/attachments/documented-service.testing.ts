import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Behavior that the document leaves open or forbids. */
export interface Behaviour {
  oldestFirst: boolean
  /** Number of lists that do not show attachments created from now on. */
  listsBehind: number
  /** Answers 400 to undocumented parameters and fields. */
  strict: boolean
  /** Maximum page size. */
  fixedPage: number | undefined
  /** Records at the beginning of each list. */
  badRecords: readonly unknown[]
  /** Number of uploads to answer 403 after their head, closing the connection. */
  earlyRefusals: number
  /** Refuses uploads that have a `Content-Type` with this answer. */
  typeRefusal: { readonly status: number; readonly text: string } | undefined
  /** Creates the same attachment for another author at the same time, listed at once. */
  sameElsewhere: boolean
  /** Uses one path for all uploads, with different queries. */
  onePath: boolean
  /** Answers the next write with this status after performing it. */
  lostAnswer: number | undefined
  /** Answers every call with this refusal. */
  refusal: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

interface Entry {
  readonly id: string
  readonly userId: string
  readonly type: string
  url: string
  status: string
  title: string
  description?: string
  extension?: string | undefined
  videos: readonly string[]
  modules: readonly string[]
}
type Json = Readonly<Record<string, unknown>>

const listParameters = ['pageSize', 'page', 'userId', 'videos', 'modules']
const baseFields = ['type', 'title', 'description', 'extension', 'url']

/**
 * An attachments service with its object storage, written from attachments-service.md alone, without the mock server.
 * Callers without `x-user-id` are `caller`.
 */
export class DocumentedService {
  readonly entries: Entry[] = []
  /** Each call as `METHOD path?query`, below the base address; uploads as `PUT id`. */
  readonly calls: string[] = []
  readonly bodies: Json[] = []
  /** The callers, as `x-user-id x-user-roles`. */
  readonly callers = new Set<string>()
  /** Contents by attachment id. */
  readonly files = new Map<string, string>()
  readonly behaviour: Behaviour = {
    oldestFirst: false,
    listsBehind: 0,
    strict: false,
    fixedPage: undefined,
    badRecords: [],
    earlyRefusals: 0,
    typeRefusal: undefined,
    sameElsewhere: false,
    onePath: false,
    lostAnswer: undefined,
    refusal: undefined,
  }
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response)
  })
  #hidden = new Set<string>()
  #signature = 0
  #count = 0

  static async start(behaviour: Partial<Behaviour> = {}): Promise<DocumentedService> {
    const service = new DocumentedService()
    Object.assign(service.behaviour, behaviour)
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The document's base address. */
  get attachments(): string {
    return `${this.origin}/v2.0.0`
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  /** Adds an attachment as another client would. */
  add(entry: Partial<Entry> = {}): Entry {
    this.#count += 1
    const id = entry.id ?? `a-${this.#count}`
    const added: Entry = {
      id,
      userId: 'someone-else',
      type: 'INTERNAL',
      status: 'IN_PROGRESS',
      title: 'Notes',
      extension: 'txt',
      videos: [],
      modules: [],
      url: this.#sign(id),
      ...entry,
    }
    this.entries.push(added)
    return added
  }

  /** Expires all pre-signed addresses so far. */
  expire(): void {
    this.#signature += 1
  }

  #sign(id: string): string {
    const signed = `signature=${this.#signature}`
    return this.behaviour.onePath
      ? `${this.origin}/bucket?key=${id}&${signed}`
      : `${this.origin}/bucket/${id}?${signed}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, this.origin)
    if (pathname.startsWith('/bucket')) {
      const id = searchParams.get('key') ?? pathname.slice('/bucket/'.length)
      await this.#store(id, searchParams.get('signature') ?? '', request, response)
      return
    }
    const path = pathname.slice('/v2.0.0'.length)
    this.calls.push(`${method} ${path}${new URL(url, this.origin).search}`)
    const [id, roles] = [request.headers['x-user-id'], request.headers['x-user-roles']].map(String)
    this.callers.add([id, roles].join(' '))
    const body = JSON.parse((await text(request)) || '{}') as Json
    if (method === 'POST' || method === 'PATCH') this.bodies.push(body)
    const { refusal } = this.behaviour
    const [status, answer, headers] =
      refusal === undefined
        ? this.#call(method, path, searchParams, body, String(request.headers['x-user-id'] ?? 'caller'))
        : [refusal.status, { message: 'refused' }, refusal.headers]
    const lost = method === 'POST' || method === 'PATCH' ? this.behaviour.lostAnswer : undefined
    if (lost !== undefined) this.behaviour.lostAnswer = undefined
    response.writeHead(lost ?? status, { 'content-type': 'application/json', ...headers })
    response.end(answer === undefined ? '' : JSON.stringify(answer))
  }

  #call(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Json,
    userId: string,
  ): readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>] {
    const videoId = path.startsWith('/attachments/video/')
      ? path.slice('/attachments/video/'.length)
      : undefined
    const isList = method === 'GET' && path === '/attachments/'
    const unknown = [
      ...[...query.keys()].filter((name) => !isList || !listParameters.includes(name)),
      ...Object.keys(body).filter((name) => !baseFields.includes(name)),
    ]
    if (this.behaviour.strict && unknown.length > 0) {
      return [400, { message: unknown.map((name) => `property ${name} should not exist`) }]
    }
    if (isList) return [200, this.#list(query)]
    if (videoId !== undefined) {
      const data = this.entries.filter(({ videos }) => videos.includes(decodeURIComponent(videoId)))
      return [200, { data: this.#page(data), totalCount: data.length }]
    }
    if (method === 'POST') return this.#create(body, userId)
    const entry = this.entries.find(({ id }) => path === `/attachments/${id}`)
    if (entry === undefined) return [404, { message: 'not found' }]
    if (method === 'GET') return entry.status === 'COMPLETED' ? [200, entry] : [404, { message: 'not found' }]
    if (method === 'DELETE') {
      this.entries.splice(this.entries.indexOf(entry), 1)
      return [204]
    }
    return this.#patch(entry, body)
  }

  #list(query: URLSearchParams): unknown {
    const { oldestFirst, badRecords } = this.behaviour
    const behind = this.behaviour.listsBehind > 0
    if (behind) this.behaviour.listsBehind -= 1
    else this.#hidden.clear()
    const [userId, videos, modules] = [query.get('userId'), query.getAll('videos'), query.getAll('modules')]
    const found = this.entries.filter(
      (entry) =>
        !this.#hidden.has(entry.id) &&
        (userId === null || entry.userId === userId) &&
        (videos.length === 0 || entry.videos.some((id) => videos.includes(id))) &&
        (modules.length === 0 || entry.modules.some((id) => modules.includes(id))),
    )
    const all = [...badRecords, ...(oldestFirst ? found : found.toReversed())]
    const size = Math.min(Number(query.get('pageSize') ?? 10), this.behaviour.fixedPage ?? Infinity)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    return { data: all.slice(start, start + size), totalCount: all.length }
  }

  #page(found: readonly unknown[]): readonly unknown[] {
    return [...this.behaviour.badRecords, ...found].slice(0, this.behaviour.fixedPage)
  }

  #create(body: Json, userId: string): readonly [number, unknown] {
    const { type = '', ...rest } = body as Partial<Entry>
    const entry =
      type === 'EXTERNAL'
        ? this.add({
            videos: [],
            modules: [],
            ...rest,
            userId,
            type,
            status: 'COMPLETED',
            extension: undefined,
          })
        : this.add({ ...rest, userId, type })
    if (this.behaviour.listsBehind > 0) this.#hidden.add(entry.id)
    if (this.behaviour.sameElsewhere) this.add({ ...rest, id: `${entry.id}-elsewhere`, url: this.#sign('x') })
    return [201, type === 'EXTERNAL' ? entry : { url: entry.url }]
  }

  #patch(entry: Entry, { type, ...rest }: Json): readonly [number, unknown] {
    const isUpload = type === 'INTERNAL' && rest.extension !== undefined
    Object.assign(entry, rest, isUpload ? { type, status: 'IN_PROGRESS', url: this.#sign(entry.id) } : {})
    return [200, isUpload ? { url: entry.url } : entry]
  }

  async #store(
    id: string,
    signature: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const entry = this.entries.find((one) => one.id === id)
    if (request.method === 'GET') {
      response.end(this.files.get(id))
      return
    }
    this.calls.push(`PUT ${id}`)
    if (this.behaviour.earlyRefusals > 0) {
      this.behaviour.earlyRefusals -= 1
      response.writeHead(403, { connection: 'close' })
      response.end('<Error><Code>AccessDenied</Code></Error>', () => request.socket.destroy())
      return
    }
    const content = await text(request)
    const { typeRefusal } = this.behaviour
    if (typeRefusal !== undefined && request.headers['content-type'] !== undefined) {
      response.writeHead(typeRefusal.status).end(typeRefusal.text)
      return
    }
    const isExpired = signature !== String(this.#signature) || entry === undefined
    if (!isExpired) {
      this.files.set(id, content)
      Object.assign(entry, { status: 'COMPLETED' })
    }
    response.writeHead(isExpired ? 403 : 200).end()
  }
}

async function text(request: IncomingMessage): Promise<string> {
  let all = ''
  try {
    for await (const chunk of request) all += String(chunk)
  } catch {
    // The client closed the connection.
  }
  return all
}
