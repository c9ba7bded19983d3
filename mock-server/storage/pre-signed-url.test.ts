import { describe, expect, it } from 'vitest'
import { checkContentType, grantOf, signedQuery, type Grant } from './pre-signed-url'

const secret = 'ab'.repeat(32)
const now = new Date('2026-11-20T12:00:00Z')
const grant: Grant = {
  method: 'GET',
  key: 'id/file.txt',
  expires: now.getTime() / 1000 + 3600,
  contentType: 'text/plain',
  fileName: '数字 & more.txt',
}
const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text))
const good = queryOf(signedQuery(secret, grant))
const read = (change: Record<string, string | undefined>, request = {}) =>
  grantOf(secret, { method: 'GET', key: grant.key, query: { ...good, ...change }, now, ...request })

const anyWords = expect.stringMatching(/\w/) as string

function refusal(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    const { statusCode, code, message } = error as { statusCode: number; code: string; message: string }
    return [statusCode, code, message]
  }
  return 'allowed'
}

describe('a pre-signed URL', () => {
  it('returns the grant that it was made for', () => {
    expect(read({})).toEqual(grant)
    expect(read({}, { method: 'HEAD' })).toEqual(grant)
  })

  it.each([
    ['method', 'PUT'],
    ['expires', String(grant.expires + 1)],
    ['contentType', 'text/html'],
    ['fileName', 'other.txt'],
    ['fileName', undefined],
    ['signature', '0'.repeat(64)],
    ['signature', good.signature?.toUpperCase()],
    ['signature', good.signature?.slice(2)],
    ['signature', ''],
    ['signature', 'é'.repeat(64)],
  ])('is refused when %s is changed to %s', (name, value) => {
    expect(refusal(() => read({ [name]: value }))).toEqual([403, 'SignatureDoesNotMatch', anyWords])
  })

  it('is refused for another key or with another secret', () => {
    expect(refusal(() => read({}, { key: 'id/other.txt' }))).toEqual([403, 'SignatureDoesNotMatch', anyWords])
    const foreign = queryOf(signedQuery('cd'.repeat(32), grant))
    expect(refusal(() => read(foreign))).toEqual([403, 'SignatureDoesNotMatch', anyWords])
  })

  it('is refused as unsigned without its parameters', () => {
    for (const name of ['method', 'expires', 'signature']) {
      expect(refusal(() => read({ [name]: undefined }))).toEqual([
        403,
        'AccessDenied',
        'The URL is not signed. Ask the attachments service for one.',
      ])
    }
  })

  it('is refused for another method, with a reason', () => {
    expect(refusal(() => read({}, { method: 'PUT' }))).toEqual([
      403,
      'AccessDenied',
      'The URL is for GET, not for PUT.',
    ])
  })

  it('expires at its exact second', () => {
    const at = (milliseconds: number) => read({}, { now: new Date(grant.expires * 1000 + milliseconds) })
    expect(at(-1)).toEqual(grant)
    expect(refusal(() => at(0))).toEqual([
      403,
      'AccessDenied',
      'The URL has expired at 2026-11-20T13:00:00.000Z. Ask for a new one.',
    ])
  })
})

it.each([
  [undefined, 'allowed'],
  ['text/plain', 'allowed'],
  ['Text/Plain; charset=latin1', 'allowed'],
  ['application/octet-stream', 'allowed'],
  ['application/x-www-form-urlencoded', 'allowed'],
  ['text/html', [403, 'AccessDenied', 'The URL is for files of the type text/plain, not for text/html.']],
  ['', [403, 'AccessDenied', 'The URL is for files of the type text/plain, not for .']],
])('checks an upload of text/plain with the Content-Type %s', (header, expected) => {
  expect(
    refusal(() => {
      checkContentType(grant, header)
    }),
  ).toEqual(expected)
})

it('accepts the default Content-Type of fetch for every type of file', () => {
  const pdf = { ...grant, contentType: 'application/pdf' }
  expect(
    refusal(() => {
      checkContentType(pdf, 'text/plain;charset=UTF-8')
    }),
  ).toBe('allowed')
  expect(
    refusal(() => {
      checkContentType(pdf, 'text/plain')
    }),
  ).toEqual([403, 'AccessDenied', anyWords])
})
