import { parseJson } from '../../json'
import type { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'
import { retryAfterSeconds } from '../../platform/http/retrying-http'
import { unavailable } from '../../platform/http/unavailable'
import type { Endpoints } from '../instance/instance'
import { loginRequired } from '../oauth/errors'
import type { TokenSession } from '../oauth/token-session'
import {
  certificateCheckData,
  errorText,
  keyPairData,
  openEnvelope,
  profileListData,
  systemMessagesData,
} from './answers'
import type { VpnApi } from './vpn-api'

export interface VpnApiOptions {
  readonly http: HttpClient
  /** Those of the instance; asked for at every call, so they had better be kept. */
  readonly endpoints: (signal?: AbortSignal) => Promise<Pick<Endpoints, 'apiBaseUri'>>
  readonly tokens: Pick<TokenSession, 'accessToken' | 'discardRejected'>
}

/** A portal may make the key itself, which takes long for RSA. */
const keyPairTimeoutMs = 60_000
const configurationMaxBytes = 256 * 1024
const configurationTypes = ['application/x-openvpn-profile', 'text/plain', 'application/octet-stream']
/** Field notes, profile_config: the portal's words for a profile that is unknown, hidden, or not for this user. */
const unavailableProfile = /profile not available|no permission|invalid "profile_id"/i

type Call = 'profile_list' | 'create_keypair' | 'profile_config' | 'check_certificate' | 'system_messages'

/** The five calls over HTTP (vpn-application-api.md, section 4). Errors as at VpnApi. */
export function createVpnApi({ http, endpoints, tokens }: VpnApiOptions): VpnApi {
  async function send(
    call: Call,
    query: Readonly<Record<string, string>>,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const token = await tokens.accessToken(request.signal)
    const { apiBaseUri } = await endpoints(request.signal)
    const url = new URL(`${apiBaseUri}/${call}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const headers = { accept: 'application/json', ...request.headers, authorization: `Bearer ${token}` }
    const response = await http.send(url, { ...request, headers })
    if (response.status === 401) {
      await tokens.discardRejected(token)
      throw loginRequired()
    }
    throwUnlessOk(call, response)
    return response
  }

  async function ask<T>(
    call: Call,
    schema: z.ZodType<T>,
    request: HttpRequest,
    query: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await send(call, query, request)
    const answer = openEnvelope(call, response.text)
    if (answer === undefined) throw invalidResponse(call, response)
    if (!answer.ok) throw refused(call, response, errorText(answer))
    const data = schema.safeParse(answer.data)
    if (!data.success) throw invalidResponse(call, response, data.error)
    return data.data
  }

  return {
    profileList: (signal) => ask('profile_list', profileListData, withSignal(signal)),

    createKeyPair: (displayName, signal) =>
      ask('create_keypair', keyPairData, {
        ...withSignal(signal),
        method: 'POST',
        // Older portals refuse the call without it.
        form: new URLSearchParams({ display_name: displayName }),
        timeoutMs: keyPairTimeoutMs,
      }),

    profileConfig: async (profileId, remoteStrategy, signal) => {
      const response = await send(
        'profile_config',
        {
          profile_id: profileId,
          ...(remoteStrategy === undefined ? {} : { remote_strategy: String(remoteStrategy) }),
        },
        {
          ...withSignal(signal),
          headers: { accept: 'application/x-openvpn-profile, application/json' },
          maxBytes: configurationMaxBytes,
        },
      )
      const type = mediaType(response)
      // A refusal comes as JSON with status 200, and no configuration begins with a brace.
      if (type === 'application/json' || response.text.trimStart().startsWith('{')) throw noProfile(response)
      if (!configurationTypes.includes(type)) throw invalidResponse('profile_config', response)
      return response.text
    },

    checkCertificate: (commonName, signal) =>
      ask('check_certificate', certificateCheckData, withSignal(signal), { common_name: commonName }),

    systemMessages: (signal) => ask('system_messages', systemMessagesData, withSignal(signal)),
  }
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function mediaType(response: HttpResponse): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase()
}

function throwUnlessOk(call: Call, response: HttpResponse): void {
  const { status } = response
  if (status === 200) return
  if (status >= 500) throw refused(call, response, undefined)
  if (status >= 400) throw refused(call, response, errorText(parseJson(response.text)))
  // A redirect is not followed: the token is for the address that discovery gave.
  throw invalidResponse(call, response)
}

function noProfile(response: HttpResponse): CausewayError {
  const answer = openEnvelope('profile_config', response.text)
  if (answer?.ok !== false) return invalidResponse('profile_config', response)
  const error = errorText(answer)
  if (error === undefined || !unavailableProfile.test(error)) {
    return refused('profile_config', response, error)
  }
  return new CausewayError(
    'vpn-api/profile-unavailable',
    `This profile no longer exists on ${response.url.host}, or you don't have access to it. Choose another profile, or ask your organization for access.`,
    { details: { host: response.url.host, error } },
  )
}

function refused(call: Call, response: HttpResponse, error: string | undefined): CausewayError {
  const { url, status, headers } = response
  const words = error === undefined ? '' : ` (“${error}”)`
  const seconds = retryAfterSeconds(headers, Date.now())
  const { what, todo } = unavailable(status, seconds) ?? {
    what: 'refused the request',
    todo: "Try again. If it happens again, report it to the service's administrator.",
  }
  return new CausewayError(
    status >= 500 ? 'vpn-api/server-error' : 'vpn-api/refused',
    `${url.host} ${what}${words}. ${todo}`,
    {
      details: {
        host: url.host,
        call,
        status,
        ...(error === undefined ? {} : { error }),
        ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      },
    },
  )
}

function invalidResponse(call: Call, { url, status }: HttpResponse, error?: z.ZodError): CausewayError {
  // Where it went wrong, but nothing of what was sent, which may be a private key.
  const problems = error?.issues
    .slice(0, 10)
    .map(({ path, code }) => printable(`${path.join('.')}: ${code}`, 100))
  return new CausewayError(
    'vpn-api/invalid-response',
    `The response of ${url.host} isn't valid. Report this to the service's administrator.`,
    { details: { host: url.host, call, status, ...(problems === undefined ? {} : { problems }) } },
  )
}
