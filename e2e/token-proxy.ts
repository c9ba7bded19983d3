import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { listenOnLoopback } from './browser'
import type { MockServer } from './mock-server'

const info = z.object({ api: z.record(z.string(), z.record(z.string(), z.string())) })
const vpnApi = 'http://eduvpn.org/api#2'
const tokens = z.looseObject({ access_token: z.string() })

export interface TokenProxy {
  /** Access tokens that were issued, oldest first. */
  readonly issued: readonly string[]
  close(): Promise<void>
}

/**
 * Starts a proxy for the mock's token endpoint, announced in its info.json. Access tokens of these grants expire at
 * once: the client has to refresh them before using them.
 */
export async function startTokenProxy(mock: MockServer, grants: readonly string[]): Promise<TokenProxy> {
  const issued: string[] = []
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const body = await text(request)
      const answer = await fetch(`${mock.origin}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      const json: unknown = await answer.json()
      const parsed = tokens.safeParse(json)
      if (parsed.success) issued.push(parsed.data.access_token)
      const expires = parsed.success && grants.includes(new URLSearchParams(body).get('grant_type') ?? '')
      // A connection that is kept may be used before its end is seen: the next request would then be reset, not refused.
      response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(expires ? { ...parsed.data, expires_in: 0 } : json))
    }
    // A client that has gone, such as an app that ends, waits for no answer.
    forward().catch(() => response.destroy())
  })
  const port = await listenOnLoopback(server)
  const { api } = info.parse(await (await fetch(`${mock.origin}/info.json`)).json())
  await mock.fault('/info.json', {
    body: { api: { ...api, [vpnApi]: { ...api[vpnApi], token_endpoint: `http://127.0.0.1:${port}/token` } } },
  })
  // A request that has begun is answered: cut off, it would be another error than a refused connection.
  const close = async (): Promise<void> => {
    server.close()
    await once(server, 'close')
  }
  return { issued, close }
}
