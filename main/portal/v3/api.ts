import { CausewayError } from '../../errors'
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/http/http-client'
import { parseHttpDate } from '../../platform/http/http-date'
import { requireTls13 } from '../../platform/http/require-tls13'
import { parseJson } from '../../json'
import type { Records } from '../../loose'
import type { GrantedTunnel } from '../../tunnel/tunnel'
import { errorText, invalidResponse, profileUnavailable, refused } from '../api-errors'
import type { Endpoints } from '../instance/instance'
import { loginRequired } from '../oauth/errors'
import type { ApiTokens } from '../oauth/token-session'
import { splitConfiguration } from './configuration'
import { type ProfileV3, parseInfo } from './info'
import { type TunnelType, mediaTypes } from './tunnel-types'
import { createWireGuardKeys } from './wireguard-keys'

interface ApiV3Options {
  readonly http: HttpClient
  /** The endpoints of the instance. Called for every request, so they should be cached. */
  readonly endpoints: (signal?: AbortSignal) => Promise<Pick<Endpoints, 'apiBaseUri' | 'loginElsewhere'>>
  readonly tokens: Pick<ApiTokens, 'accessToken' | 'discardRejected' | 'expire'>
}

/** A configuration that a portal has issued. */
export interface IssuedConfiguration {
  readonly tunnel: GrantedTunnel
  /** The end of the session, which is the same for every configuration of one login. */
  readonly expires: Date
  /** The API that has issued it. */
  readonly apiBaseUri: string
}

/**
 * The three calls of version 3 for one instance (docs/portal-api.md).
 *
 * Each throws `oauth/login-required` (the tokens are deleted by then), `vpn-api/refused`, `vpn-api/server-error`
 * (`details.error` is the server's text), `vpn-api/invalid-response`, and what HttpClient and TokenSession throw.
 */
export interface ApiV3 {
  /** Lists the profiles; doesn't disturb a connection. Throws `vpn-api/not-allowed`. */
  info(signal?: AbortSignal): Promise<Records<ProfileV3>>
  /**
   * Gets a new configuration. The portal withdraws the previous ones of this login first, also if it then refuses.
   * Throws `vpn-api/not-allowed`, `vpn-api/profile-unavailable` and `vpn-api/protocol-not-supported`.
   */
  connect(
    wanted: {
      readonly profileId: string
      readonly preferTcp: boolean
      /** The types that the answer may have. */
      readonly types: readonly TunnelType[]
    },
    signal?: AbortSignal,
  ): Promise<IssuedConfiguration>
  /** Withdraws the configurations of this login, by default at the current API. */
  disconnect(signal: AbortSignal, apiBaseUri?: string): Promise<void>
}

type Call = 'info' | 'connect' | 'disconnect'

/** An answer, and what was asked. */
interface Sent {
  readonly token: string
  readonly apiBaseUri: string
  readonly loginElsewhere: boolean
  readonly response: HttpResponse
}

/** Lists of networks for WireGuard can be long. */
const configurationMaxBytes = 1024 * 1024

