import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { createFileTransport } from '../../platform/http/file-transport'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import type { Attachment } from './attachment'
import type { AttachmentsClient } from './attachments-client'
import { storedFile } from './stored-file'

const transport = createFileTransport()
const attachment = { id: 'a' } as Attachment
const lastModified = 'Fri, 20 Nov 2026 12:00:00 GMT'
const changedAt = Date.UTC(2026, 10, 20, 12)

/** Returns a client whose service names this address for every file. */
function naming(url: URL, namedBy = new URL('http://127.0.0.1/')): () => Promise<AttachmentsClient> {
  const client: Pick<AttachmentsClient, 'freshFile'> = {
    freshFile: () => Promise.resolve({ attachment, url, namedBy }),
  }
  return () => Promise.resolve(client as AttachmentsClient)
}

/** Asks a storage that answers like this, and returns the facts and what it was sent. */
async function asked(answer: (response: ServerResponse) => void) {
  const server = await startTestServer((_request, response) => {
    answer(response)
  })
  const facts = await storedFile({ transport, client: naming(server.url('/f?signature=s')) }, 'a')
  return { facts, requests: server.requests }
}

const withHead = (status: number, headers: OutgoingHttpHeaders, body = 'x') =>
  asked((response) => response.writeHead(status, headers).end(body))

describe('the size and the date of a stored file', () => {
  it('come from one request for the first byte, without an identity', async () => {
    const { facts, requests } = await withHead(206, {
      'content-range': 'bytes 0-0/1234567',
      'last-modified': lastModified,
    })
    expect(facts).toEqual({ bytes: 1_234_567, changedAt })
    expect(requests.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`)).toEqual(['GET /f?signature=s'])
    const sent: IncomingHttpHeaders | undefined = requests[0]?.headers
    expect(Object.keys(sent ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'range',
      'user-agent',
    ])
    expect(sent?.range).toBe('bytes=0-0')
  })

  it('come from the head of the whole file, which is not read', async () => {
    const { facts, requests } = await asked((response) => {
      // The body never ends.
      response
        .writeHead(200, { 'content-length': '5000000000', 'last-modified': lastModified })
        .write('the beginning')
    })
    expect(facts).toEqual({ bytes: 5_000_000_000, changedAt })
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true)
  })

  it('do not include the size of a compressed answer', async () => {
    const headers = { 'content-length': '50', 'content-encoding': 'gzip', 'last-modified': lastModified }
    expect((await withHead(200, headers)).facts).toEqual({ changedAt })
    const { 'content-length': _length, ...ranged } = { ...headers, 'content-range': 'bytes 0-0/50' }
    expect((await withHead(206, ranged)).facts).toEqual({ changedAt })
  })

  it('are known of an empty file, which has no first byte', async () => {
    const headers = { 'content-range': 'bytes */0', 'last-modified': lastModified }
    expect((await withHead(416, headers)).facts).toEqual({ bytes: 0, changedAt })
    expect((await withHead(416, { 'content-range': 'bytes */0' })).facts).toEqual({ bytes: 0 })
  })

  it.each([
    [206, 'bytes 0-0/*'],
    [206, 'bytes 0-0/'],
    [206, 'bytes 0-0/0'],
    [206, 'bytes 0-0/-1'],
    [206, 'bytes 0-0/1e3'],
    [206, 'bytes 0-0/12.5'],
    [206, 'bytes 0-0/0x10'],
    [206, 'bytes 0-0/9007199254740993'],
    [206, 'bytes 0-0/99999999999999999999'],
    [206, 'bytes 1-1/10'],
    [206, 'bytes */10'],
    [206, '10'],
    [206, undefined],
    [200, undefined],
  ])('do not include a size that %i states as %s', async (status, range) => {
    const { facts } = await asked((response) => {
      response.writeHead(status, {
        'last-modified': lastModified,
        'transfer-encoding': 'chunked',
        ...(range === undefined ? {} : { 'content-range': range }),
      })
      response.end('x')
    })
    expect(facts).toEqual({ changedAt })
  })

  it.each([
    'yesterday',
    '2026-11-20T12:00:00Z',
    'Fri, 20 Nov 2026 12:00:00 +0100',
    'Mon, 20 Nov 2026 12:00:00 GMT',
    'Mon, 30 Feb 2026 12:00:00 GMT',
    'Fri, 20 Nov 2026 25:00:00 GMT',
    'Sat, 13 Sep 275760 00:00:00 GMT',
  ])('do not include the date %s', async (date) => {
    const { facts } = await withHead(206, { 'content-range': 'bytes 0-0/7', 'last-modified': date })
    expect(facts).toEqual({ bytes: 7 })
  })

  it.each([204, 304, 403, 404, 416, 500, 503])('are unknown after status %i', async (status) => {
    const { facts } = await withHead(status, { 'content-range': 'bytes */9', 'last-modified': lastModified })
    expect(facts).toEqual({})
  })

  it('are unknown if the connection is lost', async () => {
    expect((await asked((response) => response.destroy())).facts).toEqual({})
  })

  it('are unknown if the service refuses to name the file', async () => {
    const client = () => Promise.reject(new CausewayError('attachments/not-found'))
    expect(await storedFile({ transport, client }, 'a')).toEqual({})
  })

  it('are unknown if the address leads into a network that the service may not name', async () => {
    const server = await startTestServer((_request, response) => response.writeHead(206).end('x'))
    const client = naming(server.url('/f'), new URL('https://files.example.org/'))
    expect(await storedFile({ transport, client }, 'a')).toEqual({})
    expect(server.requests).toEqual([])
  })

  it('are unknown if the answer takes too long', async () => {
    const tooLong = new AbortController()
    const server = await startTestServer(() => {
      tooLong.abort()
    })
    const client = naming(server.url('/f'))
    expect(await storedFile({ transport, client }, 'a', undefined, tooLong.signal)).toEqual({})
  })

  it('are not returned to a caller who cancelled', async () => {
    const cancelled = new AbortController()
    const server = await startTestServer(() => {
      cancelled.abort()
    })
    const client = naming(server.url('/f?signature=s'))
    const error = await rejection(storedFile({ transport, client }, 'a', cancelled.signal))
    expect(error).toMatchObject({ code: 'http/cancelled' })
    expect(JSON.stringify(error)).not.toContain('signature')
  })
})
