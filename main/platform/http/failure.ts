import { CausewayError } from '../../errors'

/** Node's and OpenSSL's words for a certificate that cannot be trusted, in ours. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this computer is wrong',
  CERT_REVOKED: 'its certificate has been revoked',
  CERT_REJECTED: 'its certificate has been rejected',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_CHAIN_TOO_LONG: 'its certificate chain is too long',
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  INVALID_CA: 'its certificate comes from an authority that may not issue one',
  INVALID_PURPOSE: 'its certificate was not made for a server',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'this computer does not trust the authority that issued its certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'this computer does not trust the authority that issued its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'this computer does not trust the authority that issued its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'this computer does not trust the authority that issued its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for another host',
}

const unreachableReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name-not-resolved',
  EAI_AGAIN: 'name-not-resolved',
  EAI_NODATA: 'name-not-resolved',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'no-route',
  ENETUNREACH: 'no-route',
  EADDRNOTAVAIL: 'no-route',
  ENETDOWN: 'no-route',
}

const unreachableSentences: Readonly<Record<string, string>> = {
  'name-not-resolved': 'no such name was found',
  refused: 'it refuses connections',
  reset: 'it closed the connection',
  'no-route': 'there is no network route to it',
  'incomplete-answer': 'its answer broke off',
  'invalid-answer': 'it does not answer in HTTP',
}

const timeOutCodes = [
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]

/**
 * The error for an exchange that fetch gave up. `stage` tells whether the headers had already arrived. The
 * result holds the host and a word or sentence for the reason, nothing of what was sent or received.
 */
export function networkFailure(error: unknown, url: URL, stage: 'headers' | 'body'): CausewayError {
  const code = deepestCode(error) ?? ''
  const host = url.host
  const problem = certificateProblems[code]
  if (problem !== undefined || isTlsCode(code)) {
    const reason = problem ?? 'no secure connection could be agreed upon'
    return new CausewayError(
      'http/tls-failed',
      `The connection to ${host} is not secure: ${reason}. Tell the people who run it, and do not go on.`,
      { details: { host, reason, ...(code === '' ? {} : { tlsCode: code }) } },
    )
  }
  if (timeOutCodes.includes(code)) return timedOut(url)
  return unreachable(url, unreachableReason(code, stage))
}

function unreachable(url: URL, reason: string): CausewayError {
  const sentence = unreachableSentences[reason]
  return new CausewayError(
    'http/unreachable',
    `${url.host} cannot be reached${sentence === undefined ? '' : `: ${sentence}`}. Check the address and the network.`,
    { details: { host: url.host, reason } },
  )
}

/** The error for an answer that is none of HTTP's. */
export function invalidAnswer(url: URL): CausewayError {
  return unreachable(url, 'invalid-answer')
}

/** The error for a request that its caller gave up. */
export function requestCancelled(): CausewayError {
  return new CausewayError('http/cancelled', 'The request was cancelled. Start it again when you want it.')
}

export function timedOut(url: URL): CausewayError {
  return new CausewayError(
    'http/timed-out',
    `${url.host} did not answer in time. Check the network, or try again later.`,
    { details: { host: url.host } },
  )
}

function unreachableReason(code: string, stage: 'headers' | 'body'): string {
  if (code.startsWith('HPE_')) return 'invalid-answer'
  if (stage === 'body') return 'incomplete-answer'
  return unreachableReasons[code] ?? 'unknown'
}

function isTlsCode(code: string): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO'
}

/** fetch hides the reason under one or two causes, and under an AggregateError where a name has several addresses. */
function deepestCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const inner: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  const innerCode = inner === error ? undefined : deepestCode(inner)
  if (innerCode !== undefined) return innerCode
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
