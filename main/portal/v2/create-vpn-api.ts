import { parseJson } from '../../json'
import type { z } from 'zod'
import type { CausewayError } from '../../errors'
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/http/http-client'
import type { Endpoints } from '../instance/instance'
import { loginRequired } from '../oauth/errors'
import type { ApiTokens } from '../oauth/token-session'
import { errorText, invalidResponse, profileUnavailable, refused } from '../api-errors'
import {
  certificateCheckData,
  keyPairData,
  openEnvelope,
  profileListData,
  systemMessagesData,
} from './answers'
import type { VpnApi } from './vpn-api'

interface VpnApiOptions {
  readonly http: HttpClient
  /** The endpoints of the instance. Called for every request, so they should be cached. */
  readonly endpoints: (signal?: AbortSignal) => Promise<Pick<Endpoints, 'apiBaseUri' | 'loginElsewhere'>>
  readonly tokens: Pick<ApiTokens, 'accessToken' | 'discardRejected'>
}

/** A portal may generate the key itself, which takes long for RSA. */
const keyPairTimeoutMs = 60_000
const configurationMaxBytes = 256 * 1024
const configurationTypes = ['application/x-openvpn-profile', 'text/plain', 'application/octet-stream']
/** The texts of portals for a profile that is unknown, hidden, or not permitted (field notes, profile_config). */
const unavailableProfile = /profile not available|no permission|invalid "profile_id"/i

type Call = 'profile_list' | 'create_keypair' | 'profile_config' | 'check_certificate' | 'system_messages'

/** Creates the five calls over HTTP (vpn-application-api.md, section 4). Errors as at VpnApi. */
export function createVpnApi({ http, endpoints, tokens }: VpnApiOptions): VpnApi {
  async function send(
    call: Call,
    query: Readonly<Record<string, string>>,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const api = await endpoints(request.signal)
    const token = await tokens.accessToken(request.signal, api)
    const { apiBaseUri, loginElsewhere = false } = api
    const url = new URL(`${apiBaseUri}/${call}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const headers = { accept: 'application/json', ...request.headers, authorization: `Bearer ${token}` }
    const response = await http.send(url, { ...request, headers })
    // A location has no say in the login, which is the home's.
    if (response.status === 401 && !loginElsewhere) {
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
    profileList: (signal) => ask('profile_list', profileListData, { signal }),

    createKeyPair: (displayName, signal) =>
      ask('create_keypair', keyPairData, {
        signal,
        method: 'POST',
        // Older portals require it.
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
          signal,
          headers: { accept: 'application/x-openvpn-profile, application/json' },
          maxBytes: configurationMaxBytes,
        },
      )
      const type = mediaType(response)
      // A refusal is JSON with status 200, and no configuration begins with a brace.
      if (type === 'application/json' || response.text.trimStart().startsWith('{')) throw noProfile(response)
      if (!configurationTypes.includes(type)) throw invalidResponse('profile_config', response)
      return response.text
    },

    checkCertificate: (commonName, signal) =>
      ask('check_certificate', certificateCheckData, { signal }, { common_name: commonName }),

    systemMessages: (signal) => ask('system_messages', systemMessagesData, { signal }),
  }
}

function mediaType(response: HttpResponse): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase()
}

function throwUnlessOk(call: Call, response: HttpResponse): void {
  const { status } = response
  if (status === 200) return
  if (status >= 500) throw refused(call, response, undefined)
  if (status >= 400) throw refused(call, response, errorText(parseJson(response.text)))
  // Redirects aren't followed: the token is only for the address from discovery.
  throw invalidResponse(call, response)
}

function noProfile(response: HttpResponse): CausewayError {
  const answer = openEnvelope('profile_config', response.text)
  if (answer?.ok !== false) return invalidResponse('profile_config', response)
  const error = errorText(answer)
  if (error === undefined || !unavailableProfile.test(error)) {
    return refused('profile_config', response, error)
  }
  return profileUnavailable(response, error)
}
