import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect, type DetailedPeerCertificate } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { CausewayError } from '../../errors'
import { hostOf } from './dial'
import { printable } from '../../../contract/safe-text'

const unknownAuthority = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
/** Whether the certificate is for the host is checked only after its authority. */
const unclearHost = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID']
const timeoutMs = 5000
const maxChain = 10

/**
 * Adds what the server's certificates say to a TLS error about them; returns other errors unchanged. `details.issuer` is an
 * authority that is unknown, and the variant says whether the server may lack an intermediate certificate.
 * `details.otherHost` is true if the certificate is for another host. `reach` connects once more for the certificates; nothing
 * is sent to the untrusted server.
 */
export async function withIssuer(
  error: CausewayError,
  url: URL,
  reach: () => Promise<Socket>,
  signal: AbortSignal | undefined,
): Promise<CausewayError> {
  const tlsCode = String(error.details?.tlsCode)
  const isUnknown = unknownAuthority.includes(tlsCode)
  if (error.code !== 'http/tls-failed' || !(isUnknown || unclearHost.includes(tlsCode))) return error
  const leaf = await peerCertificate(url, reach, signal)
  if (leaf === undefined) return error
  const top = topmost(leaf)
  const issuer = isUnknown ? nameOf(top) : undefined
  const details = {
    host: url.host,
    reason: '',
    ...error.details,
    ...(checkServerIdentity(hostOf(url), leaf) !== undefined && { otherHost: true }),
  }
  if (issuer === undefined) return new CausewayError('http/tls-failed', { details, cause: error })
  return new CausewayError('http/tls-failed', {
    // A server need not send the root, but it has to send all others: without its issuer, only its administrator can know.
    variant: isSelfIssued(top) ? 'unknown-authority' : 'incomplete-chain',
    details: { ...details, issuer },
    cause: error,
  })
}

/** Returns the certificate of the server with those above it; undefined if it does not send one in time. */
async function peerCertificate(
  url: URL,
  reach: () => Promise<Socket>,
  signal: AbortSignal | undefined,
): Promise<DetailedPeerCertificate | undefined> {
  const host = hostOf(url)
  const raw = await reach().catch(() => undefined)
  if (raw === undefined) return undefined
  return new Promise((resolve) => {
    // The certificate is known to be rejected; this connection only reads it.
    const socket = connect({
      socket: raw,
      servername: isIP(host) === 0 ? host : undefined,
      rejectUnauthorized: false,
    })
    const done = (leaf?: DetailedPeerCertificate): void => {
      signal?.removeEventListener('abort', giveUp)
      socket.destroy()
      raw.destroy()
      resolve(leaf)
    }
    const giveUp = (): void => {
      done()
    }
    signal?.addEventListener('abort', giveUp)
    socket.setTimeout(timeoutMs, giveUp)
    raw.once('error', giveUp)
    socket.once('error', giveUp)
    socket.once('close', giveUp)
    socket.once('secureConnect', () => {
      done(socket.getPeerCertificate(true))
    })
    if (signal?.aborted === true) giveUp()
  })
}

function topmost(leaf: DetailedPeerCertificate): DetailedPeerCertificate {
  let certificate = leaf
  for (let length = 1; length < maxChain; length += 1) {
    // A certificate that the server's chain ends with has none, or names itself.
    const above = certificate.issuerCertificate as DetailedPeerCertificate | undefined
    if (above === undefined || above === certificate) break
    certificate = above
  }
  return certificate
}

/** Returns the issuer's name; a field that occurs several times is a list. */
function nameOf({ issuer }: DetailedPeerCertificate): string | undefined {
  const names = issuer as Readonly<Record<string, unknown>> | undefined
  const name = [names?.CN, names?.O, names?.OU].flat().find((each) => typeof each === 'string' && each !== '')
  return typeof name === 'string' ? printable(name, 100) : undefined
}

function isSelfIssued({ subject, issuer }: DetailedPeerCertificate): boolean {
  return isDeepStrictEqual({ ...subject }, { ...issuer })
}
