import { isIP } from 'node:net'
import type { FindingItem } from '../../../contract/doctor'
import { CausewayError, hasCode } from '../../errors'
import { hostOf } from '../../platform/http/dial'
import type { HttpClient } from '../../platform/http/http-client'
import type { Transport } from '../../platform/http/transport'
import { clockAhead, toleranceMs } from '../../platform/clock/wrong-clock'
import type { Endpoints, Instance } from '../../portal/instance/instance'
import { errorFinding } from './error-finding'

export interface PortalDoctorOptions {
  readonly instance: Pick<Instance, 'id' | 'address'>
  readonly transport: () => Promise<Pick<Transport, 'requireReachable' | 'proxyFor'>>
  readonly http: HttpClient
  /** Returns the addresses of a name. */
  readonly lookup: (host: string) => Promise<readonly string[]>
  /** Asks the service for its endpoints. */
  readonly endpoints: () => Promise<Pick<Endpoints, 'apiVersion'>>
  /** Returns true if a tunnel to this service is up over UDP. */
  readonly hasUdpTunnel: () => Promise<boolean>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Tries a service, step by step up to the first one that fails: its name, a connection, TLS, and its answer. The
 * servers of its profiles answer only to who has a configuration, so UDP to them shows in a connection alone. Behind a
 * proxy, the first two are the proxy's.
 */
export async function portalFindings(options: PortalDoctorOptions): Promise<FindingItem[]> {
  const url = new URL('info.json', options.instance.address)
  const host = hostOf(url)
  const found: FindingItem[] = []
  const failed = (name: FindingItem['name'], error: unknown): FindingItem[] => {
    if (!(error instanceof CausewayError)) throw error
    return [...found, errorFinding({ name, status: 'missing', code: 'service-unusable' }, error)]
  }
  const transport = await options.transport()
  const isDirect = (await transport.proxyFor(url)) === undefined
  const addresses = isIP(host) === 0 ? await options.lookup(host).catch(() => []) : []
  if (isDirect && addresses.length > 0)
    found.push({
      name: 'name',
      status: 'ok',
      code: 'name-found',
      facts: { host, addresses: addresses.join(', ') },
    })
  try {
    await transport.requireReachable(url)
  } catch (error) {
    return failed(hasReason(error, 'name-not-resolved') ? 'name' : 'tcp', error)
  }
  if (isDirect) found.push({ name: 'tcp', status: 'ok', code: 'tcp-open', facts: { host: url.host } })
  try {
    const answer = await options.http.send(url)
    if (url.protocol === 'https:')
      found.push({ name: 'tls', status: 'ok', code: 'tls-trusted', facts: { host } })
    const now = options.now()
    const ahead = clockAhead(answer.headers, now)
    if (ahead !== undefined && Math.abs(ahead) > toleranceMs)
      found.push({
        name: 'clock',
        status: 'missing',
        code: 'clock-wrong',
        facts: { time: new Date(now).toISOString() },
      })
  } catch (error) {
    return failed(hasCode(error, 'http/tls-failed', 'http/tls-too-old') ? 'tls' : 'answer', error)
  }
  try {
    const { apiVersion } = await options.endpoints()
    found.push({ name: 'answer', status: 'ok', code: 'answer-valid', facts: { version: String(apiVersion) } })
  } catch (error) {
    return failed('answer', error)
  }
  return [
    ...found,
    (await options.hasUdpTunnel())
      ? { name: 'udp', status: 'ok', code: 'udp-passes' }
      : { name: 'udp', status: 'ok', code: 'udp-not-tried', command: 'causeway connect --check' },
  ]
}

function hasReason(error: unknown, reason: string): boolean {
  return error instanceof CausewayError && error.details?.reason === reason
}
