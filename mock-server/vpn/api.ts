import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJsonText } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { queryOf } from '../http/parameters'
import { sendEnvelope, sendPlainError } from './api-answers'
import {
  apiCall,
  apiErrors,
  apiErrorsWithBody,
  certificateCheck,
  commonName,
  envelopeOf,
  issuedKeyPair,
  listedProfile,
  plainError,
  shownMessage,
} from './api-schemas'
import { authorizationOf } from './bearer'
import { documented } from './documented'
import { addProfileConfig } from './profile-config-call'
import type { VpnService } from './vpn-service'

/** Plain errors: `{"error": "text"}`, or plain text for clients that accept HTML. */
export function vpnErrorArea(prefix: string): ErrorArea {
  return { holds: isBelow(prefix), send: sendPlainError }
}

/** Adds the calls of section 4 below `base`, behind the bearer check. */
export function addVpnApi(app: App, base: string, service: VpnService): void {
  app.get(
    `${base}/profile_list`,
    {
      schema: {
        ...apiCall('Lists the profiles'),
        response: { 200: envelopeOf('profile_list', z.array(listedProfile)), ...apiErrors },
      },
    },
    (_request, reply) => sendJsonText(reply, 200, service.listedProfiles()),
  )

  addKeyPairCalls(app, base, service)
  addProfileConfig(app, base, service)

  app.get(
    `${base}/system_messages`,
    {
      schema: {
        ...apiCall('Lists the system messages, newest first'),
        response: { 200: envelopeOf('system_messages', z.array(shownMessage)), ...apiErrors },
      },
    },
    (_request, reply) => sendEnvelope(reply, 'system_messages', service.shownMessages()),
  )

  addCallsOfOldClients(app, base)
}

function addKeyPairCalls(app: App, base: string, service: VpnService): void {
  app.post(
    `${base}/create_keypair`,
    {
      schema: {
        ...apiCall(
          'Creates a client certificate and its private key',
          'Portals before 2.0.0 required display_name; the portals that the mock plays ignore the body.',
        ),
        consumes: ['application/x-www-form-urlencoded'],
        body: documented(z.object({ display_name: z.string().min(1).optional() }).optional()),
        response: {
          200: envelopeOf('create_keypair', issuedKeyPair),
          ...apiErrorsWithBody,
        },
      },
    },
    (request, reply) => sendEnvelope(reply, 'create_keypair', service.issueKeyPair(authorizationOf(request))),
  )

  app.get(
    `${base}/check_certificate`,
    {
      schema: {
        ...apiCall('Checks a certificate and returns the reason if it is not valid'),
        querystring: documented(z.object({ common_name: commonName })),
        response: {
          200: envelopeOf('check_certificate', certificateCheck),
          400: plainError('The common name is missing or malformed'),
          ...apiErrors,
        },
      },
    },
    (request, reply) => {
      const { common_name } = queryOf(request)
      if (common_name === undefined) return refuse(request, reply, 'missing "common_name" parameter')
      const name = commonName.safeParse(common_name)
      if (!name.success) return refuse(request, reply, 'invalid "common_name"')
      return sendEnvelope(reply, 'check_certificate', service.checkCertificate(name.data))
    },
  )
}

const refuse = (request: FastifyRequest, reply: FastifyReply, message: string) =>
  sendPlainError(request, reply, 400, message)

const userInfo = z.object({
  user_id: z.string(),
  is_disabled: z.literal(false),
  two_factor_enrolled: z.literal(false),
  two_factor_enrolled_with: z.array(z.string()).max(0),
})

/** Two calls of old clients that are no longer documented (field notes, last paragraph of the VPN part). */
function addCallsOfOldClients(app: App, base: string): void {
  app.get(
    `${base}/user_info`,
    {
      schema: {
        ...apiCall('Returns the user, for old clients'),
        response: { 200: envelopeOf('user_info', userInfo), ...apiErrors },
      },
    },
    (request, reply) =>
      sendEnvelope(reply, 'user_info', {
        user_id: authorizationOf(request).userId,
        is_disabled: false,
        two_factor_enrolled: false,
        two_factor_enrolled_with: [],
      }),
  )
  app.get(
    `${base}/user_messages`,
    {
      schema: {
        ...apiCall('Returns an empty list of messages, for old clients'),
        response: { 200: envelopeOf('user_messages', z.array(z.string()).max(0)), ...apiErrors },
      },
    },
    (_request, reply) => sendEnvelope(reply, 'user_messages', []),
  )
}
