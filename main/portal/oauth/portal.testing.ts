import type { IncomingMessage, RequestListener } from 'node:http'
import { CausewayError } from '../../errors'
import { createHttpClient, type HttpClient } from '../../platform/http/http-client'
import { startTestServer } from '../../platform/http/test-server.testing'
import type { Endpoints, Instance } from '../instance/instance'
import type { SecretStore } from '../../platform/secret-store/secret-store'
import { probeCode } from './probe'
import type { OpenBrowser } from './token-session'

interface TokenRequest {
  readonly form: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

export type AnswerToken = (request: TokenRequest) => TokenAnswerSpec | Promise<TokenAnswerSpec>

interface TokenAnswerSpec {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is if it's a string. */
  readonly body: unknown
}

/** A test instance with a token endpoint on a real server, whose answers the test sets. */
export interface TestPortal {
  readonly instance: Instance
  readonly endpoints: Endpoints
  readonly http: HttpClient
  readonly tokenRequests: TokenRequest[]
  /** The queries of the requests to its authorization endpoint, which the browser of a test never makes. */
  readonly probes: URLSearchParams[]
  /** The forms of the requests to its token endpoint that only ask for the client. */
  readonly clientChecks: URLSearchParams[]
  answer: AnswerToken
  /** The answer to those; default that of portals to a code which they don't know. */
  checkClient: RequestListener
  /** The answer of the authorization endpoint; default a sign-in page. */
  authorize: RequestListener
}

export async function startPortal(answer: AnswerToken = () => issued('access-1')): Promise<TestPortal> {
  const server = await startTestServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://portal')
    if (pathname === '/oauth/authorize') {
      portal.probes.push(searchParams)
      portal.authorize(request, response)
      return
    }
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const tokenRequest = { form: new URLSearchParams(body), headers: request.headers }
      if (tokenRequest.form.get('code') === probeCode) {
        portal.clientChecks.push(tokenRequest.form)
        portal.checkClient(request, response)
        return
      }
      portal.tokenRequests.push(tokenRequest)
      void Promise.resolve(portal.answer(tokenRequest)).then(
        ({ status = 200, headers, body: answerBody }) => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers })
          response.end(typeof answerBody === 'string' ? answerBody : JSON.stringify(answerBody))
        },
      )
    })
  })
  const portal: TestPortal = {
    instance: { id: server.origin.slice('http://'.length), address: `${server.origin}/` },
    endpoints: {
      apiVersion: 2,
      apiBaseUri: `${server.origin}/api`,
      authorizationEndpoint: `${server.origin}/oauth/authorize`,
      tokenEndpoint: `${server.origin}/oauth/token`,
      services: {},
    },
    http: createHttpClient(),
    tokenRequests: [],
    probes: [],
    clientChecks: [],
    checkClient: (_request, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"invalid_grant","error_description":"the code is not known"}'),
    answer,
    authorize: (_request, response) => response.end('<!doctype html><title>Sign in</title>'),
  }
  return portal
}

/** Returns a token answer like that of portals. */
export function issued(accessToken: string, more: Readonly<Record<string, unknown>> = {}): TokenAnswerSpec {
  return {
    body: {
      access_token: accessToken,
      refresh_token: 'refresh-1',
      token_type: 'bearer',
      expires_in: 3600,
      ...more,
    },
  }
}

/** Returns an OAuth error like that of portals. */
export function refused(status: number, error: string): TokenAnswerSpec {
  return { status, body: { error, error_description: 'access-1 refresh-1 is no longer authorized' } }
}

export interface BrowserVisit {
  readonly authorization: URL
  /** The page from the redirect URI. */
  readonly page: Response
}

/**
 * A test browser in which the user approves immediately. `answer` replaces parameters of the redirect, which by default
 * are the right state and a code; null omits one.
 */
export function browserThat(
  answer: Readonly<Record<string, string | null>> = {},
  visits: BrowserVisit[] = [],
): OpenBrowser {
  return async (url) => {
    const authorization = await authorizationAt(url)
    const redirect = redirectOf(authorization, answer)
    visits.push({ authorization, page: await fetch(redirect) })
  }
}

/** Returns the authorization request to which the browser's address redirects. */
export async function authorizationAt(start: URL): Promise<URL> {
  const { headers } = await fetch(start, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '')
}

export function redirectOf(authorization: URL, answer: Readonly<Record<string, string | null>> = {}): URL {
  const redirect = new URL(String(authorization.searchParams.get('redirect_uri')))
  const parameters = { code: 'the-code', state: authorization.searchParams.get('state'), ...answer }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) redirect.searchParams.set(name, value)
  }
  return redirect
}

/** A test key store in memory that can be locked. */
export class MemorySecretStore implements SecretStore {
  readonly secrets = new Map<string, string>()
  locked = false

  get(account: string): Promise<string | undefined> {
    return this.#unlocked(() => this.secrets.get(account))
  }

  set(account: string, secret: string): Promise<void> {
    return this.#unlocked(() => {
      this.secrets.set(account, secret)
    })
  }

  delete(account: string): Promise<void> {
    return this.#unlocked(() => {
      this.secrets.delete(account)
    })
  }

  async #unlocked<T>(work: () => T): Promise<T> {
    // As in a real key store, other calls can run in between.
    await Promise.resolve()
    if (this.locked) throw new CausewayError('secret-store/locked')
    return work()
  }
}
