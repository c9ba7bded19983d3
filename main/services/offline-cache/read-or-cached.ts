import { CausewayError, hasCode } from '../../errors'
import type { HttpClient } from '../../platform/http/http-client'
import { recordingHttp, cachedHttp } from './offline-http'
import type { OfflineStore } from './offline-store'

/** A current answer, or a stored one because the service is unreachable. */
export type MaybeCached<T> =
  | { readonly data: T; readonly cachedAt?: undefined }
  | {
      readonly data: T
      /** Milliseconds since the epoch. */
      readonly cachedAt: number
      /** Reason why no current answer is available. */
      readonly because: CausewayError
    }

/** The network or its proxy lets nothing through. */
const notReached = [
  'http/unreachable',
  'http/timed-out',
  'http/proxy-authentication',
  'http/proxy-timed-out',
  'network/captive-portal',
] as const
/** Statuses of gateways whose service does not answer. */
const gatewayStatuses = [502, 503, 504]

/** Returns true if the service was not reached; a refusal is an answer. */
export function isOutOfReach(error: unknown): error is CausewayError {
  if (hasCode(error, ...notReached)) return true
  const status = error instanceof CausewayError ? error.details?.status : undefined
  return typeof status === 'number' && gatewayStatuses.includes(status)
}

/**
 * Reads from a service of an instance and stores the answers; if the service is unreachable, reads the stored answers with
 * the same code. `again` repeats the read with an HttpClient that sends no request. Throws the errors of `read`.
 */
export async function readOrCached<T>(
  options: { readonly http: HttpClient; readonly store: OfflineStore; readonly instanceId: string },
  read: (http: HttpClient) => Promise<T>,
  again: (http: HttpClient) => Promise<T> = read,
): Promise<MaybeCached<T>> {
  const { http, store, instanceId } = options
  const recording = recordingHttp(http, store, instanceId)
  try {
    const data = await read(recording)
    await recording.forgetRefused()
    recording.keep()
    return { data }
  } catch (because) {
    if (!isOutOfReach(because)) {
      await recording.forgetRefused()
      throw because
    }
    const fromCache = cachedHttp(store, instanceId)
    let data: T
    try {
      data = await again(fromCache)
    } catch (error) {
      if (error instanceof CausewayError) throw because
      throw error
    }
    // The read sent no request, so its data is current.
    return fromCache.cachedAt === undefined ? { data } : { data, cachedAt: fromCache.cachedAt, because }
  }
}

/** Reads the stored answers of a service; returns undefined if they aren't all stored. Sends no request. */
export async function readCached<T>(
  { store, instanceId }: { readonly store: OfflineStore; readonly instanceId: string },
  read: (http: HttpClient) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read(cachedHttp(store, instanceId))
  } catch (error) {
    if (error instanceof CausewayError) return undefined
    throw error
  }
}

/** Returns the answer for the window: the data, and for stored data its age and the unreachable host. */
export function answerOf<T>(seen: MaybeCached<T>): {
  readonly data: T
  readonly cachedAt?: number
  readonly host?: string
} {
  const { data } = seen
  if (seen.cachedAt === undefined) return { data }
  const host = seen.because.details?.host
  return { data, cachedAt: seen.cachedAt, host: typeof host === 'string' ? host : undefined }
}
