import { parametersOf } from '../http/parameters'
import type { FaultRule } from './faults'

const mostRecordings = 500
const mostBodyBytes = 64 * 1024
const mostHeaders = 50
const mostHeaderCharacters = 8192
const mostParameters = 20
/** Headers that belong to one answer or one connection. */
const unrecorded = new Set(['date', 'set-cookie', 'age', 'alt-svc', 'strict-transport-security', 'via'])

/** An answer of the upstream server. */
export interface UpstreamAnswer {
  status: number
  headers: readonly (readonly [string, string])[]
  body: Buffer
}

/** A recorded answer as a stub, in the form of `POST /_mock/faults`. */
export type Recording = Pick<FaultRule, 'match' | 'fault'>

/** Returns a body as JSON or text; undefined for other bytes and long bodies. */
function recordedBody(body: Buffer, contentType: string): { body?: unknown } | undefined {
  if (body.length === 0) return {}
  if (body.length > mostBodyBytes) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
  if (!/\bjson\b/i.test(contentType)) return { body: text }
  try {
    const json: unknown = JSON.parse(text)
    // A JSON text alone would be sent without its quotes.
    return { body: typeof json === 'string' ? text : json }
  } catch {
    return { body: text }
  }
}

/** The recorded answers of the upstream server, oldest first. */
export class Recordings {
  readonly #kept = new Map<string, Recording>()

  get all(): Recording[] {
    return [...this.#kept.values()]
  }

  clear(): void {
    this.#kept.clear()
  }

  /** Records an answer in place of the one before to the same request. Returns false if it can't be a stub. */
  add(request: { method: string; path: string; query: string }, answer: UpstreamAnswer): boolean {
    const contentType = answer.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
    const body = recordedBody(answer.body, contentType)
    if (body === undefined) return false
    const query = Object.fromEntries(
      Object.entries(parametersOf(request.query))
        .flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
        .slice(0, mostParameters),
    )
    const headers = Object.fromEntries(
      answer.headers
        .filter(([name, value]) => !unrecorded.has(name) && value.length <= mostHeaderCharacters)
        .slice(0, mostHeaders),
    )
    const key = `${request.method} ${request.path}?${request.query}`
    this.#kept.delete(key)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size >= mostRecordings && oldest.done !== true) this.#kept.delete(oldest.value)
    this.#kept.set(key, {
      match: {
        method: request.method,
        path: request.path,
        ...(Object.keys(query).length === 0 ? {} : { query }),
      },
      fault: { status: answer.status, headers, ...body },
    })
    return true
  }
}
