import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { isIP } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import forge from 'node-forge'
import { authorityKeys, certificateKeys } from './rsa-keys.testing'
import { listen } from './test-server.testing'

interface TestAuthority {
  /** The certificate of the authority, in PEM. */
  readonly certificate: string
  /** Serves https with a certificate of this authority, on a free loopback port until the test ends. */
  serve(handler: RequestListener, options?: ServerOptions): Promise<URL>
  /** Issues a certificate for a host. */
  keyAndCertificate(host: string): { readonly key: string; readonly cert: string }
  /** Creates an intermediate authority. */
  under(name: string): TestAuthority
}

interface ServerOptions extends Pick<SecureContextOptions, 'maxVersion'> {
  /** The server also sends the certificate of its authority. */
  readonly sendsIssuer?: boolean
  /** Default: the address of the server. */
  readonly host?: string
}

/** Creates a certificate authority that nothing trusts by default. */
export function createTestAuthority(name: string): TestAuthority {
  return authority(name)
}

function authority(
  name: string,
  above?: { readonly name: string; readonly privateKey: string },
): TestAuthority {
  const keys = authorityKeys()
  const certificate = issue(
    {
      subject: name,
      issuer: above?.name ?? name,
      publicKey: keys.publicKey,
      signWith: above?.privateKey ?? keys.privateKey,
    },
    [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true },
    ],
  )
  const keyAndCertificate = (host: string) => {
    const own = certificateKeys()
    const altName = isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }
    const cert = issue({ subject: host, issuer: name, publicKey: own.publicKey, signWith: keys.privateKey }, [
      { name: 'subjectAltName', altNames: [altName] },
    ])
    return { key: own.privateKey, cert }
  }
  return {
    certificate,
    keyAndCertificate,
    under: (lower) => authority(lower, { name, privateKey: keys.privateKey }),
    serve: async (handler, { sendsIssuer = false, host = '127.0.0.1', ...options } = {}) => {
      const { key, cert } = keyAndCertificate(host)
      const chain = sendsIssuer ? `${cert}\n${certificate}` : cert
      const server = createServer({ key, cert: chain, ...options }, handler)
      return new URL(`https://127.0.0.1:${await listen(server)}/`)
    },
  }
}

let serialNumber = 1

function issue(
  {
    subject,
    issuer,
    publicKey,
    signWith,
  }: Readonly<Record<'subject' | 'issuer' | 'publicKey' | 'signWith', string>>,
  extensions: object[],
): string {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = String((serialNumber += 1)).padStart(2, '0')
  certificate.validity.notBefore = new Date(Date.now() - 60_000)
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000)
  certificate.setSubject([{ name: 'commonName', value: subject }])
  certificate.setIssuer([{ name: 'commonName', value: issuer }])
  certificate.setExtensions(extensions)
  certificate.sign(forge.pki.privateKeyFromPem(signWith), forge.md.sha256.create())
  return forge.pki.certificateToPem(certificate).replaceAll('\r', '').trim()
}
