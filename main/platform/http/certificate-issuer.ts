import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { CausewayError } from '../../errors'
import { printable } from '../../../contract/safe-text'

const unknownAuthority = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const timeoutMs = 5000
const longestChain = 10

/**
 * Adds the name of an unknown certificate authority to a TLS error, in `details.issuer`; returns other errors unchanged.
 * Connects once more for the certificate, without sending anything to the untrusted server.
 */
export async function withIssuer(
  error: unknown,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(error instanceof CausewayError) || error.code !== 'http/tls-failed') return error
  if (!unknownAuthority.includes(String(error.details?.tlsCode))) return error
  const issuer = await certificateIssuer(url, signal)
  if (issuer === undefined) return error
  return new CausewayError('http/tls-failed', {
    variant: 'unknown-authority',
    details: { host: url.host, reason: '', ...error.details, issuer },
    cause: error,
  })
}

/** Returns the name of the issuer of the server's topmost certificate; undefined if it does not send one in time. */
function certificateIssuer(url: URL, signal: AbortSignal | undefined): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // The certificate is known to be rejected; this connection only reads it.
      rejectUnauthorized: false,
    })
    const done = (issuer?: string): void => {
      signal?.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(issuer)
    }
    const giveUp = (): void => {
      done()
    }
    signal?.addEventListener('abort', giveUp)
    socket.setTimeout(timeoutMs, giveUp)
    socket.once('error', giveUp)
    socket.once('close', giveUp)
    socket.once('secureConnect', () => {
      done(nameOf(topmost(socket.getPeerCertificate(true))))
    })
    if (signal?.aborted === true) giveUp()
  })
}

function topmost(leaf: DetailedPeerCertificate): DetailedPeerCertificate {
  let certificate = leaf
  for (let length = 1; length < longestChain; length += 1) {
    // A self-signed certificate names itself.
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
