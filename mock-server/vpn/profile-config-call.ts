import { z } from 'zod'
import type { App } from '../http/app'
import { queryOf } from '../http/parameters'
import { sendPlainError, sendRefusal } from './api-answers'
import { apiCall, apiErrors, plainError, refusalOf } from './api-schemas'
import { documented } from './documented'
import { portalFeatures } from './portal-version'
import { profileIdPattern } from './profile'
import type { VpnService } from './vpn-service'

const profileId = z.string().regex(profileIdPattern)
const query = z.object({
  profile_id: profileId,
  remote_strategy: z
    .enum(['0', '1', '2'])
    .default('1')
    .describe('0: the first port of each set; 1: a random one of each; 2: all. Any other value means 0'),
})

/** Adds profile_config (section 4), with the error messages of portals. */
export function addProfileConfig(app: App, base: string, service: VpnService): void {
  app.get(
    `${base}/profile_config`,
    {
      schema: {
        ...apiCall(
          'Returns the OpenVPN configuration of a profile, without certificate and key',
          'An unknown, hidden or malformed profile is refused with status 200.',
        ),
        querystring: documented(query),
        response: {
          200: {
            description: 'The configuration with CRLF, or an error in JSON',
            content: {
              'application/x-openvpn-profile': { schema: z.string() },
              'application/json': { schema: refusalOf('profile_config') },
            },
          },
          400: plainError('No profile_id was given'),
          ...apiErrors,
        },
      },
    },
    (request, reply) => {
      const { profile_id, remote_strategy } = queryOf(request)
      if (profile_id === undefined) {
        return sendPlainError(request, reply, 400, 'missing "profile_id" parameter')
      }
      const id = profileId.safeParse(profile_id)
      if (!id.success) return sendRefusal(reply, 'profile_config', 'invalid "profile_id"')
      const strategy = Array.isArray(remote_strategy) ? '' : remote_strategy
      const config = service.profileConfig(id.data, strategy)
      return config === undefined
        ? sendRefusal(reply, 'profile_config', portalFeatures(service.portal).profileRefusal)
        : reply.header('content-type', config.contentType).send(Buffer.from(config.body))
    },
  )
}
