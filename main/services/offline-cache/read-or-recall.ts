import { CausewayError, hasCode } from '../../errors'
import type { HttpClient } from '../../platform/http/http-client'
import { recordingHttp, replayingHttp } from './offline-http'
import type { OfflineStore } from './offline-store'

/** An answer of now; or one that was seen before, because the service could not be reached. */
export type Seen<T> =
  | { readonly data: T; readonly seenAt?: undefined }
  | {
      readonly data: T
      /** Milliseconds since the epoch. */
      readonly seenAt: number
      /** Why it is not one of now. */
      readonly because: CausewayError
    }

/** Answers of gateways about a service that does not answer them. */
const gatewayStatuses = [502, 503, 504]

/** Whether an error says that nobody who could answer was reached; a refusal is an answer. */
export function isOutOfReach(error: unknown): error is CausewayError {
  if (hasCode(error, 'http/unreachable', 'http/timed-out')) return true
  const status = error instanceof CausewayError ? error.details?.status : undefined
  return typeof status === 'number' && gatewayStatuses.includes(status)
}

/**
 * Reads from a service of an instance and keeps the answer; where the service cannot be reached, reads what it answered last
 * time instead, through the same code. `again` makes the same read with another HttpClient, which asks nobody. Throws
 * what `read` throws.
 */
export async function readOrRecall<T>(
  options: { readonly http: HttpClient; readonly store: OfflineStore; readonly instanceId: string },
  read: (http: HttpClient) => Promise<T>,
  again: (http: HttpClient) => Promise<T> = read,
): Promise<Seen<T>> {
  const { http, store, instanceId } = options
  const recording = recordingHttp(http, store, instanceId)
  try {
    const data = await read(recording)
    recording.keep()
    return { data }
  } catch (because) {
    if (!isOutOfReach(because)) throw because
    const replaying = replayingHttp(store, instanceId)
    let data: T
    try {
      data = await again(replaying)
    } catch (error) {
      if (error instanceof CausewayError) throw because
      throw error
    }
    // Nothing was asked for, so nothing of it is old.
    return replaying.seenAt === undefined ? { data } : { data, seenAt: replaying.seenAt, because }
  }
}

/** What crosses to the window of a read: its data, and where that is old its age and the host that could not be reached. */
export function answerOf<T>(seen: Seen<T>): {
  readonly data: T
  readonly seenAt?: number
  readonly host?: string
} {
  const { data } = seen
  if (seen.seenAt === undefined) return { data }
  const host = seen.because.details?.host
  return { data, seenAt: seen.seenAt, ...(typeof host === 'string' ? { host } : {}) }
}
