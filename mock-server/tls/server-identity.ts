import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { temporaryFolder } from '../state/temporary-folder'
import { type CertificateFields, certificatePem, serialNumberOf } from '../vpn/certificate-der'
import { messageOf } from '../errors'

export const certificateFaults = [
  'certificate-expired',
  'certificate-not-yet-valid',
  'certificate-changed',
  'wrong-name',
  'self-signed',
  'unknown-authority',
  'missing-intermediate',
] as const
type CertificateFault = (typeof certificateFaults)[number]

export interface TlsIdentity {
  /** File with the CA certificate that clients must trust; undefined for a given certificate. */
  caFile: string | undefined
  /** Returns a certificate for these names, or the given one, with its key. Throws an Error if the fault needs a CA. */
  issue(names: string[], fault?: CertificateFault): { cert: string; key: string }
  close(): void
}

const dayMs = 24 * 60 * 60 * 1000
const caName = 'Causeway mock server CA'
/** Some systems refuse server certificates that are valid for longer than 825 days. */
const leafDays = 800
const caDays = 3650

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Certificates of a new CA, certificates of the CA in PEM files, or the certificate in PEM files. */
export type TlsOption = 'generated' | { ca: string; caKey: string } | { cert: string; key: string }

export function openTls(option: TlsOption): TlsIdentity {
  if (option === 'generated') {
    const folder = temporaryFolder('tls')
    const caFile = join(folder.path, 'ca.pem')
    const { certificate, privateKey } = newAuthority()
    writeFileSync(caFile, certificate)
    const close = (): void => {
      folder.remove()
    }
    return certificatesOf({ name: caName, privateKey }, { caFile, close })
  }
  if ('cert' in option) return readTls(option)
  return certificatesOf(readAuthority(option), { caFile: option.ca, close: () => undefined })
}

/** Creates a CA. Its key is random, not from the seed: people may trust the CA in a browser. */
export function newAuthority(): { certificate: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = newKeys()
  const certificate = issued(
    { role: 'authority', commonName: caName, publicKey },
    { name: caName, privateKey },
    [-1, caDays],
  )
  return { certificate: `${certificate}\n`, privateKey }
}

/** Reads a CA and its key, of any mock, from PEM files. Throws an Error if they can't be used together. */
function readAuthority(files: { ca: string; caKey: string }): Authority {
  const certificate = read(files.ca, 'CA certificate')
  const key = read(files.caKey, 'key of the CA')
  try {
    const parsed = new X509Certificate(certificate)
    const privateKey = createPrivateKey(key)
    const [, name] = /^CN=(.+)$/.exec(parsed.subject) ?? []
    if (
      name === undefined ||
      !parsed.ca ||
      privateKey.asymmetricKeyType !== 'ec' ||
      !parsed.checkPrivateKey(privateKey)
    )
      throw new Error('It must be a CA with nothing but a common name, and its EC key.')
    return { privateKey, name }
  } catch (error) {
    throw new Error(`The CA ${files.ca} and the key ${files.caKey} cannot be used. ${messageOf(error)}`, {
      cause: error,
    })
  }
}

interface Authority {
  name: string
  privateKey: KeyObject
}

/** The period is in days from now by the machine's clock: clients check TLS certificates with theirs, not with the mock's. */
function issued(
  about: Pick<CertificateFields, 'role' | 'commonName' | 'subjectNames' | 'publicKey'>,
  authority: Authority,
  [from, to]: readonly [number, number],
): string {
  const fields = {
    ...about,
    issuerCommonName: authority.name,
    issuerPublicKey: createPublicKey(authority.privateKey),
    serialNumber: serialNumberOf(randomBytes(16)),
    notBefore: new Date(Date.now() + from * dayMs),
    notAfter: new Date(Date.now() + to * dayMs),
  }
  return certificatePem(fields, authority.privateKey)
}

/** Returns the names and addresses under which clients without SNI may call the mock. */
export function usualNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.map(({ address }) => address.replace(/%.*$/, '')),
  )
  const emulator = '10.0.2.2'
  return [...new Set(['localhost', '127.0.0.1', '::1', emulator, hostname(), host, ...addresses])].filter(
    (name) => isIP(name) !== 0 || isDnsName(name),
  )
}

export function isDnsName(name: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(name)
}

function certificatesOf(authority: Authority, { caFile, close }: Omit<TlsIdentity, 'issue'>): TlsIdentity {
  const usual = newKeys()
  const issue: TlsIdentity['issue'] = (names, fault) => {
    const { publicKey, privateKey } = fault === 'certificate-changed' ? newKeys() : usual
    const subjectNames = fault === 'wrong-name' ? ['wrong-name.example'] : names
    const commonName = (subjectNames[0] ?? 'localhost').slice(0, 64)
    const issuer: Partial<Record<CertificateFault, Authority>> = {
      'self-signed': { name: commonName, privateKey },
      'unknown-authority': { name: 'Unknown CA', privateKey: newKeys().privateKey },
      // Its own certificate, which this CA would have issued, is nowhere.
      'missing-intermediate': { name: `${authority.name} (intermediate)`, privateKey: newKeys().privateKey },
    }
    const period: Partial<Record<CertificateFault, [number, number]>> = {
      'certificate-expired': [-90, -1],
      'certificate-not-yet-valid': [1, leafDays],
    }
    const cert = issued(
      { role: 'server', commonName, subjectNames, publicKey },
      (fault && issuer[fault]) ?? authority,
      (fault && period[fault]) ?? [-1, leafDays],
    )
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }
  return { caFile, issue, close }
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
  const issue: TlsIdentity['issue'] = (_names, fault) => {
    if (fault !== undefined)
      throw new Error('The mock has a certificate, but no CA. Start it with --tls or --tls-ca.')
    return { cert, key }
  }
  return { caFile: undefined, issue, close: () => undefined }
}
