import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import { CausewayError } from '../../errors'
import type { HttpClient } from '../../platform/http/http-client'
import type { Endpoints, Instance } from '../instance/instance'
import { judgeCallback, type CallbackResult } from './callback'
import type { BrowserLogin } from './browser-logins'
import { loginCancelled } from './errors'
import { isIssuerOf, mayOmitIssuer } from './issuer'
import { listenForRedirect, type LoopbackRedirect } from './loopback-redirect'
import { systemPeerUid } from './peer-uid'
import { probeAuthorization } from './probe'
import { createTokenEndpoint, type IssuedTokens } from './token-endpoint'
import type { OpenBrowser } from './token-session'

export interface AuthorizationOptions {
  readonly instance: Instance
  readonly endpoints: Endpoints
  readonly clientId: string
  readonly http: HttpClient
  readonly openBrowser: OpenBrowser
  /** Returns an address to open instead of the authorization request; default the request itself. */
  readonly browserAddress?: (authorizationRequest: URL) => URL
  readonly signal: AbortSignal
  /** True if the service has sent `iss` (RFC 9207) before, and so has to send it now. */
  readonly hasSentIssuer: boolean
  /** Called after a callback with the service's `iss`. */
  readonly onIssuerSent: () => Promise<void>
  /** Returns true if Causeway knows other services, whose sign-in page this one could have used. */
  readonly knowsOthers: () => Promise<boolean>
  /** The time limit for the browser, in milliseconds; default five minutes. */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number
  /** Called when the browser is opened. The function it returns is called when the login no longer waits for the browser. */
  readonly onWaiting?: (login: BrowserLogin) => () => void
  /** Called as soon as the browser has returned. */
  readonly onReturned?: () => void
}

const defaultTimeoutMs = 5 * 60 * 1000

/**
 * Makes one authorization request in the browser and exchanges its code (RFC 8252, PKCE with S256).
 *
 * Throws `oauth/cancelled` (the signal, or the user on the page that asks), `oauth/timed-out`, `oauth/browser-not-opened`, the errors of judgeCallback and of
 * probeAuthorization (before the browser opens), `oauth/code-refused` (`details.error` is the server's error code), and
 * what TokenEndpoint and `onIssuerSent` throw.
 */
export async function authorize(options: AuthorizationOptions): Promise<IssuedTokens> {
  const { instance, endpoints, clientId, http, signal, knowsOthers } = options
  const { browserAddress = (request: URL) => request } = options
  if (signal.aborted) throw loginCancelled()
  const state = generateRandomState()
  const codeVerifier = generateRandomCodeVerifier()
  const sent = { issuer: false }
  const judge = async (parameters: URLSearchParams): Promise<CallbackResult | undefined> => {
    const result = judgeCallback(parameters, {
      state,
      isIssuer: (iss) => isIssuerOf(iss, instance, endpoints),
      needsIssuer:
        options.hasSentIssuer || endpoints.sendsIssuer === true || !mayOmitIssuer(instance, endpoints),
    })
    const iss = parameters.get('iss')
    if (result !== undefined && iss !== null && isIssuerOf(iss, instance, endpoints)) sent.issuer = true
    if (result?.outcome !== 'code' || iss !== null) return result
    // Nothing tells whose page the user approved on: the service's own may have sent the browser to another one's, whose code
    // it would get. Only the user knows.
    return (await knowsOthers().catch(() => true)) ? { ...result, confirmFor: instance.id } : result
  }
  const redirect = await listenForRedirect(judge, systemPeerUid(process.platform))
  try {
    const urlWith = (state: string, codeChallenge: string): URL =>
      authorizationUrl(endpoints.authorizationEndpoint, {
        client_id: clientId,
        redirect_uri: redirect.redirectUri,
        response_type: 'code',
        scope: 'config',
        state,
        code_challenge_method: 'S256',
        code_challenge: codeChallenge,
      })
    const { tokenEndpoint } = endpoints
    await probeAuthorization({ http, instance, clientId, tokenEndpoint, urlWith, signal })
    const url = urlWith(state, await calculatePKCECodeChallenge(codeVerifier))
    const callback = await callbackFrom(redirect, browserAddress(url), options)
    options.onReturned?.()
    const tokens = createTokenEndpoint({ http, url: new URL(tokenEndpoint), clientId })
    const { redirectUri } = redirect
    const exchange = async () => {
      if (callback.outcome !== 'code') throw callback.error
      return tokens.exchangeCode(callback.parameters, redirectUri, codeVerifier, signal)
    }
    // Written while the service answers. If that fails, the service keeps a login that nobody has, until it ends.
    const [exchanged, remembered] = await Promise.allSettled([
      exchange(),
      sent.issuer ? options.onIssuerSent() : undefined,
    ])
    if (remembered.status === 'rejected') throw remembered.reason
    if (exchanged.status === 'rejected') throw exchanged.reason
    const answer = exchanged.value
    if (answer.answer === 'refused') {
      const { status, error } = answer
      throw new CausewayError('oauth/code-refused', { details: { instance: instance.id, status, error } })
    }
    return answer.tokens
  } finally {
    await redirect.close()
  }
}

function authorizationUrl(endpoint: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** Opens the browser and waits until it returns, the user cancels, or the time limit is reached. */
async function callbackFrom(
  redirect: LoopbackRedirect,
  url: URL,
  { openBrowser, signal, timeoutMs = defaultTimeoutMs, now = Date.now, onWaiting }: AuthorizationOptions,
): Promise<CallbackResult> {
  const waiting = new AbortController()
  const open = (): Promise<void> => openBrowser(redirect.startAt(url), url)
  let ended: (() => void) | undefined
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new CausewayError('oauth/timed-out', { details: { seconds: Math.round(timeoutMs / 1000) } }))
      }, timeoutMs)
      const giveUp = (): void => {
        reject(loginCancelled())
      }
      signal.addEventListener('abort', giveUp)
      waiting.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      })
      // The user may have cancelled while the port was opened.
      if (signal.aborted) {
        giveUp()
        return
      }
      // Both at once: some commands return only after the browser has returned.
      void redirect.callback.then(resolve)
      open().catch(reject)
      ended = onWaiting?.({ link: url, until: now() + timeoutMs, openAgain: open })
    })
  } finally {
    ended?.()
    waiting.abort()
  }
}
