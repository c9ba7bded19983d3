import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'
import type { UnknownPath } from '../http/app'
import type { Recordings, UpstreamAnswer } from './recordings'

const timeLimitMs = 30_000
/** Marks requests that a mock has sent on, so that one that is its own upstream server doesn't ask itself forever. */
const via = '1.1 causeway-mock'
const mostBytes = 16 * 1024 * 1024
/** Headers of one connection (RFC 9110, 7.6.1), and those that fetch sets itself. */
const ofConnection = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

async function bodyOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > mostBytes) throw new Error('its answer is larger than 16 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Sends a request on to the upstream server, and nowhere else, and returns the answer. Doesn't follow redirects. */
async function ask(upstream: string, request: FastifyRequest): Promise<UpstreamAnswer> {
  // The address of a request may start with two slashes, which would name another host.
  const address = `${upstream}${request.url}`
  if (new URL(address).origin !== upstream) throw new Error('the address of the request is not valid')
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || ofConnection.has(name) ? [] : [value].flat().map((one) => [name, one]),
  )
  const body = typeof request.body === 'string' && request.body !== '' ? request.body : undefined
  const response = await fetch(address, {
    method: request.method,
    headers: [...headers, ['via', via]],
    redirect: 'manual',
    signal: AbortSignal.timeout(timeLimitMs),
    ...(body === undefined || ['GET', 'HEAD'].includes(request.method) ? {} : { body }),
  })
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !ofConnection.has(name)),
    body: await bodyOf(response),
  }
}

/** Returns the answer with redirects within the upstream server turned into redirects within the mock. */
function withOwnRedirects(answer: UpstreamAnswer, upstream: string, origin: string): UpstreamAnswer {
  const headers = answer.headers.map(([name, value]): readonly [string, string] => {
    const isInside = name === 'location' && (value === upstream || value.startsWith(`${upstream}/`))
    return [name, isInside ? `${origin}${value.slice(upstream.length)}` : value]
  })
  return { ...answer, headers }
}

/** Answers requests for which `isWanted` returns true from the upstream server at this origin, and records the answers. */
export function forwardUnknown(
  upstream: string,
  recordings: Recordings,
  isWanted: (request: FastifyRequest) => boolean,
): UnknownPath {
  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.headers.via?.includes(via) === true) {
      return sendJson(reply, 508, { error: `${upstream} leads back to this mock.` })
    }
    let answer: UpstreamAnswer
    try {
      answer = withOwnRedirects(await ask(upstream, request), upstream, request.askedOrigin)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      return sendJson(reply, 502, { error: `${upstream} could not be asked: ${cause}` })
    }
    const start = request.url.indexOf('?')
    recordings.add(
      {
        method: request.method,
        path: start < 0 ? request.url : request.url.slice(0, start),
        query: start < 0 ? '' : request.url.slice(start + 1),
      },
      answer,
    )
    for (const [name, value] of answer.headers) reply.header(name, value)
    return reply.code(answer.status).send(answer.body)
  }
  return (request, reply) => (isWanted(request) ? forward(request, reply) : undefined)
}
