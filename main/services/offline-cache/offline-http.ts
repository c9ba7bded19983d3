import { CausewayError } from '../../errors'
import type { HttpClient, HttpRequest } from '../../platform/http/http-client'
import type { OfflineStore } from './offline-store'

/** Statuses after which what was seen before is not to be shown any more. */
const goneStatuses = [401, 403, 404, 410]

/** An HttpClient that notes the good answers of its GETs, to be kept once all of a call went well. */
export interface RecordingHttp extends HttpClient {
  keep(): void
}

/** Answers without JSON are not kept (seen-store.ts), and what another user of the same address is answered not mixed up. */
export function recordingHttp(http: HttpClient, store: OfflineStore, instanceId: string): RecordingHttp {
  const answers = new Map<string, string>()
  const generation = store.generation(instanceId)
  return {
    send: async (url, request = {}) => {
      const response = await http.send(url, request)
      if (!isRead(request)) return response
      const name = nameOf(url, request)
      if (response.status === 200) answers.set(name, response.text)
      else if (goneStatuses.includes(response.status)) await store.forget(instanceId, name)
      return response
    },
    keep: () => {
      if (store.generation(instanceId) !== generation) return
      for (const [name, text] of answers) store.remember(instanceId, name, text)
    },
  }
}

/** An HttpClient that asks nobody. */
export interface ReplayingHttp extends HttpClient {
  /** When the oldest of its answers was seen, in milliseconds since the epoch; undefined before any. */
  readonly seenAt: number | undefined
}

/** Answers with what was seen. Throws `http/unreachable` where nothing was. */
export function replayingHttp(store: OfflineStore, instanceId: string): ReplayingHttp {
  let seenAt: number | undefined
  return {
    get seenAt() {
      return seenAt
    },
    send: async (url, request = {}) => {
      const recalled = isRead(request) ? await store.recall(instanceId, nameOf(url, request)) : undefined
      if (recalled === undefined) throw neverSeen(url)
      seenAt = Math.min(seenAt ?? recalled.seenAt, recalled.seenAt)
      const headers = new Headers({ 'content-type': 'application/json' })
      return { url, status: 200, headers, text: recalled.json }
    },
  }
}

function isRead({ method = 'GET' }: HttpRequest): boolean {
  return method === 'GET'
}

/** The question without credentials, but with who asks where the request says so itself. */
function nameOf(url: URL, { headers = {} }: HttpRequest): string {
  const who = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name === 'x-user-id' || name === 'x-user-roles')
    .sort()
  return JSON.stringify([url.href, ...who])
}

function neverSeen(url: URL): CausewayError {
  return new CausewayError(
    'http/unreachable',
    `${url.host} couldn't be reached, and there is no earlier data to show. Try again later.`,
    { details: { host: url.host, reason: 'never-seen' } },
  )
}
