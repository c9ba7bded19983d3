import { randomInt } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { isBelow, type ErrorArea } from '../http/error-area'
import { queryOf } from '../http/parameters'
import { authorizationOf } from './bearer'
import type { CertificateAuthority } from './certificate-authority'
import { profileConfig } from './profile-config'
import { profileIdPattern, type Profile, type SystemMessage } from './profile'
import { chooseRemotes, type RemoteClasses } from './remotes'

export interface VpnApiOptions {
  authority: CertificateAuthority
  tlsCryptKey: string
  profiles(): Profile[]
  systemMessages(): SystemMessage[]
  remotes(profile: Profile): RemoteClasses
}

const random = () => randomInt(2 ** 32) / 2 ** 32

function sendPlainError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
    ? reply.code(status).header('content-type', 'text/plain').send(Buffer.from(message))
    : sendJson(reply, status, { error: message })
}

/** Plain errors, `{"error": "text"}`, as text where the client says that it reads HTML. */
export function vpnErrorArea(prefix: string): ErrorArea {
  return { holds: isBelow(prefix), send: sendPlainError }
}

/** The calls of section 4, below `base`, for requests that have passed the bearer check. */
export function addVpnApi(app: App, base: string, options: VpnApiOptions): void {
  const envelope = (reply: FastifyReply, call: string, data: unknown) =>
    sendJson(reply, 200, { [call]: { ok: true, data } })
  const refusal = (reply: FastifyReply, call: string, error: string) =>
    sendJson(reply, 200, { [call]: { ok: false, error } })

  app.get(`${base}/profile_list`, (_request, reply) => {
    const shown = options.profiles().filter(({ hidden }) => hidden !== true)
    const data = shown.map(({ hidden: _hidden, ...profile }) => ({ ...profile, two_factor: false }))
    return envelope(reply, 'profile_list', data)
  })

  app.post(`${base}/create_keypair`, (request, reply) =>
    envelope(reply, 'create_keypair', options.authority.issueClient(authorizationOf(request).sessionEnd)),
  )

  app.get(`${base}/profile_config`, (request, reply) => {
    const { profile_id, remote_strategy } = queryOf(request)
    if (profile_id === undefined) return sendPlainError(request, reply, 400, 'missing "profile_id" parameter')
    if (typeof profile_id !== 'string' || !profileIdPattern.test(profile_id)) {
      return refusal(reply, 'profile_config', 'invalid "profile_id"')
    }
    const profile = options.profiles().find((known) => known.profile_id === profile_id)
    if (profile === undefined || profile.hidden === true) {
      return refusal(reply, 'profile_config', 'profile not available or no permission')
    }
    const strategy = Array.isArray(remote_strategy) ? '' : remote_strategy
    const config = profileConfig({
      caCertificate: options.authority.certificate,
      tlsCryptKey: options.tlsCryptKey,
      remotes: chooseRemotes(options.remotes(profile), strategy, random),
    })
    return reply.header('content-type', 'application/x-openvpn-profile').send(Buffer.from(config))
  })

  app.get(`${base}/check_certificate`, (request, reply) => {
    const { common_name } = queryOf(request)
    if (common_name === undefined) {
      return sendPlainError(request, reply, 400, 'missing "common_name" parameter')
    }
    if (typeof common_name !== 'string' || !/^[0-9a-fA-F]{32}$/.test(common_name)) {
      return sendPlainError(request, reply, 400, 'invalid "common_name"')
    }
    return envelope(reply, 'check_certificate', options.authority.check(common_name))
  })

  app.get(`${base}/system_messages`, (_request, reply) =>
    envelope(reply, 'system_messages', options.systemMessages()),
  )

  addCallsOfOldClients(app, base, envelope)
}

/** Two calls that the document no longer has and old clients still make (field notes, last paragraph of the VPN part). */
function addCallsOfOldClients(
  app: App,
  base: string,
  envelope: (reply: FastifyReply, call: string, data: unknown) => FastifyReply,
): void {
  app.get(`${base}/user_info`, (request, reply) =>
    envelope(reply, 'user_info', {
      user_id: authorizationOf(request).userId,
      is_disabled: false,
      two_factor_enrolled: false,
      two_factor_enrolled_with: [],
    }),
  )
  app.get(`${base}/user_messages`, (_request, reply) => envelope(reply, 'user_messages', []))
}
