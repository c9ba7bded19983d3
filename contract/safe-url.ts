/**
 * The addresses that each purpose allows. Every address that a person types or a server sends passes this table; no other
 * module decides about schemes, plain http, passwords, or private networks.
 */
const purposes = {
  /** A request of Causeway, at the last moment before it is sent. */
  request: { plainHttp: 'loopback', mayHave: ['query', 'fragment'], networks: 'any' },
  /** A redirect of a request; `from` is the address that was asked. */
  redirect: {
    plainHttp: 'loopback-from-http',
    mayHave: ['query', 'fragment'],
    networks: 'no-further-inside',
    relative: true,
  },
  /** An endpoint in a service's description; `from` is the address of the description. */
  endpoint: { plainHttp: 'loopback-from-loopback', mayHave: ['query'], networks: 'no-further-inside' },
  /** The base of an API, to which paths are added. */
  base: { plainHttp: 'loopback-from-loopback', mayHave: [], networks: 'no-further-inside' },
  /** A file or page that a signed list or a feed names. */
  listed: {
    plainHttp: 'loopback-from-loopback',
    mayHave: ['query', 'fragment'],
    networks: 'any',
    relative: true,
  },
  /** An address of a service or of signed lists, as a person or an administrator types it. */
  typed: { plainHttp: 'loopback', mayHave: [], networks: 'any' },
  /** A pre-signed address of a storage; `from` is the service that named it. */
  file: {
    plainHttp: 'loopback-from-loopback',
    mayHave: ['query', 'fragment'],
    networks: 'public-or-own',
  },
  /** A picture; `from` is the service that named it. */
  picture: { plainHttp: 'loopback-from-loopback', mayHave: ['query', 'fragment'], networks: 'public' },
  /** A page that the person opens in a browser, which decides by itself. */
  page: { plainHttp: 'any', mayHave: ['query', 'fragment'], networks: 'any' },
  /** A proxy server, which the person or the administrator of the computer chose. */
  proxy: { plainHttp: 'any', mayHave: ['userinfo'], networks: 'any' },
} as const satisfies Readonly<Record<string, Rule>>

export type UrlPurpose = keyof typeof purposes

interface Rule {
  /**
   * The hosts that plain http may go to: this computer; this computer, if `from` is on it too, so that no remote server
   * directs Causeway to local addresses; this computer, if `from` is plain http too; all hosts.
   */
  readonly plainHttp: 'loopback' | 'loopback-from-loopback' | 'loopback-from-http' | 'any'
  readonly mayHave: readonly ('query' | 'fragment' | 'userinfo')[]
  /**
   * The networks of the addresses that a request may go to, apart from the origin of `from` (main/platform/http/address-rules.ts).
   * `public-or-own`: also private networks, if `from` is in one. `no-further-inside`: discovery asks for the addresses of the
   * names (main/portal/discovery/inner-hosts.ts).
   */
  readonly networks: 'any' | 'public' | 'public-or-own' | 'no-further-inside'
  /** The address may be relative to `from`. */
  readonly relative?: boolean
}

export type UrlProblem = 'malformed' | 'scheme' | 'userinfo' | 'query' | 'fragment' | 'insecure'

/** Returns the networks that a purpose allows. */
export function allowedNetworks(purpose: UrlPurpose): Rule['networks'] {
  return purposes[purpose].networks
}

/**
 * Reads an address for a purpose, or returns what is wrong with it. `from` is the address that named it, which some purposes
 * compare it with; without one, they allow no plain http.
 */
export function readUrl(purpose: UrlPurpose, text: string, from?: URL): URL | UrlProblem {
  const rule: Rule = purposes[purpose]
  const base = rule.relative === true ? from?.href : undefined
  // The parser drops control characters and outer spaces, and takes `https:host` and `https:///host` for `https://host`.
  const isOdd = /\p{C}|^\s|\s$|^https?:(?!\/\/[^/\\])/iu.test(text)
  if (isOdd || !URL.canParse(text, base)) {
    return 'malformed'
  }
  const url = new URL(text, base)
  return urlProblem(purpose, url, from) ?? url
}

/** Returns the address for a purpose; undefined if it is not allowed, or there is none. */
export function safeUrl(purpose: UrlPurpose, text: string | null | undefined, from?: URL): URL | undefined {
  const url = readUrl(purpose, text ?? '', from)
  return typeof url === 'string' ? undefined : url
}

/** Returns the first reason why an address isn't allowed for a purpose; undefined if it is allowed. */
export function urlProblem(purpose: UrlPurpose, url: URL, from?: URL): UrlProblem | undefined {
  const { plainHttp, mayHave }: Rule = purposes[purpose]
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if ((url.username !== '' || url.password !== '') && !mayHave.includes('userinfo')) return 'userinfo'
  // In `search` and `hash`, a bare `?` or `#` looks like none, but stands between the address and what is added to it.
  const [, query, fragment] = /^[^?#]*(\?[^#]*)?(#.*)?$/.exec(url.href) ?? []
  if (query !== undefined && !mayHave.includes('query')) return 'query'
  if (fragment !== undefined && !mayHave.includes('fragment')) return 'fragment'
  if (url.protocol === 'https:' || plainHttp === 'any') return undefined
  const isAllowed = {
    loopback: true,
    'loopback-from-http': from?.protocol === 'http:',
    'loopback-from-loopback': from !== undefined && isLoopbackHost(from.hostname),
  }[plainHttp]
  return isAllowed && isLoopbackHost(url.hostname) ? undefined : 'insecure'
}

/**
 * Returns true for a host that only this computer can answer for: 127.0.0.0/8, `[::1]` and `localhost`. Takes
 * `URL.hostname`, which normalizes other spellings (`127.1`, `0x7f000001`).
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
