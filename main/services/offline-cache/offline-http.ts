import { CausewayError } from '../../errors'
import type { HttpClient, HttpRequest } from '../../platform/http/http-client'
import { nameOfRead } from './answer-path'
import type { OfflineStore } from './offline-store'

/** Statuses after which an earlier answer must not be shown any more. */
const goneStatuses = [403, 404, 410]

/** An HttpClient that records the answers of its GETs. */
interface RecordingHttp extends HttpClient {
  /** Stores the successful ones. */
  keep(): void
  /**
   * Deletes the stored answers of those that ended with 401. Not to be called if the service is out of reach in the end:
   * the token may only have needed the refresh that failed.
   */
  forgetRefused(): Promise<void>
}

/**
 * Creates an HttpClient that records answers. Answers of different users of one address are kept apart; answers other than
 * JSON are not stored (offline-store.ts).
 */
export function recordingHttp(http: HttpClient, store: OfflineStore, instanceId: string): RecordingHttp {
  const answers = new Map<string, string>()
  const refused = new Set<string>()
  const generation = store.generation(instanceId)
  const since = store.lastForget()
  return {
    send: async (url, request = {}) => {
      const response = await http.send(url, request)
      if (!isRead(request)) return response
      const name = nameOfRead(url, request.headers)
      if (response.status === 200) answers.set(name, response.text)
      else if (response.status === 401) refused.add(name)
      else if (goneStatuses.includes(response.status)) await store.forget(instanceId, name)
      return response
    },
    keep: () => {
      if (store.generation(instanceId) !== generation) return
      for (const [name, text] of answers) store.remember(instanceId, name, text, { since })
    },
    forgetRefused: async () => {
      for (const name of refused) if (!answers.has(name)) await store.forget(instanceId, name)
    },
  }
}

/** An HttpClient that sends no request. */
interface CachedHttp extends HttpClient {
  /** Age of the oldest answer so far, in milliseconds since the epoch. */
  readonly cachedAt: number | undefined
}

/** Creates an HttpClient that answers from the store. Throws `http/unreachable` for answers that are not stored. */
export function cachedHttp(store: OfflineStore, instanceId: string): CachedHttp {
  let cachedAt: number | undefined
  return {
    get cachedAt() {
      return cachedAt
    },
    send: async (url, request = {}) => {
      const stored = isRead(request)
        ? await store.find(instanceId, nameOfRead(url, request.headers))
        : undefined
      if (stored === undefined)
        throw new CausewayError('http/unreachable', { details: { host: url.host, reason: 'never-seen' } })
      cachedAt = Math.min(cachedAt ?? stored.cachedAt, stored.cachedAt)
      const headers = new Headers({ 'content-type': 'application/json' })
      return { url, status: 200, headers, text: stored.json }
    },
  }
}

function isRead({ method = 'GET' }: HttpRequest): boolean {
  return method === 'GET'
}
