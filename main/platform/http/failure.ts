import { CausewayError } from '../../errors'
import { isMissingIpv4 } from './only-ipv6'

/** Sentences for the error codes of Node.js and OpenSSL about certificates. */
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

const timeOutCodes = [
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]

/** What else the system says about sockets and names, undici and zlib about answers, and OpenSSL about certificates. */
const otherNetworkCodes: readonly (string | RegExp)[] = [
  ...'EACCES EPERM EADDRINUSE EAFNOSUPPORT EALREADY ECANCELED ECONNABORTED EDESTADDRREQ EHOSTDOWN EINVAL EMFILE EMSGSIZE'.split(
    ' ',
  ),
  ...'ENETRESET ENFILE ENOBUFS ENOMEM ENONET ENOPROTOOPT ENOTCONN ENOTSOCK EPROTONOSUPPORT ESHUTDOWN UNKNOWN'.split(
    ' ',
  ),
  ...'EBADNAME EBADRESP EFORMERR ENODATA ENOTIMP EREFUSED ESERVFAIL ETIMEOUT'.split(' '),
  /^EAI_/,
  /^HPE_/,
  /^UND_ERR_(?:ABORTED|HEADERS_OVERFLOW|INFO|RESPONSE|RES_\w+)$/,
  ...'ABORT_ERR ERR_STREAM_PREMATURE_CLOSE'.split(' '),
  /^Z_/,
  /^ERR_(?:BROTLI|_ERROR)_/,
]

/** Those of certificates without a sentence of their own, such as one whose key is too short. */
const otherCertificateCodes =
  /^(?:CRL_|ERROR_IN_|UNABLE_TO_|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|UNSPECIFIED$)/

/**
 * Returns the error for a failed request; undefined for a defect: an error that neither the network nor the server explains.
 * `stage` is `body` once the headers have arrived. The error contains the host and the reason, nothing that was sent or received.
 */
export function networkFailure(
  error: unknown,
  url: URL,
  stage: 'headers' | 'body',
): CausewayError | undefined {
  const code = deepestCode(error)
  const host = url.host
  if (code === undefined) return undefined
  if (tooOldCodes.includes(code))
    return new CausewayError('http/tls-too-old', { details: { host, tlsCode: code } })
  // Node.js says so about arguments, also about those of TLS.
  if (innermost(error) instanceof TypeError) return undefined
  const problem = certificateProblems[code]
  if (problem !== undefined || isTlsCode(code)) {
    const reason = problem ?? 'the TLS handshake failed'
    return new CausewayError('http/tls-failed', { details: { host, reason, tlsCode: code } })
  }
  if (timeOutCodes.includes(code)) return timedOut(url)
  if (!isNetworkCode(code)) return undefined
  const reason = unreachableReason(code, stage)
  return unreachable(url, reason === 'no-route' && isMissingIpv4(error) ? 'no-ipv4' : reason)
}

function isNetworkCode(code: string): boolean {
  return (
    Object.hasOwn(unreachableReasons, code) ||
    otherNetworkCodes.some((known) => (typeof known === 'string' ? known === code : known.test(code)))
  )
}

/** OpenSSL's and BoringSSL's codes for a server that doesn't support the TLS versions offered to it. */
const tooOldCodes = [
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_VERSION_NUMBER_OF_PEER',
  'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
]

function unreachable(url: URL, reason: string): CausewayError {
  return new CausewayError('http/unreachable', { details: { host: url.host, reason } })
}

/** Returns the error for an answer that is not HTTP. */
export function invalidAnswer(url: URL): CausewayError {
  return unreachable(url, 'invalid-answer')
}

/** Returns the error for a request that its caller cancelled, with its host if it is known. */
export function requestCancelled(url?: URL): CausewayError {
  return new CausewayError('http/cancelled', { details: url && { host: url.host } })
}

/** Returns the error for plain http to another computer, another scheme, or an address with a password. */
export function insecureUrl(url: URL): CausewayError {
  return new CausewayError('http/insecure-url', {
    details: { scheme: url.protocol.replace(':', ''), host: url.host },
  })
}

export function timedOut(url: URL): CausewayError {
  return new CausewayError('http/timed-out', { details: { host: url.host } })
}

function unreachableReason(code: string, stage: 'headers' | 'body'): string {
  if (code.startsWith('HPE_')) return 'invalid-answer'
  if (stage === 'body') return 'incomplete-answer'
  return unreachableReasons[code] ?? 'unknown'
}

function isTlsCode(code: string): boolean {
  return /^ERR_(?:SSL|TLS|OSSL)_/.test(code) || code === 'EPROTO' || otherCertificateCodes.test(code)
}

/** Returns the error within: undici wraps some reasons in a cause, and `dial` those of all addresses. */
function within(error: Error): unknown {
  const inner: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined)
  return inner === error ? undefined : inner
}

function innermost(error: unknown): unknown {
  const inner = error instanceof Error ? within(error) : undefined
  return inner === undefined ? error : innermost(inner)
}

/** Returns the innermost code. */
function deepestCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const innerCode = deepestCode(within(error))
  if (innerCode !== undefined) return innerCode
  if ('code' in error && typeof error.code === 'string') return error.code
  // The parser has no code for an answer that doesn't begin as HTTP.
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined
}
