import { BlockList, isIP } from 'node:net'
import { isLoopbackHost, readUrl } from '../../../contract/safe-url'
import { endpointOf } from './dial'

/** A proxy server that passes connections on with CONNECT. */
export interface Proxy {
  readonly protocol: 'http:' | 'https:'
  readonly host: string
  readonly port: number
  /** Never in a log, an error or the window. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined
}

/** The reason why no proxy can be used although one is set up. */
export interface UnusableProxy {
  readonly problem: 'malformed' | 'unsupported'
  /** The variable or the system's word for the proxy, without its user and password. */
  readonly source: string
}

/** Returns the proxy for a URL; undefined to connect directly. */
export type ProxyFor = (url: URL) => Promise<Proxy | UnusableProxy | undefined>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables for https addresses, first match. `HTTP_PROXY` comes last: where it is the only one, it is also the only way
 * out, and Causeway sends plain http to this computer alone.
 */
const variables = [
  'https_proxy',
  'HTTPS_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'http_proxy',
  'HTTP_PROXY',
] as const

/** Returns true if the variables name a proxy. */
export function hasProxyVariables(env: Environment): boolean {
  return variables.some((name) => env[name]?.trim())
}

/** Returns the way to a URL as the variables of the environment say it. Never a proxy for this computer. */
export function proxyFromVariables(env: Environment, url: URL): Proxy | UnusableProxy | undefined {
  const name = variables.find((each) => env[each]?.trim())
  if (name === undefined || isLoopbackHost(url.hostname)) return undefined
  if (isExcepted(url, [env.no_proxy, env.NO_PROXY].find((text) => text?.trim()) ?? '')) return undefined
  const text = env[name]?.trim() ?? ''
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { problem: 'unsupported', source: name }
  const proxy = readUrl('proxy', /^https?:/i.test(text) ? text : `http://${text}`)
  return proxy instanceof URL
    ? (toProxy(proxy) ?? { problem: 'malformed', source: name })
    : { problem: 'malformed', source: name }
}

function toProxy(url: URL): Proxy | undefined {
  const { protocol, username, password } = url
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  try {
    return {
      protocol,
      ...endpointOf(url),
      credentials:
        username === ''
          ? undefined
          : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

/**
 * Reads the answer of the system's settings or of a PAC script, such as `PROXY proxy.example.org:8080; DIRECT`: the first way
 * that Causeway can go.
 */
export function proxyFromSystem(answer: string, url: URL): Proxy | UnusableProxy | undefined {
  if (isLoopbackHost(url.hostname)) return undefined
  const ways = answer
    .split(';')
    .map((way) => way.trim())
    .filter((way) => way !== '')
  for (const way of ways) {
    const [kind = '', address = ''] = way.split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return undefined
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()]
    const found = scheme === undefined ? undefined : readUrl('proxy', `${scheme}://${address}`)
    const proxy = found instanceof URL ? toProxy(found) : undefined
    if (proxy !== undefined) return proxy
  }
  const [first] = ways
  return first === undefined ? undefined : { problem: 'unsupported', source: first }
}

/** Returns the proxy as people know it, without user and password. */
export function proxyName({ host, port }: Proxy): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * Returns true for a host in a list such as `localhost,.example.org,10.0.0.0/8,vpn.example.net:8443`. A name also stands for
 * the names below it, as for curl.
 */
function isExcepted(url: URL, list: string): boolean {
  const { host: named, port } = endpointOf(url)
  const host = named.replace(/\.$/, '')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '') return false
    if (entry === '*') return true
    const [, bracketed, plain = '', itsPort] = /^(?:\[(.*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? []
    if (itsPort !== undefined && Number(itsPort) !== port) return false
    const name = (bracketed ?? plain).toLowerCase()
    const family = isIP(host)
    if (family !== 0) return isInNetwork(host, family, name)
    const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '')
    return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
  })
}

function isInNetwork(host: string, family: number, entry: string): boolean {
  const [address = '', length] = entry.split('/')
  if (isIP(address) !== family) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const prefix = length === undefined ? (family === 4 ? 32 : 128) : Number(length)
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 4 ? 32 : 128)) return false
  const network = new BlockList()
  network.addSubnet(address, prefix, type)
  return network.check(host, type)
}
