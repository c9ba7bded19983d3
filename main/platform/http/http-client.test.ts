import type { lookup as systemLookup } from 'node:dns'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'

import forge from 'node-forge'
import { describe, expect, it } from 'vitest'

import { createAddressRules } from './address-rules'
import { asFetch } from './as-fetch'
import { createHttpClient } from './http-client'
import { Transport } from './transport'
import { userAgent } from './user-agent'
import { certificateKeys } from './rsa-keys.testing'
import { listen, rejection, startTestServer } from './test-server.testing'

const http = createHttpClient()
const direct = () => Promise.resolve(undefined)

describe('requests', () => {
  it('asks for JSON and returns the answer unchanged', async () => {
    const server = await startTestServer((request, response) => {
      response.writeHead(418, { 'x-kind': 'teapot' }).end(`accept=${String(request.headers.accept)}`)
    })
    const response = await http.send(server.url('/tea'))
    expect(response).toMatchObject({ status: 418, text: 'accept=application/json' })
    expect(response.headers.get('x-kind')).toBe('teapot')
  })

  it('loads its transport again if that failed', async () => {
    const server = await startTestServer((_request, response) => response.end('loaded'))
    const outcomes = [Promise.reject(new Error('not there yet')), Promise.resolve(new Transport())]
    const client = createHttpClient(() => outcomes.shift() ?? Promise.reject(new Error('loaded too often')))
    await expect(client.send(server.url('/'))).rejects.toThrow('not there yet')
    expect((await client.send(server.url('/'))).text).toBe('loaded')
    expect((await client.send(server.url('/'))).text).toBe('loaded')
  })

  it("sends a form, the caller's headers and its own User-Agent", async () => {
    const server = await startTestServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        response.end(JSON.stringify({ body, headers: request.headers, method: request.method }))
      })
    })
    const { text } = await http.send(server.url('/'), {
      method: 'POST',
      form: new URLSearchParams({ display_name: 'a & b' }),
      headers: { Accept: 'text/plain', Authorization: 'Bearer t' },
    })
    expect(JSON.parse(text)).toMatchObject({
      method: 'POST',
      body: 'display_name=a+%26+b',
      headers: {
        accept: 'text/plain',
        authorization: 'Bearer t',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        'user-agent': userAgent,
      },
    })
  })

  it('sends JSON with methods that change something', async () => {
    const server = await startTestServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        response.end(JSON.stringify({ body, type: request.headers['content-type'], method: request.method }))
      })
    })
    const { text } = await http.send(server.url('/'), { method: 'PATCH', json: { title: 'é' } })
    expect(JSON.parse(text)).toEqual({ method: 'PATCH', type: 'application/json', body: '{"title":"é"}' })
  })

  it('does not follow a redirect', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
    })
    expect((await http.send(server.url('/'))).status).toBe(302)
    expect(server.requests).toHaveLength(1)
  })

  it('reads a body that is not UTF-8', async () => {
    const server = await startTestServer((_request, response) => {
      response.end(Buffer.from([0x22, 0xff, 0x22]))
    })
    expect((await http.send(server.url('/'))).text).toBe('"\ufffd"')
  })
})

describe('addresses', () => {
  it.each(['http://vpn.example.org/', 'ftp://127.0.0.1/', 'https://user:secret@vpn.example.org/'])(
    'sends no request to %s',
    async (url) => {
      const client = createHttpClient(() => Promise.reject(new Error('loaded')))
      const error = await rejection(client.send(new URL(url)))
      expect(error).toMatchObject({ code: 'http/insecure-url' })
      expect(JSON.stringify(error) + String(error)).not.toContain('secret')
    },
  )
})

describe('limits', () => {
  it('stops reading a 50 MB answer at the limit and closes the connection', async () => {
    let sent = 0
    const server = await startTestServer((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = (): void => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', more)
            return
          }
        }
        response.end()
      }
      more()
    })
    const closed = new Promise((resolve) =>
      server.server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const error = await rejection(http.send(server.url('/'), { maxBytes: 1000 }))
    expect(error).toMatchObject({ code: 'http/too-large', details: { maxBytes: 1000 } })
    await closed
    expect(sent).toBeLessThan(50_000_000)
  })

  it('does not wait for an answer that is announced as too long', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-length': '50000000' }).flushHeaders()
    })
    await expect(http.send(server.url('/'))).rejects.toMatchObject({ code: 'http/too-large' })
  })

  it('applies the limit to the decompressed answer', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000_000)))
    })
    await expect(http.send(server.url('/'))).rejects.toMatchObject({ code: 'http/too-large' })
  })

  it('refuses an answer that is compressed again and again, which takes minutes to read', async () => {
    const times = 6
    let body = gzipSync('{}')
    for (let time = 1; time < times; time += 1) body = gzipSync(body)
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': Array(times).fill('gzip').join(', ') }).end(body)
    })
    await expect(http.send(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'invalid-answer' },
    })
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'reads an answer whose compression has the name %s',
    async (coding) => {
      const server = await startTestServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end('{}')
      })
      expect((await http.send(server.url('/'))).text).toBe('{}')
    },
  )

  it('reads an answer of exactly the maximum length', async () => {
    const server = await startTestServer((_request, response) => response.end('12345'))
    expect((await http.send(server.url('/'), { maxBytes: 5 })).text).toBe('12345')
  })

  it('times out if the server does not answer', async () => {
    const server = await startTestServer(() => undefined)
    await expect(http.send(server.url('/'), { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'http/timed-out',
    })
  })

  it('times out if the body does not end', async () => {
    const server = await startTestServer((_request, response) => response.write('{'))
    await expect(http.send(server.url('/'), { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'http/timed-out',
    })
  })
})

