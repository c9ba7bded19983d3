import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '../errors'
import { Recording } from './recording'

/** Headers of one connection alone, and those that a changed body makes wrong. */
const ownOfConnection = [
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'strict-transport-security',
  'transfer-encoding',
  'upgrade',
]

interface RecorderOptions {
  /** The address of the portal, as a user types it. */
  portal: URL
  host: string
  port: number
  /** Where the recording is written, after each answer. */
  file: string
  now?: () => number
}

/** Passes requests on to a portal, in whose place it is for a client, and records what the API answers. */
export async function startRecorder({ portal, host, port, file, now = Date.now }: RecorderOptions) {
  const recording = new Recording(portal.origin, now())
  let origin = ''
  const replaceOrigin = (text: string, from: string, to: string) =>
    text
      .replaceAll(from, to)
      .replaceAll(encodeURIComponent(from), encodeURIComponent(to))
      .replaceAll(from.replaceAll('/', String.raw`\/`), to.replaceAll('/', String.raw`\/`))

  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', headers } = request
    const requestBody = replaceOrigin((await buffer(request)).toString('latin1'), origin, portal.origin)
    // Joined as texts: old clients ask for //info.json, which as a relative address names another host.
    const asked = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '').replace(/^\//, '')
    const url = new URL(`${portal.origin}/${replaceOrigin(asked, origin, portal.origin)}`)
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      ownOfConnection.includes(name) || name === 'accept-encoding'
        ? []
        : [[name, replaceOrigin(String(value), origin, portal.origin)] as [string, string]],
    )
    const answer = await fetch(url, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(method !== 'GET' && method !== 'HEAD' && { body: Buffer.from(requestBody, 'latin1') }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isText = /json|text|xml|profile|javascript/.test(answer.headers.get('content-type') ?? '')
    if (isText) {
      const exchange = { method, url, requestHeaders: headers, requestBody, status: answer.status }
      recording.add({ ...exchange, headers: answer.headers, body: bytes.toString() })
      writeFileSync(file, recording.text, { mode: 0o600 })
    }
    response.statusCode = answer.status
    for (const [name, value] of answer.headers) {
      if (ownOfConnection.includes(name)) continue
      // The portal's name and https don't fit the address of the recorder.
      const own = name === 'set-cookie' ? value.replaceAll(/; *(?:domain=[^;]*|secure)/gi, '') : value
      response.appendHeader(name, replaceOrigin(own, portal.origin, origin))
    }
    response.end(isText ? replaceOrigin(bytes.toString(), portal.origin, origin) : bytes)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
      response.end(`The portal can't be reached: ${messageOf(error)}\n`)
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${own}`
  writeFileSync(file, recording.text, { mode: 0o600 })
  return {
    origin,
    instance: `${origin}${portal.pathname}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
