import type { FileTransport } from '../http/file-transport'
import type { Log } from './log'

/** Creates a transport that logs each file: its address without the query, which contains the signature, and its outcome. */
export function loggedTransport(
  transport: FileTransport,
  log: Log,
  milliseconds: () => number,
): FileTransport {
  async function logged<T>(method: string, url: URL, work: () => Promise<T>): Promise<T> {
    const begun = milliseconds()
    const exchange = { method, url: `${url.host}${url.pathname}` }
    const ms = () => Math.round(milliseconds() - begun)
    try {
      const result = await work()
      log.write('info', 'http', 'file', { ...exchange, ms: ms() })
      return result
    } catch (error) {
      log.write('warning', 'http', 'file', { ...exchange, error, ms: ms() })
      throw error
    }
  }

  return {
    put: (url, file) =>
      logged('PUT', url, async () => {
        const answer = await transport.put(url, file)
        if (answer.status >= 300) log.write('warning', 'http', 'refused', { status: answer.status })
        return answer
      }),
    get: (url, request, read) => {
      const work = () => transport.get(url, request, read)
      // Pictures are many, and nobody misses one in the log.
      return request.purpose === 'picture' ? work() : logged('GET', url, work)
    },
  }
}