export function createApiV3({ http, endpoints, tokens }: ApiV3Options): ApiV3 {
  const httpWithTls13 = requireTls13(http)

  async function sendOnce(call: Call, request: HttpRequest, at?: string): Promise<Sent> {
    const api =
      at === undefined
        ? await endpoints(request.signal)
        : // It has issued a configuration for this login.
          ({ apiBaseUri: at, loginElsewhere: true } as const)
    const token = await tokens.accessToken(request.signal, api)
    const { apiBaseUri, loginElsewhere = false } = api
    const headers = { accept: 'application/json', ...request.headers, authorization: `Bearer ${token}` }
    const response = await httpWithTls13.send(new URL(`${apiBaseUri}/${call}`), { ...request, headers })
    return { token, apiBaseUri, loginElsewhere, response }
  }

  /** Repeats the call once with a refreshed token if the portal doesn't accept the first one. */
  async function send(call: Call, request: HttpRequest): Promise<Sent> {
    const first = await sendOnce(call, request)
    if (first.response.status !== 401) return first
    await tokens.expire(first.token)
    const second = await sendOnce(call, request)
    // The home has just issued this token: a location that doesn't accept it has no say in the login.
    if (second.response.status !== 401 || second.loginElsewhere) return second
    await tokens.discardRejected(second.token)
    throw loginRequired()
  }

  return {
    info: async (signal) => {
      const { response } = await send('info', { signal })
      // How guest portals report a disabled account.
      if (response.status === 403) throw notAllowed(response)
      if (!isSuccess(response)) throw failure('info', response)
      const profiles = parseInfo(response.text)
      if (!profiles.success) throw invalidResponse('info', response, profiles.error)
      return profiles.data
    },

    connect: async ({ profileId, preferTcp, types }, signal) => {
      const keys = types.some((type) => type !== 'openvpn') ? createWireGuardKeys() : undefined
      try {
        const { response, apiBaseUri } = await send('connect', {
          signal,
          method: 'POST',
          headers: { accept: types.map((type) => mediaTypes[type]).join(', ') },
          form: new URLSearchParams({
            profile_id: profileId,
            prefer_tcp: preferTcp ? 'yes' : 'no',
            ...(keys && { public_key: keys.publicKey }),
          }),
          maxBytes: configurationMaxBytes,
        })
        if (!isSuccess(response)) throw connectFailure(response)
        const type = types.find((each) => mediaTypes[each] === response.headers.get('content-type'))
        if (type === undefined) throw invalidResponse('connect', response, ['content-type'])
        const expires = parseHttpDate(response.headers.get('expires'))
        if (expires === undefined) throw invalidResponse('connect', response, ['expires'])
        if (type !== 'openvpn' && keys !== undefined) {
          const transport = type === 'wireguard+tcp' ? 'tcp' : 'udp'
          // A copy: the key here is overwritten below.
          const privateKey = Buffer.alloc(keys.privateKey.length)
          keys.privateKey.copy(privateKey)
          const tunnel = {
            protocol: 'wireguard',
            transport,
            profile: response.text,
            namedBy: apiBaseUri,
            privateKey,
          } as const
          return { tunnel, expires, apiBaseUri }
        }
        const tunnel = splitConfiguration(response.text)
        if (tunnel === undefined) throw invalidResponse('connect', response, ['cert, key'])
        return { tunnel, expires, apiBaseUri }
      } finally {
        keys?.privateKey.fill(0)
      }
    },

    disconnect: async (signal, apiBaseUri) => {
      const { response } = await sendOnce('disconnect', { method: 'POST', signal }, apiBaseUri)
      if (!isSuccess(response)) throw failure('disconnect', response)
    },
  }
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

function failure(call: Call, response: HttpResponse): CausewayError {
  // Redirects aren't followed: the token is only for the address from discovery.
  if (response.status < 400) return invalidResponse(call, response)
  return refused(call, response, errorText(parseJson(response.text)))
}

function connectFailure(response: HttpResponse): CausewayError {
  switch (response.status) {
    case 403:
      // The account may use the portal: `/info` comes first.
      return notAllowed(response, 'no-devices')
    case 404:
      return profileUnavailable(response, errorText(parseJson(response.text)))
    case 406:
      return protocolNotSupported(response.url.host)
    default:
      return failure('connect', response)
  }
}

function notAllowed({ url, text }: HttpResponse, variant?: 'no-devices'): CausewayError {
  const error = errorText(parseJson(text))
  const details = { host: url.host, error }
  return new CausewayError('vpn-api/not-allowed', { variant, details })
}

/** The error for a profile that offers only protocols that Causeway doesn't speak, or not the one that was chosen. */
export function protocolNotSupported(host: string, variant?: 'not-offered'): CausewayError {
  return new CausewayError('vpn-api/protocol-not-supported', { variant, details: { host } })
}
