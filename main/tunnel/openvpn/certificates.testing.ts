import forge from 'node-forge'

import { authorityKeys, certificateKeys } from '../../platform/http/rsa-keys.testing'

/** A certificate and its key, both PEM. */
export interface IssuedKeyPair {
  readonly certificate: string
  readonly privateKey: string
}

/** A certificate authority, for tests. */
export interface TestAuthority {
  readonly certificate: string
  issue(options: {
    readonly commonName: string
    readonly usage: 'serverAuth' | 'clientAuth'
    readonly notAfter?: Date
    readonly digest?: 'sha1' | 'sha256'
  }): IssuedKeyPair
}

const day = 24 * 60 * 60 * 1000

export function createTestAuthority(commonName = 'Test authority'): TestAuthority {
  const keys = authorityKeys()
  const subject = [{ name: 'commonName', value: commonName }]
  const certificate = sign({
    subject,
    issuer: subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    notAfter: new Date(Date.now() + day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  return {
    certificate,
    issue: ({ commonName: name, usage, notAfter = new Date(Date.now() + day), digest = 'sha256' }) => {
      const own = certificateKeys()
      return {
        certificate: sign({
          subject: [{ name: 'commonName', value: name }],
          issuer: subject,
          publicKey: own.publicKey,
          signingKey: keys.privateKey,
          notAfter,
          extensions: [
            { name: 'basicConstraints', cA: false, critical: true },
            { name: 'keyUsage', digitalSignature: true, critical: true },
            { name: 'extKeyUsage', [usage]: true },
          ],
          digest,
        }),
        privateKey: own.privateKey,
      }
    },
  }
}

function sign(options: {
  subject: forge.pki.CertificateField[]
  issuer: forge.pki.CertificateField[]
  publicKey: string
  signingKey: string
  notAfter: Date
  extensions: object[]
  digest?: 'sha1' | 'sha256'
}): string {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(options.publicKey)
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`
  certificate.validity.notBefore = new Date(options.notAfter.getTime() - 3 * day)
  certificate.validity.notAfter = options.notAfter
  certificate.setSubject(options.subject)
  certificate.setIssuer(options.issuer)
  certificate.setExtensions(options.extensions)
  certificate.sign(
    forge.pki.privateKeyFromPem(options.signingKey),
    forge.md[options.digest ?? 'sha256'].create(),
  )
  return forge.pki.certificateToPem(certificate)
}
