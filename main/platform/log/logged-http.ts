import type { HttpClient } from '../http/http-client'
import type { Log } from './log'

/** Creates a client that logs each exchange: its address without the query, and its outcome. */
export function loggedHttp(http: HttpClient, log: Log, milliseconds: () => number): HttpClient {
  return {
    async send(url, request) {
      const begun = milliseconds()
      const exchange = { method: request?.method ?? 'GET', url: `${url.host}${url.pathname}` }
      const ms = () => Math.round(milliseconds() - begun)
      try {
        const response = await http.send(url, request)
        log.write('info', 'http', 'exchange', { ...exchange, status: response.status, ms: ms() })
        return response
      } catch (error) {
        log.write('warning', 'http', 'exchange', { ...exchange, error, ms: ms() })
        throw error
      }
    },
  }
}
