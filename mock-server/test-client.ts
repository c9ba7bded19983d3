import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, fetch, type RequestInit } from 'undici'
import type { KeyPair } from './vpn/certificate-authority'

/** Returns a valid authorization request and its verifier. */
export function goodRequest(verifier = randomBytes(32).toString('base64url')): {
  verifier: string
  query: Record<string, string>
} {
  return {
    verifier,
    query: {
      client_id: 'org.causeway.app.linux',
      redirect_uri: 'http://127.0.0.1:40000/callback',
      response_type: 'code',
      scope: 'config',
      state: 'a-state-that-nobody-guesses',
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    },
  }
}

interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | URLSearchParams
}

/** Client of the VPN instance for tests, over real sockets, with the mock's fixed paths instead of discovery. */
export class TestClient {
  readonly origin: string

  /** Fetches from the mock; over TLS, trusts only the mock's own CA. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>

  constructor(server: { origin: string; caFile?: string | undefined }) {
    this.origin = server.origin
    const { caFile = '', origin } = server
    const connect = origin.startsWith('https:') ? { ca: readFileSync(caFile) } : {}
    const dispatcher = new Agent({ connect })
    this.fetch = (url, init) => fetch(url, { ...init, dispatcher })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(`${this.origin}${path}`, { headers, redirect: 'manual' })
  }

  authorize(query: Record<string, string> | URLSearchParams): Promise<Response> {
    return this.get(`/oauth/authorize?${new URLSearchParams(query).toString()}`)
  }

  postForm(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.fetch(`${this.origin}${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  }

  control(method: string, path: string, body?: unknown): Promise<Response> {
    return this.fetch(`${this.origin}/_mock${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  }

  /** Applies a scenario; `all-well` undoes it. */
  async scenario(name: string): Promise<void> {
    const response = await this.control('POST', `/scenarios/${name}`)
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`)
  }

  /** Gets a code from a server that approves automatically; returns the form that redeems it. */
  async codeForm(given?: string): Promise<Record<string, string>> {
    const { query, verifier } = goodRequest(given)
    const response = await this.authorize(query)
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code')
    return {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: query.redirect_uri ?? '',
      client_id: query.client_id ?? '',
      code_verifier: verifier,
    }
  }

  /** Logs in at a server that approves automatically. */
  async logIn(): Promise<{ accessToken: string; refreshToken: string }> {
    const response = await this.postForm('/oauth/token', await this.codeForm())
    const tokens = (await response.json()) as { access_token: string; refresh_token: string }
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.postForm('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  /** Returns the result of check_certificate. */
  async check(accessToken: string, { certificate }: KeyPair): Promise<unknown> {
    const name = new X509Certificate(certificate).subject.replace('CN=', '')
    const response = await this.call(accessToken, `/check_certificate?common_name=${name}`)
    return ((await response.json()) as { check_certificate: { data: unknown } }).check_certificate.data
  }

  /** Returns the data of a call without parameters. */
  async data(accessToken: string, call: 'profile_list' | 'system_messages'): Promise<unknown[]> {
    const answer = (await (await this.call(accessToken, `/${call}`)).json()) as Record<
      string,
      { data: unknown[] }
    >
    return answer[call]?.data ?? []
  }

  /** Calls the API with an access token. */
  call(accessToken: string, path: string, init: CallOptions = {}): Promise<Response> {
    return this.fetch(`${this.origin}/api/vpn${path}`, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, ...init.headers },
    })
  }

  /** Calls version 3 of the API with an access token. */
  call3(accessToken: string, path: string, init: CallOptions = {}): Promise<Response> {
    return this.fetch(`${this.origin}/api/v3${path}`, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, ...init.headers },
    })
  }

  /** The answer to `/connect` with this form, and with this Accept header where one is given. */
  connect(accessToken: string, form: Record<string, string>, accept?: string): Promise<Response> {
    return this.call3(accessToken, '/connect', {
      method: 'POST',
      headers: accept === undefined ? {} : { accept },
      body: new URLSearchParams(form),
    })
  }

  async createKeyPair(accessToken: string): Promise<KeyPair> {
    const response = await this.call(accessToken, '/create_keypair', { method: 'POST' })
    const answer = (await response.json()) as { create_keypair: { ok: true; data: KeyPair } }
    return answer.create_keypair.data
  }

  /** Returns the text of profile_config for a query such as `profile_id=internet`. */
  async profileConfig(accessToken: string, query: string): Promise<string> {
    return (await this.call(accessToken, `/profile_config?${query}`)).text()
  }
}
