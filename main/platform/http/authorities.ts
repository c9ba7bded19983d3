import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'

/** The certificate stores of Linux distributions, as one file; the first that exists is read. */
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

/** The API of `node:tls` since Node.js 22.15. */
interface Newer {
  getCACertificates?: (type: 'default' | 'system') => string[]
}

interface AuthoritiesOptions {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: the function of Node.js, if it has one. */
  readonly getCACertificates?: Newer['getCACertificates']
}

/**
 * Returns the certificates (PEM) of the authorities to trust for https: those of Node.js, of `NODE_EXTRA_CA_CERTS`, and of
 * the system's certificate store. On Linux `SSL_CERT_FILE` selects another store, as for other programs. Sources that
 * cannot be read are skipped. Windows needs Node.js 22.15 or newer for its store.
 */
export async function readAuthorities(options: AuthoritiesOptions): Promise<string[]> {
  const { env, getCACertificates = (tls as Newer).getCACertificates } = options
  // Read here too, because Node.js ignores the environment variable in an installed app.
  const extra = await certificatesIn(env.NODE_EXTRA_CA_CERTS)
  const system = await systemAuthorities({ ...options, getCACertificates })
  const known = new Map((getCACertificates?.('default') ?? tls.rootCertificates).map(byContent))
  // Most of a system's are those of Node.js with other line ends, and reading each takes time.
  const added = new Map(
    [...(extra ?? []), ...system].map(byContent).filter(([content]) => !known.has(content)),
  )
  return [...known.values(), ...[...added.values()].filter(isReadable)]
}

function byContent(certificate: string): readonly [string, string] {
  return [certificate.replaceAll(/\s/g, ''), certificate.trim()]
}

/**
 * Returns the environment variables that select authorities, with the path of their file, if nothing can be read there: what a
 * company's services are signed with is missing then, and nothing else would say so.
 */
export async function unreadableAuthorities({
  platform,
  env,
}: Pick<AuthoritiesOptions, 'platform' | 'env'>): Promise<
  { readonly variable: string; readonly path: string }[]
> {
  const variables = ['NODE_EXTRA_CA_CERTS', ...(platform === 'linux' ? ['SSL_CERT_FILE'] : [])]
  const found = await Promise.all(
    variables.map(async (variable) => {
      const path = env[variable] ?? ''
      const certificates = await certificatesIn(path)
      return path === '' || certificates?.some(isReadable) === true ? [] : [{ variable, path }]
    }),
  )
  return found.flat()
}

async function systemAuthorities({
  platform,
  env,
  getCACertificates,
}: AuthoritiesOptions): Promise<readonly string[]> {
  // Reading the file does not block the process, and works the same in every version of Node.js.
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

/** Returns false for a damaged certificate, because one makes Node.js reject all. */
function isReadable(certificate: string): boolean {
  try {
    new X509Certificate(certificate)
    return true
  } catch {
    return false
  }
}
