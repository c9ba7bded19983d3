import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestAttachments } from '../attachments/attachments.testing'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
beforeEach(() => service.control('POST', '/reset'))

const content = '0123456789'
const put = (url: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', headers, body })

/** Uploads a text of ten digits and returns its download URL. */
async function download(): Promise<string> {
  return (await service.get(await service.upload(content))).body.url
}
function altered(url: string, name: string, value: string): string {
  const other = new URL(url)
  other.searchParams.set(name, value)
  return other.href
}
async function refusal(response: Response): Promise<unknown> {
  const text = await response.text()
  expect(response.headers.get('content-type')).toBe('application/xml')
  const [, code, message] =
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>(\w+)<\/Code><Message>(.+)<\/Message><\/Error>$/.exec(
      text,
    ) ?? []
  expect(message).toMatch(/\w/)
  return [response.status, code]
}

describe('PUT', () => {
  it('returns the entity tag that a download then has', async () => {
    const { id, url } = await service.announce()
    const response = await put(url, content)
    expect([response.status, await response.text()]).toEqual([200, ''])
    const { headers } = await fetch((await service.get(id)).body.url)
    expect(headers.get('etag')).toBe(response.headers.get('etag'))
  })

  it('keeps the connection after it refuses an upload before its body is there', async () => {
    const { url } = await service.announce()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { 'content-length': '1', 'content-type': 'text/plain', 'content-md5': 'wrong' }
    for (const isReused of [false, true]) {
      const upload = request(url, { method: 'PUT', agent, headers })
      upload.flushHeaders()
      const [answer] = (await once(upload, 'response')) as [IncomingMessage]
      upload.end('x')
      await once(answer.resume(), 'end')
      expect([answer.statusCode, upload.reusedSocket]).toEqual([400, isReused])
    }
    agent.destroy()
  })

  it('accepts the token that a client sends with every request', async () => {
    const { id, url } = await service.announce()
    const headers = { authorization: 'Bearer token' }
    expect((await put(url, 'x', headers)).status).toBe(200)
    expect((await fetch((await service.get(id)).body.url, { headers })).status).toBe(200)
  })

  it('accepts a chunked upload without a length, and an empty one', async () => {
    for (const pieces of [['a', 'bc', 'd'], []]) {
      const { id, url } = await service.announce()
      const upload = request(url, { method: 'PUT' })
      for (const piece of pieces) upload.write(piece)
      upload.end()
      const [answer] = (await once(upload, 'response')) as [{ statusCode: number; resume: () => void }]
      answer.resume()
      expect(answer.statusCode).toBe(200)
      expect(await (await fetch((await service.get(id)).body.url)).text()).toBe(pieces.join(''))
    }
  })

  it("takes the chunks of AWS's clients, and checks the sum after them", async () => {
    const send = async (text: string, headers: Record<string, string> = {}) => {
      const { id, url } = await service.announce()
      const answer = await put(url, text, {
        'content-encoding': 'aws-chunked',
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': '10',
        'x-amz-trailer': 'x-amz-checksum-crc32',
        ...headers,
      })
      return answer.status === 200 ? (await fetch((await service.get(id)).body.url)).text() : refusal(answer)
    }
    const trailer = (sum: string) => `0\r\nx-amz-checksum-crc32:${sum}\r\n\r\n`
    const chunks = '4;chunk-signature=00\r\n0123\r\n6\r\n456789\r\n'
    expect(await send(`${chunks}${trailer('poTHxg==')}`)).toBe(content)
    expect(await send(`${chunks}${trailer('AAAAAA==')}`)).toEqual([400, 'BadDigest'])
    expect(await send(`${chunks}0\r\n\r\n`)).toEqual([400, 'InvalidDigest'])
    expect(await send(chunks, { 'x-amz-trailer': '' })).toEqual([400, 'IncompleteBody'])
    expect(await send(`4\r\n0123\r\n${trailer('x')}`)).toEqual([400, 'IncompleteBody'])
    expect(await send(`4\r\n012345\r\n${trailer('x')}`)).toEqual([400, 'IncompleteBody'])
  })

  it('stores any bytes unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
    const { id, url } = await service.announce()
    expect((await put(url, bytes)).status).toBe(200)
    const file = await fetch((await service.get(id)).body.url)
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  // The text 123456789 is the check of the catalogue of CRCs.
  it.each([
    ['content-md5', 'JfnnlDI7RTiF9RgfG2JNCw=='],
    ['x-amz-checksum-crc32', 'y/Q5Jg=='],
    ['x-amz-checksum-crc32c', '4waSgw=='],
    ['x-amz-checksum-crc64nvme', 'rosUhgp5mIg='],
    ['x-amz-checksum-sha1', '98O8HYCOBHMq32eZZczDTKeuNEE='],
    ['x-amz-checksum-sha256', 'FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU='],
  ])('checks %s', async (name, right) => {
    const { id, url } = await service.announce()
    const wrong = Buffer.from(right, 'base64').fill(1).toString('base64')
    expect(await refusal(await put(url, '123456789', { [name]: wrong }))).toEqual([400, 'BadDigest'])
    for (const malformed of ['x', '', right.slice(4), `${right}AAAA`]) {
      const response = await put(url, '123456789', { [name]: malformed })
      expect(await refusal(response)).toEqual([400, 'InvalidDigest'])
    }
    expect(await service.get(id)).toMatchObject({ status: 404 })
    expect((await put(url, '123456789', { [name]: right })).status).toBe(200)
    expect((await service.get(id)).body.status).toBe('COMPLETED')
  })

  it('refuses another media type, and a malformed one, with a reason', async () => {
    const { id, url } = await service.announce()
    expect(await refusal(await put(url, content, { 'content-type': 'text/html' }))).toEqual([
      403,
      'AccessDenied',
    ])
    expect(await refusal(await put(url, content, { 'content-type': 'garbage;;;' }))).toEqual([
      415,
      'InvalidRequest',
    ])
    expect((await put(url, content, { 'content-type': 'text/plain; charset=x' })).status).toBe(200)
    expect((await service.get(id)).body.status).toBe('COMPLETED')
  })

  it('refuses an upload announced as larger than 5 GiB before reading it', async () => {
    const { id, url } = await service.announce()
    const upload = request(url, { method: 'PUT', headers: { 'content-length': 5 * 1024 ** 3 + 1 } })
    upload.on('error', () => undefined)
    upload.write('the beginning')
    const [answer] = (await once(upload, 'response')) as [{ statusCode: number; resume: () => void }]
    expect(answer.statusCode).toBe(413)
    upload.destroy()
    expect((await service.get(id)).status).toBe(404)
  })

  it('keeps nothing of an upload whose connection breaks, and accepts it again', async () => {
    const { id, url } = await service.announce()
    const upload = request(url, { method: 'PUT', headers: { 'content-length': 1000 } })
    upload.on('error', () => undefined)
    await new Promise((resolve) => upload.write('half', resolve))
    await new Promise((resolve) => upload.on('close', resolve).destroy())
    expect((await service.get(id)).status).toBe(404)
    expect((await put(url, 'whole')).status).toBe(200)
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('whole')
    expect((await service.uploads()).deliveries).toHaveLength(1)
  })

  it('keeps nothing of an upload that a fault interrupts, and accepts it again', async () => {
    const { id, url } = await service.announce()
    await service.control('POST', '/scenarios/interrupted-upload')
    await expect(put(url, 'x'.repeat(1000))).rejects.toThrow('fetch failed')
    expect((await service.get(id)).status).toBe(404)
    expect((await put(url, 'x'.repeat(1000))).status).toBe(200)
    expect((await service.uploads()).deliveries).toHaveLength(1)
  })
})

describe('GET', () => {
  it('returns the file with its type, length, name and entity tag', async () => {
    const title = 'Übungen "1"'
    const body = { type: 'INTERNAL', title, extension: 'txt' }
    await put((await service.call<{ url: string }>('POST', '/', { body })).body.url, content)
    const { url } = await service.one((attachment) => attachment.title === title)
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([200, content])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': `attachment; filename="_bungen \\"1\\".txt"; filename*=UTF-8''%C3%9Cbungen%20%221%22.txt`,
      etag: '"781e5e245d69b566979b86e28d23f2c7"',
      'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each([
    ['bytes=0-0', 206, 'bytes 0-0/10', '0'],
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=9-20', 206, 'bytes 9-9/10', '9'],
    ['bytes=0-1,4-5', 200, null, content],
    ['bytes=nonsense', 200, null, content],
  ])('answers the range %s with %i', async (range, status, contentRange, expected) => {
    const response = await fetch(await download(), { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange])
    expect(await response.text()).toBe(expected)
  })

  it('answers a range outside the file with 416 and the length', async () => {
    const response = await fetch(await download(), { headers: { range: 'bytes=10-' } })
    expect(response.headers.get('content-range')).toBe('bytes */10')
    expect(await refusal(response)).toEqual([416, 'InvalidRange'])
  })

  it('tells the size and the date of a file to a client that asks for its first byte', async () => {
    const received = async (url: string) => {
      const { status, headers } = await fetch(url, { headers: { range: 'bytes=0-0' } })
      const names = ['content-range', 'content-length', 'accept-ranges', 'last-modified']
      return [status, ...names.map((name) => headers.get(name))]
    }
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    const url = await download()
    await service.advance(60)
    expect(await received(url)).toEqual([206, 'bytes 0-0/10', '1', 'bytes', date])
    const empty = (await service.get(await service.upload(''))).body.url
    const [status, range, , ...others] = await received(empty)
    expect([status, range, ...others]).toEqual([416, 'bytes */0', 'bytes', 'Fri, 20 Nov 2026 12:01:00 GMT'])
  })

  it('with If-Range returns the range of an unchanged file, and all of another', async () => {
    const url = await download()
    const ranged = async (tag: string) =>
      (await fetch(url, { headers: { range: 'bytes=5-', 'if-range': tag } })).text()
    expect(await ranged('"781e5e245d69b566979b86e28d23f2c7"')).toBe('56789')
    expect(await ranged('"another"')).toBe(content)
  })

  it('meets the conditions of RFC 9110 in their order, and ignores dates that are none', async () => {
    const url = await download()
    const { headers } = await fetch(url)
    const [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString()
    const status = async (given: Record<string, string>) => (await fetch(url, { headers: given })).status
    const other = '"another"'
    expect(await status({ 'if-match': etag })).toBe(200)
    expect(await refusal(await fetch(url, { headers: { 'if-match': other } }))).toEqual([
      412,
      'PreconditionFailed',
    ])
    expect(await status({ 'if-match': etag, 'if-unmodified-since': earlier })).toBe(200)
    expect(await status({ 'if-unmodified-since': earlier })).toBe(412)
    expect(await status({ 'if-unmodified-since': modified })).toBe(200)
    expect(await status({ 'if-modified-since': modified })).toBe(304)
    expect(await status({ 'if-modified-since': earlier })).toBe(200)
    expect(await status({ 'if-none-match': other, 'if-modified-since': modified })).toBe(200)
    expect(await status({ 'if-modified-since': 'x', 'if-unmodified-since': 'x' })).toBe(200)
  })

  it('answers 304 with If-None-Match when the file is unchanged', async () => {
    const url = await download()
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const same = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetch(url, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })
})

it('HEAD returns the headers of GET without the file', async () => {
  const url = await download()
  const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
  const described = ({ headers }: Response) =>
    ['content-type', 'content-length', 'content-disposition', 'etag'].map((name) => headers.get(name))
  expect([head.status, described(head), await head.text()]).toEqual([200, described(get), ''])
  const part = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '2'])
  expect((await fetch(altered(url, 'expires', '1'), { method: 'HEAD' })).status).toBe(403)
})

describe('a pre-signed URL', () => {
  it('is valid for an hour', async () => {
    const { url: upload } = await service.announce()
    const url = await download()
    await service.advance(3599)
    expect((await put(upload, content)).status).toBe(200)
    expect((await fetch(url)).status).toBe(200)
    await service.advance(1)
    expect(await refusal(await put(upload, content))).toEqual([403, 'AccessDenied'])
    expect(await refusal(await fetch(url))).toEqual([403, 'AccessDenied'])
  })

  it('allows one method', async () => {
    const { url: upload } = await service.announce()
    const url = await download()
    expect(await refusal(await fetch(upload))).toEqual([403, 'AccessDenied'])
    expect(await refusal(await put(url, 'other'))).toEqual([403, 'AccessDenied'])
    expect(await (await fetch(url)).text()).toBe(content)
    for (const method of ['POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect(await refusal(await fetch(url, { method }))).toEqual([405, 'MethodNotAllowed'])
    }
  })

  it('cannot be altered', async () => {
    const url = await download()
    for (const [name, value] of [
      ['expires', '99999999999'],
      ['contentType', 'text/html'],
      ['fileName', 'a.exe'],
      ['signature', 'f'.repeat(64)],
    ] as const) {
      expect(await refusal(await fetch(altered(url, name, value)))).toEqual([403, 'SignatureDoesNotMatch'])
    }
    const other = new URL(url)
    other.pathname = other.pathname.replace(/[^/]+$/, 'other.txt')
    expect(await refusal(await fetch(other))).toEqual([403, 'SignatureDoesNotMatch'])
    expect(await refusal(await fetch(url.split('?', 1)[0] ?? ''))).toEqual([403, 'AccessDenied'])
  })

  it('is malformed with a repeated parameter', async () => {
    expect(await refusal(await fetch(`${await download()}&expires=1`))).toEqual([400, 'InvalidRequest'])
  })

  it('is invalid after a reset', async () => {
    const url = await download()
    await service.control('POST', '/reset')
    expect(await refusal(await fetch(url))).toEqual([403, 'SignatureDoesNotMatch'])
  })
})

it.each([
  '/storage',
  '/storage/',
  '/storage/a',
  '/storage/a/b/c',
  '/storage/a/b',
  '/storage/..%2f..%2fetc/passwd',
  '/storage/%00/%00',
])('refuses %s, which is not the address of a file', async (path) => {
  expect(await refusal(await fetch(`${service.server.origin}${path}`))).toEqual([
    path.split('/').length === 4 ? 403 : 404,
    path.split('/').length === 4 ? 'AccessDenied' : 'NoSuchKey',
  ])
})

describe('POST /_mock/storage', () => {
  it('sets the faults of the storage and returns all of them', async () => {
    const noFaults = {
      full: false,
      empty: false,
      earlyRefusals: 0,
      oneCredential: false,
      urlLifetimeSeconds: 3600,
      uploadBytesPerSecond: null,
    }
    expect((await service.control('GET', '/storage')).body).toEqual(noFaults)
    const changed = await service.control('POST', '/storage', { full: true, urlLifetimeSeconds: 7 })
    expect(changed.body).toEqual({ ...noFaults, full: true, urlLifetimeSeconds: 7 })
    await service.control('POST', '/scenarios/all-well')
    expect((await service.control('GET', '/storage')).body).toEqual(noFaults)
  })

  it.each([
    undefined,
    [],
    { full: 1 },
    { full: null },
    { urlLifetimeSeconds: -1 },
    { uploadBytesPerSecond: 0 },
    { other: 1 },
  ])('refuses %j', async (body) => {
    const { status, body: refused } = await service.control('POST', '/storage', body)
    expect([status, refused]).toEqual([400, { error: expect.stringMatching(/\w/) as string }])
  })
})