describe('cancelling', () => {
  it('aborts a running request', async () => {
    const cancel = new AbortController()
    const server = await startTestServer(() => {
      cancel.abort()
    })
    await expect(http.send(server.url('/'), { signal: cancel.signal })).rejects.toMatchObject({
      code: 'http/cancelled',
    })
  })

  it('aborts before anything is sent', async () => {
    const server = await startTestServer((_request, response) => response.end())
    await expect(http.send(server.url('/'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'http/cancelled',
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('failures', () => {
  it('reports a refused connection', async () => {
    const gone = createTcpServer()
    const port = await new Promise<number>((resolve) => {
      gone.listen(0, '127.0.0.1', () => {
        const address = gone.address()
        gone.close(() => {
          resolve(typeof address === 'object' && address !== null ? address.port : 0)
        })
      })
    })
    await expect(http.send(new URL(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { host: `127.0.0.1:${port}`, reason: 'refused' },
    })
  })

  it('reports an unknown host name', async () => {
    // `.invalid` never resolves (RFC 6761); the look-up is injected so that no resolver is asked.
    const error = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const lookup = ((_name: string, _options: object, answer: (error: Error) => void) => {
      answer(error)
    }) as typeof systemLookup
    const transport = new Transport({ addressRules: createAddressRules(lookup), proxyFor: direct })
    const client = createHttpClient(() => Promise.resolve(transport))
    await expect(client.send(new URL('https://vpn.invalid/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { host: 'vpn.invalid', reason: 'name-not-resolved' },
    })
  })

  it('reports a reset connection', async () => {
    const server = await startTestServer((request) => {
      request.socket.resetAndDestroy()
    })
    await expect(http.send(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'reset' },
    })
  })

  it('reports an answer that was cut off, without showing its content', async () => {
    const server = await startTestServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('access-token-secret', () => response.socket?.destroy())
    })
    const error = await rejection(http.send(server.url('/')))
    expect(error).toMatchObject({ code: 'http/unreachable', details: { reason: 'incomplete-answer' } })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })

  it('reports a server that does not speak HTTP', async () => {
    const server = await startTestServer((request) => request.socket.end('SSH-2.0-OpenSSH\r\n'))
    await expect(http.send(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'invalid-answer' },
    })
  })

  it('reports an invalid status', async () => {
    const server = await startTestServer((_request, response) => response.writeHead(999).end())
    await expect(http.send(server.url('/'))).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'invalid-answer' },
    })
  })

  it('rejects a self-signed certificate with a readable reason', async () => {
    const server = createTlsServer(selfSigned())
    const port = await listen(server)
    await expect(http.send(new URL(`https://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'http/tls-failed',
      details: { reason: 'its certificate is self-signed', tlsCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
  })

  it('reports plain http on an https address', async () => {
    const server = await startTestServer((_request, response) => response.end())
    const url = new URL(server.origin.replace('http:', 'https:'))
    await expect(http.send(url)).rejects.toMatchObject({ code: 'http/tls-failed' })
  })
})

describe('asFetch', () => {
  it('sends a form and returns the answer as a Response', async () => {
    const server = await startTestServer((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ body }))
      })
    })
    const response = await asFetch(http)(server.url('/token').href, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ body: 'grant_type=refresh_token' })
  })

  it('returns a Response for a status without a body', async () => {
    const server = await startTestServer((_request, response) => response.writeHead(204).end())
    expect((await asFetch(http)(server.url('/').href, { method: 'GET', headers: {} })).status).toBe(204)
  })

  it('keeps the errors and limits of the client', async () => {
    await expect(
      asFetch(http)('http://vpn.example.org/', { method: 'GET', headers: {} }),
    ).rejects.toMatchObject({
      code: 'http/insecure-url',
    })
  })
})

function selfSigned(): { key: string; cert: string } {
  const pair = certificateKeys()
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - 60_000)
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000)
  const name = [{ name: 'commonName', value: '127.0.0.1' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create())
  return { key: pair.privateKey, cert: forge.pki.certificateToPem(certificate) }
}
