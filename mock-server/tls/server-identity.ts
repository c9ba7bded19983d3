import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { temporaryFolder } from '../state/temporary-folder'
import { type CertificateFields, certificatePem, serialNumberOf } from '../vpn/certificate-der'
import { messageOf } from '../errors'

export interface TlsIdentity {
  https: ServerOptions
  /** File with the certificate that clients must trust; undefined for a given certificate. */
  caFile: string | undefined
  /** Returns a certificate for these names, or the given one, with its key. */
  issue(names: string[]): { cert: string; key: string }
  close(): void
}

const dayMs = 24 * 60 * 60 * 1000
const caName = 'Causeway mock server CA'
/** Some systems refuse server certificates that are valid for longer than 825 days. */
const leafDays = 800
const caDays = 3650
const maxNames = 200

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Certificates of a new CA, or a certificate and its key in PEM files. */
export type TlsOption = 'generated' | { cert: string; key: string }

export function openTls(option: TlsOption, host: string): TlsIdentity {
  return option === 'generated' ? generateTls(host) : readTls(option)
}

/** Returns the names and addresses under which clients without SNI may call the mock. */
function usualNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.map(({ address }) => address.replace(/%.*$/, '')),
  )
  const emulator = '10.0.2.2'
  return [...new Set(['localhost', '127.0.0.1', '::1', emulator, hostname(), host, ...addresses])].filter(
    (name) => isIP(name) !== 0 || isDnsName(name),
  )
}

function isDnsName(name: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(name)
}

/** Creates a CA, a file with its certificate, and a certificate for each name that a client asks for. */
function generateTls(host: string): TlsIdentity {
  // Random, not from the seed: people may trust the CA in a browser.
  const authority = newKeys()
  const keys = newKeys()
  /** The period is by the machine's clock: clients check TLS certificates with theirs, not with the mock's. */
  const issued = (about: Pick<CertificateFields, 'role' | 'commonName' | 'subjectNames'>, days: number) =>
    certificatePem(
      {
        ...about,
        issuerCommonName: caName,
        serialNumber: serialNumberOf(randomBytes(16)),
        publicKey: about.role === 'authority' ? authority.publicKey : keys.publicKey,
        issuerPublicKey: authority.publicKey,
        notBefore: new Date(Date.now() - dayMs),
        notAfter: new Date(Date.now() + days * dayMs),
      },
      authority.privateKey,
    )
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const certificateFor = (names: string[]) =>
    issued(
      { role: 'server', commonName: (names[0] ?? 'localhost').slice(0, 64), subjectNames: names },
      leafDays,
    )
  const contexts = new Map<string, SecureContext>()
  const contextFor = (name: string): SecureContext => {
    const known = contexts.get(name)
    if (known !== undefined) return known
    if (contexts.size >= maxNames) contexts.clear()
    const context = createSecureContext({ key, cert: certificateFor([name]) })
    contexts.set(name, context)
    return context
  }
  const folder = temporaryFolder('tls')
  const caFile = join(folder.path, 'ca.pem')
  writeFileSync(caFile, `${issued({ role: 'authority', commonName: caName }, caDays)}\n`)
  return {
    https: {
      key,
      cert: certificateFor(usualNames(host)),
      SNICallback: (name, done) => {
        if (isDnsName(name)) done(null, contextFor(name.toLowerCase()))
        else done(new Error('The server name is not valid.'))
      },
    },
    caFile,
    issue: (names) => ({ cert: certificateFor(names), key: key.toString() }),
    close: () => {
      folder.remove()
    },
  }
}

function read(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`The ${what} ${file} cannot be read. ${messageOf(error)}`, { cause: error })
  }
}

/** Reads a certificate, with its chain, and its key from PEM files. Throws an Error if they can't be used together. */
function readTls(files: { cert: string; key: string }): TlsIdentity {
  const cert = read(files.cert, 'TLS certificate')
  const key = read(files.key, 'TLS key')
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new Error(`The TLS certificate ${files.cert} and the key ${files.key} cannot be used together.`, {
      cause: error,
    })
  }
  return { https: { cert, key }, caFile: undefined, issue: () => ({ cert, key }), close: () => undefined }
}
