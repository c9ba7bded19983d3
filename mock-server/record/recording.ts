import { randomBytes } from 'node:crypto'
import { systemClock } from '../clock'
import { CertificateAuthority } from '../vpn/certificate-authority'
import { staticKey, staticKeyBytes } from '../vpn/profile-config'

/** A call to a portal with its answer. */
export interface Exchange {
  method: string
  url: URL
  /** The header Authorization, cookies, and whatever else may hold a secret. */
  requestHeaders: Readonly<Record<string, string | string[] | undefined>>
  requestBody: string
  status: number
  headers: Headers
  body: string
}

/** Fields that name a person, and those that are secret, in forms, queries and JSON of any depth. */
const ids = new Set(['user_id', 'userId', 'user', 'login', 'email', 'display_user_id'])
const secrets = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'code_verifier',
  'client_secret',
  'password',
  'state',
])

/** What the mock plays itself, because a recorded answer would not fit the keys and the login of another client. */
const playedByMock = ['/create_keypair', '/check_certificate', '/disconnect']

const apis = [
  { key: 'http://eduvpn.org/api#2', field: 'api_base_uri', scenario: 'api-2-only', base: '/api/vpn' },
  { key: 'http://eduvpn.org/api#3', field: 'api_endpoint', scenario: 'api-3-only', base: '/api/v3' },
] as const

interface Step {
  status: number
  headers: Record<string, string>
  body?: string
}

/** As many as a rule may have. */
const maxSteps = 100

/** Returns a field of what may be an object. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** What a client did with a portal, as a file for `--scenario`: no secret of it is left, and times are relative to the replay. */
export class Recording {
  readonly #startedAt: number
  readonly #upstream: string
  readonly #bases = new Map<string, (typeof apis)[number]>()
  readonly #replaced = new Map<string, string>()
  readonly #rules = new Map<string, { match: object; steps: Step[] }>()
  readonly #authority = new CertificateAuthority(systemClock)

  /** `upstream` is the origin of the portal; every time in an answer is relative to `startedAt`. */
  constructor(upstream: string, startedAt: number) {
    this.#upstream = upstream
    this.#startedAt = startedAt
  }

  add({ method, url, requestHeaders, requestBody, status, headers, body }: Exchange): void {
    const json = jsonIn(body)
    this.#learnApis(json)
    this.#learnHeaders(requestHeaders, headers)
    const form = new URLSearchParams(requestBody)
    const redirect = URL.parse(headers.get('location') ?? '', url.href)
    for (const fields of [form, url.searchParams, redirect?.searchParams ?? []])
      for (const [name, value] of fields) this.#learn(name, value)
    this.#walk(json)
    this.#walk(jsonIn(requestBody))
    const [from, api] = [...this.#bases].find(([base]) => url.href.startsWith(`${base}/`)) ?? []
    if (from === undefined || api === undefined) return
    const path = url.href.slice(from.length).split('?')[0] ?? ''
    if (playedByMock.includes(path) || status === 401) return
    const query = Object.fromEntries(url.searchParams)
    const profile = form.get('profile_id')
    const match = {
      method,
      path: `${api.base}${path}`,
      ...(url.searchParams.size > 0 && { query }),
      ...(profile !== null && { body: { form: { profile_id: profile } } }),
    }
    const stored = ['content-type', 'expires', 'retry-after'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const step: Step = { status, headers: Object.fromEntries(stored), ...(body !== '' && { body }) }
    const key = JSON.stringify(match)
    const rule = this.#rules.get(key) ?? { match, steps: [] }
    if (JSON.stringify(rule.steps.at(-1)) !== JSON.stringify(step)) rule.steps.push(step)
    this.#rules.set(key, rule)
  }

  /** The text of the file. */
  get text(): string {
    const offered = new Set([...this.#bases.values()].map(({ scenario }) => scenario))
    const scenarios = offered.size > 1 ? ['api-2-and-3'] : [...offered]
    const faults = [...this.#rules.values()].map(({ match, steps }) => ({
      match,
      // The last answer is that of all later requests.
      sequence: steps
        .slice(0, maxSteps)
        .map((fault, index, { length }) => ({ fault, times: index === length - 1 ? 1e9 : 1 })),
    }))
    // Whole values are replaced in the strings, not in the text of JSON, in which they may look different.
    const setup = { scenarios, faults }
    return `${JSON.stringify(setup, (_key, value: unknown) => (typeof value === 'string' ? this.#withoutSecrets(value) : value), 2)}\n`
  }

  #learnApis(json: unknown): void {
    for (const api of apis) {
      const base = fieldOf(fieldOf(fieldOf(json, 'api'), api.key), api.field)
      if (typeof base === 'string') this.#bases.set(base.replace(/\/$/, ''), api)
    }
  }

  #learnHeaders(request: Exchange['requestHeaders'], answer: Headers): void {
    const [, credentials = ''] = String(request.authorization ?? '').split(' ')
    const cookies = [...String(request.cookie ?? '').split(/; */), ...answer.getSetCookie()]
    this.#hide('token', credentials)
    for (const cookie of cookies) this.#hide('cookie', /^[^=]*=([^;]*)/.exec(cookie)?.[1] ?? '')
    this.#hide('user', String(request['x-user-id'] ?? ''))
  }

