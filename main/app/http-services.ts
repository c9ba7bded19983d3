import { report } from '../errors'
import type { FileTransport } from '../platform/http/file-transport'
import { type HttpClient, createHttpClient } from '../platform/http/http-client'
import type { ProxyFor } from '../platform/http/proxies'
import type { Transport } from '../platform/http/transport'
import type { Log } from '../platform/log/log'
import { loggedHttp } from '../platform/log/logged-http'
import { loggedTransport } from '../platform/log/logged-transport'
import { noticingCaptivePortals } from '../platform/network/captive-portal'
import type { Reporter } from '../reporter'
import { lazy } from './lazy'

/** The clients for requests and files. Their code is loaded with the first request. */
export interface HttpServices {
  readonly getTransport: () => Promise<Transport>
  readonly http: HttpClient
  /** Takes the answer of a captive portal for what it seems to be: an answer. */
  readonly httpOfAnyone: HttpClient
  readonly transport: FileTransport
}

export function createHttpServices({
  proxyFor,
  log,
  reporter,
}: {
  readonly proxyFor: ProxyFor
  readonly log: Log
  readonly reporter: Pick<Reporter, 'notice'>
}): HttpServices {
  const getTransport = lazy(async () => {
    const [{ Transport }, { unreadableAuthorities }] = await Promise.all([
      import('../platform/http/transport'),
      import('../platform/http/authorities'),
    ])
    for (const details of await unreadableAuthorities(process))
      reporter.notice(report('http/authorities-unreadable', { details }))
    return new Transport({ proxyFor })
  })
  const clock = () => performance.now()
  const client = createHttpClient(getTransport)
  return {
    getTransport,
    http: loggedHttp(noticingCaptivePortals(client, getTransport), log, clock),
    httpOfAnyone: loggedHttp(client, log, clock),
    transport: loggedTransport(fileTransport(getTransport), log, clock),
  }
}

function fileTransport(getTransport: () => Promise<Transport>): FileTransport {
  const loaded = lazy(async () => {
    const { createFileTransport } = await import('../platform/http/file-transport')
    return createFileTransport({ transport: await getTransport() })
  })
  return {
    put: async (url, file) => (await loaded()).put(url, file),
    get: async (url, request, read) => (await loaded()).get(url, request, read),
  }
}
