import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

/** Where Linux distributions keep their certificate store, as one file; the first that is there is read. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

const keychains = [
  '/System/Library/Keychains/SystemRootCertificates.keychain',
  '/Library/Keychains/System.keychain',
]

/** The part of `node:tls` that Node.js has from 22.15 on. */
interface Newer {
  getCACertificates?: (type: 'default' | 'system') => string[]
}

export interface AuthoritiesOptions {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: Node.js's own, where it has one. */
  readonly getCACertificates?: Newer['getCACertificates']
}

/**
 * Returns the certificates (PEM) of the authorities to trust for https: those that come with Node.js, those of
 * `NODE_EXTRA_CA_CERTS`, and those of the system's certificate store. On Linux `SSL_CERT_FILE` names another store, as for
 * other programs. What cannot be read adds nothing. Windows needs Node.js 22.15 or newer for its store.
 */
export async function readAuthorities(options: AuthoritiesOptions): Promise<string[]> {
  const { env, getCACertificates = (tls as Newer).getCACertificates } = options
  // Read here too, because an installed app has Node.js ignore its environment variables.
  const extra = await certificatesIn(env.NODE_EXTRA_CA_CERTS)
  const system = await systemAuthorities({ ...options, getCACertificates })
  const added = [...(extra ?? []), ...system].filter(isReadable)
  const all = [...(getCACertificates?.('default') ?? tls.rootCertificates), ...added]
  return [...new Set(all.map((certificate) => certificate.trim()))]
}

async function systemAuthorities({
  platform,
  env,
  getCACertificates,
}: AuthoritiesOptions): Promise<readonly string[]> {
  // The file is read without blocking the process, and is the same for every version of Node.js.
  if (platform === 'linux') {
    for (const path of env.SSL_CERT_FILE ? [env.SSL_CERT_FILE] : bundles) {
      const found = await certificatesIn(path)
      if (found !== undefined) return found
    }
  }
  try {
    if (getCACertificates !== undefined) return getCACertificates('system')
    return platform === 'darwin' ? await keychainCertificates() : []
  } catch {
    return []
  }
}

async function keychainCertificates(): Promise<string[]> {
  const { execa } = await import('execa')
  const { stdout } = await execa('/usr/bin/security', ['find-certificate', '-a', '-p', ...keychains])
  return certificatesOf(stdout)
}

async function certificatesIn(path: string | undefined): Promise<string[] | undefined> {
  if (!path) return undefined
  try {
    return certificatesOf(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

function certificatesOf(text: string): string[] {
  const pem = /-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g
  return [...text.replaceAll('\r', '').matchAll(pem)].map(([certificate]) => certificate)
}

/** One damaged certificate would make Node.js refuse them all. */
function isReadable(certificate: string): boolean {
  try {
    new X509Certificate(certificate)
    return true
  } catch {
    return false
  }
}