  #walk(json: unknown): void {
    if (typeof json !== 'object' || json === null) return
    for (const [name, value] of Object.entries(json)) {
      if (typeof value === 'string') this.#learn(name, value)
      else this.#walk(value)
    }
  }

  #learn(name: string, value: string): void {
    if (secrets.has(name)) this.#hide('token', value)
    else if (ids.has(name)) this.#hide('user', value)
  }

  #hide(kind: 'token' | 'cookie' | 'user', value: string): void {
    if (value.length < 2 || this.#replaced.has(value)) return
    this.#replaced.set(value, `${kind}-${this.#replaced.size + 1}`)
  }

  #withoutSecrets(text: string): string {
    let hidden = text
    // The longest first: one may be a part of another. A short one only where it isn't a part of a word.
    const known = [...this.#replaced].sort(([one], [other]) => other.length - one.length)
    for (const [value, by] of known)
      hidden = hidden.replaceAll(new RegExp(`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`, 'g'), by)
    return this.#withOwnTimes(this.#withOwnKeys(hidden)).replaceAll(this.#upstream, '{{origin}}')
  }

  /** Replaces private keys, with the certificates that belong to them, and what else a configuration keeps secret. */
  #withOwnKeys(text: string): string {
    const others = text
      .replaceAll(/-----BEGIN OpenVPN Static key V1-----[^]*?-----END OpenVPN Static key V1-----/g, () =>
        staticKey(randomBytes(staticKeyBytes)).trim(),
      )
      .replaceAll(
        /(-----BEGIN OpenVPN tls-crypt-v2 client key-----)[^]*?(-----END)/g,
        (_all, start: string, end: string) => `${start}\n${randomBytes(300).toString('base64')}\n${end}`,
      )
      .replaceAll(/^(\s*(?:PrivateKey|PresharedKey)\s*=\s*)\S+/gim, (_all, name: string) =>
        name.concat(randomBytes(32).toString('base64')),
      )
      .replaceAll(/(<auth-user-pass>)[^]*?(<\/auth-user-pass>)/g, '$1\nuser\npassword\n$2')
    if (!others.includes('PRIVATE KEY-----')) return others
    const years = new Date(Date.now() + 10 * 365 * 86_400_000)
    const { certificate, private_key: key } = this.#authority.issueClient(years, undefined, 'Ed25519')
    return others
      .replaceAll(
        /(<cert>\s*)[^]*?(\s*<\/cert>)/g,
        (_all, start: string, end: string) => `${start}${certificate.trim()}${end}`,
      )
      .replaceAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?-----END [A-Z ]*PRIVATE KEY-----/g, () =>
        key.trim(),
      )
  }

  /** Makes times relative, so that an access that ended in 90 days ends 90 days after the replay. */
  #withOwnTimes(text: string): string {
    const relative = (form: 'http' | 'iso') => (time: string) => {
      const seconds = Math.round((Date.parse(time) - this.#startedAt) / 1000)
      return Number.isNaN(seconds) ? time : `{{now ${seconds} ${form}}}`
    }
    return text
      .replaceAll(/\b[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\b/g, relative('http'))
      .replaceAll(/\b\d{4}-\d{2}-\d{2}T[\d:]{8}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/g, relative('iso'))
  }
}
