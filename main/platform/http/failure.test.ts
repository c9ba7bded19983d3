import { expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { createHttpClient } from './http-client'
import { networkFailure } from './failure'
import { rejection } from './test-server.testing'
import { Transport } from './transport'
import { createTestAuthority } from './test-authority.testing'
import { startTestProxy } from './test-proxy.testing'

const url = new URL('https://vpn.example.org/')
const withCode = (code: string, error = new Error('x')) => Object.assign(error, { code })
const codeOf = (error: unknown, stage: 'headers' | 'body' = 'headers') => {
  const failure = networkFailure(error, url, stage)
  return failure && [failure.code, failure.details?.reason]
}

it.each([
  ['a mistake in the code', new TypeError('createSecureContext is not a function')],
  ['one within another error', new Error('failed', { cause: new TypeError('x') })],
  ['a wrong argument, which has a code', withCode('ERR_INVALID_ARG_TYPE', new TypeError('x'))],
  ['a wrong argument of TLS', withCode('ERR_TLS_INVALID_CONTEXT', new TypeError('x'))],
  ['a wrong argument of undici', withCode('UND_ERR_INVALID_ARG')],
  ['an error without a code', new Error('x')],
  ['a file that is missing', withCode('ENOENT')],
  ['no error', 'x'],
])('%s is a defect, not a server that cannot be reached', (_what, error) => {
  expect(codeOf(error)).toBeUndefined()
  expect(codeOf(error, 'body')).toBeUndefined()
})

it.each([
  ['ECONNREFUSED', ['http/unreachable', 'refused']],
  ['EAI_FAIL', ['http/unreachable', 'unknown']],
  ['EACCES', ['http/unreachable', 'unknown']],
  ['UND_ERR_SOCKET', ['http/unreachable', 'reset']],
  ['HPE_INVALID_CONSTANT', ['http/unreachable', 'invalid-answer']],
  ['CERT_HAS_EXPIRED', ['http/tls-failed', 'its certificate has expired']],
  ['UNSPECIFIED', ['http/tls-failed', 'the TLS handshake failed']],
  ['EPROTO', ['http/tls-failed', 'the TLS handshake failed']],
])('%s comes from the network', (code, expected) => {
  expect(codeOf(withCode(code))).toEqual(expected)
  expect(codeOf(new AggregateError([withCode(code)]))).toEqual(expected)
})

it.each(['Z_DATA_ERROR', 'ERR__ERROR_FORMAT_PADDING_1', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_ABORTED'])(
  '%s is an answer that was cut off',
  (code) => {
    expect(codeOf(withCode(code), 'body')).toEqual(['http/unreachable', 'incomplete-answer'])
  },
)

it.each([['directly'], ['through a proxy']] as const)(
  'passes a defect on as it is, with its stack, %s',
  async (way) => {
    const server = await createTestAuthority('Any Root').serve((_request, response) => response.end())
    const defect = new TypeError('tls.createSecureContext is not a function')
    const proxy = way === 'directly' ? undefined : await startTestProxy({ leadsTo: Number(server.port) })
    const transport = new Transport({
      trust: { secureContext: () => Promise.reject(defect) },
      proxyFor: () =>
        Promise.resolve(proxy && { protocol: 'https:' as const, host: '127.0.0.1', port: proxy.port }),
    })
    const http = createHttpClient(() => Promise.resolve(transport))
    const error = await rejection(http.send(server))
    expect(error).toBe(defect)
    expect(error).not.toBeInstanceOf(CausewayError)
  },
)
