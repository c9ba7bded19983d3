import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { CausewayError } from '../../errors'
import { endpointOf } from './dial'
import { networkFailure } from './failure'
import { proxyName, type Proxy } from './proxies'
import { userAgent } from './user-agent'

/**
 * Returns a connection to the server of a URL through a proxy, which `reach` connects to.
 *
 * @throws CausewayError `http/unreachable` (`proxy-unreachable`, or `proxy-refused` with the status) or
 * `http/proxy-authentication`
 */
export async function throughProxy(proxy: Proxy, url: URL, reach: () => Promise<Socket>): Promise<Socket> {
  const { host, port } = endpointOf(url)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const details = { host: url.host, reason: 'proxy', proxy: proxyName(proxy) }
  const failure = (cause: unknown): unknown =>
    networkFailure(cause, url, 'headers') === undefined
      ? cause
      : new CausewayError('http/unreachable', { variant: 'proxy-unreachable', details, cause })
  const socket = await reach().catch((cause: unknown) => {
    throw failure(cause)
  })
  const tunnel = await connectThrough(socket, authority, proxy.credentials).catch((cause: unknown) => {
    socket.destroy()
    throw failure(cause)
  })
  if ('socket' in tunnel) return tunnel.socket
  socket.destroy()
  if (tunnel.status === 407) {
    throw new CausewayError('http/proxy-authentication', {
      variant: proxy.credentials && 'rejected',
      details: { proxy: proxyName(proxy) },
    })
  }
  throw new CausewayError('http/unreachable', {
    variant: 'proxy-refused',
    details: { ...details, status: tunnel.status },
  })
}

/** Asks a proxy for a connection (RFC 9110, 9.3.6). Returns the status of a refusal. */
function connectThrough(
  socket: Socket,
  authority: string,
  credentials: Proxy['credentials'],
): Promise<{ readonly socket: Socket } | { readonly status: number }> {
  return new Promise((resolve, reject) => {
    const login = credentials && Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')
    const request = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        'user-agent': userAgent,
        ...(login === undefined ? {} : { 'proxy-authorization': `Basic ${login}` }),
      },
      createConnection: () => socket,
      timeout: proxyMs,
    })
    request
      .once('connect', ({ statusCode = 0 }, tunnel: Socket, head: Buffer) => {
        if (statusCode < 200 || statusCode > 299) resolve({ status: statusCode })
        else {
          tunnel.setTimeout(0)
          if (head.length > 0) tunnel.unshift(head)
          resolve({ socket: tunnel })
        }
      })
      .once('response', ({ statusCode = 0 }) => {
        resolve({ status: statusCode })
      })
      .once('timeout', () => {
        request.destroy(Object.assign(new Error('The proxy does not answer'), { code: 'ETIMEDOUT' }))
      })
      .once('error', reject)
      .end()
  })
}

/** Longer than a proxy waits for a server that doesn't answer, in milliseconds. */
const proxyMs = 30_000
