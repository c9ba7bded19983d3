import { CausewayError } from '../../errors'

/** Node's and OpenSSL's words for a certificate that cannot be trusted, in ours. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate isn't valid yet, or this computer's clock is wrong",
  CERT_REVOKED: 'its certificate has been revoked',
  CERT_REJECTED: 'its certificate was rejected',
  CERT_UNTRUSTED: "its certificate isn't trusted",
  CERT_CHAIN_TOO_LONG: 'its certificate chain is too long',
  CERT_SIGNATURE_FAILURE: "its certificate's signature isn't valid",
  INVALID_CA: "its certificate was issued by an authority that isn't allowed to issue certificates",
  INVALID_PURPOSE: "its certificate isn't a server certificate",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "this computer doesn't trust the authority that issued its certificate",
  UNABLE_TO_GET_ISSUER_CERT: "this computer doesn't trust the authority that issued its certificate",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "this computer doesn't trust the authority that issued its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "this computer doesn't trust the authority that issued its certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for a different host',
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
  'name-not-resolved': "its name couldn't be resolved",
  refused: 'it refused the connection',
  reset: 'it closed the connection',
  'no-route': 'there is no route to it on this network',
  'incomplete-answer': 'its response was cut off',
  'invalid-answer': "its response isn't HTTP",
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
    const reason = problem ?? 'the TLS handshake failed'
    return new CausewayError(
      'http/tls-failed',
      `Couldn't connect securely to ${host}: ${reason}. Check the address and this computer's clock, or report this to the service's administrator.`,
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
    `${url.host} couldn't be reached${sentence === undefined ? '' : `: ${sentence}`}. Check your network and the address, then try again.`,
    { details: { host: url.host, reason } },
  )
}

/** The error for an answer that is none of HTTP's. */
export function invalidAnswer(url: URL): CausewayError {
  return unreachable(url, 'invalid-answer')
}

/** The error for a request that its caller gave up. */
export function requestCancelled(): CausewayError {
  return new CausewayError('http/cancelled', "The request was cancelled. Start it again when you're ready.")
}

export function timedOut(url: URL): CausewayError {
  return new CausewayError(
    'http/timed-out',
    `The connection to ${url.host} timed out. Try again later, or use another network.`,
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
