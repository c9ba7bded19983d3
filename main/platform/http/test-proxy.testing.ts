import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { listen } from './test-server.testing'

interface TestProxyOptions {
  /** The local port that every connection leads to. */
  readonly leadsTo: number
  /** `user:password` that the proxy requires. */
  readonly login?: string
  /** The status that the proxy refuses everything with. */
  readonly refusesWith?: number
  /** Default: an http proxy. */
  readonly server?: Server
}

/** Starts a proxy on a free loopback port, which ends with the test. `asked` has what it was asked to connect to. */
export async function startTestProxy({
  leadsTo,
  login,
  refusesWith,
  server = createServer(),
}: TestProxyOptions): Promise<{ readonly port: number; readonly asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = []
  server.on('connect', ({ url, headers }, client) => {
    asked.push(url)
    client.on('error', () => undefined)
    const given = Buffer.from(
      headers['proxy-authorization']?.replace('Basic ', '') ?? '',
      'base64',
    ).toString()
    const status = login !== undefined && given !== login ? 407 : refusesWith
    if (status !== undefined) {
      const asks = status === 407 ? 'Proxy-Authenticate: Basic realm="test"\r\n' : ''
      client.end(`HTTP/1.1 ${status} Refused\r\n${asks}connection: close\r\n\r\n`)
      return
    }
    const onward = connect(leadsTo, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => client.destroy())
    client.on('error', () => onward.destroy())
    client.on('close', () => onward.destroy())
  })
  return { port: await listen(server), asked }
}
