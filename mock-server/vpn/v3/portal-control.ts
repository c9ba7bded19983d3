import { z } from 'zod'
import { ControlRefusal, type ControlCalls } from '../../control/control-calls'
import { offeredApis } from '../situation'
import type { VpnService } from '../vpn-service'
import { portal3Versions } from './portal-version'

const settings = z.strictObject({
  api: z.enum(offeredApis).describe('The versions of the API that the portal offers'),
  portalVersion: z.enum(portal3Versions).describe('The simulated portal version for version 3'),
  maxConfigurations: z.int().min(0).max(1000).describe('For each user; 0 refuses /connect with 403'),
  deleteAuthorizationOnDisconnect: z.boolean().describe('/disconnect ends the login as well'),
})
const noSuchConfiguration = 'No configuration with this id is in use.'

/** Adds the calls for the settings of the portal and the configurations of version 3 of the API. */
export function addPortalCalls(calls: ControlCalls, service: VpnService): void {
  const portal = service.version3
  calls.add('GET /portal', {
    summary: 'Shows the versions of the API and the settings of the portal for version 3',
    answer: settings.describe('The settings'),
    run: () => ({
      api: service.situation.offersApi ?? service.api,
      portalVersion: portal.version,
      maxConfigurations: portal.maxConfigurations,
      deleteAuthorizationOnDisconnect: portal.deletesAuthorizationOnDisconnect,
    }),
  })
  calls.add('PUT /portal', {
    summary: 'Changes the versions of the API and the settings of the portal for version 3',
    description: 'Applies until a reset. Omitted settings keep their values. Logins stay valid.',
    body: settings
      .partial()
      .refine((change) => Object.keys(change).length > 0, 'must name what to change')
      .meta({ minProperties: 1 }),
    run: ({ body }) => {
      service.api = body.api ?? service.api
      portal.version = body.portalVersion ?? portal.version
      portal.maxConfigurations = body.maxConfigurations ?? portal.maxConfigurations
      portal.deletesAuthorizationOnDisconnect =
        body.deleteAuthorizationOnDisconnect ?? portal.deletesAuthorizationOnDisconnect
    },
  })
  calls.add('GET /configurations', {
    summary: 'Lists the configurations of version 3 that are in use',
    answer: z.object({
      configurations: z
        .array(
          z.object({
            id: z.string().describe('The common name for OpenVPN, the public key for WireGuard'),
            user: z.string(),
            profile: z.string(),
            protocol: z.enum(['openvpn', 'wireguard']),
          }),
        )
        .describe('Oldest first'),
    }),
    run: () => ({
      configurations: portal.configurations.map(({ id, userId, profileId, transport }) => ({
        id,
        user: userId,
        profile: profileId,
        protocol: transport.startsWith('openvpn') ? 'openvpn' : 'wireguard',
      })),
    }),
  })
  calls.add('POST /configurations/withdraw', {
    summary: 'Withdraws one configuration of version 3, or all of them',
    description: 'OpenVPN disconnects the client and refuses its certificate.',
    body: z.strictObject({ id: z.string().min(1).max(200).optional() }).nullish(),
    answer: z.object({ withdrawn: z.array(z.string()) }).describe('The ids of the withdrawn configurations'),
    refusals: { 404: noSuchConfiguration },
    run: async ({ body }) => {
      const id = body?.id
      const chosen = portal.configurations.filter((one) => id === undefined || one.id === id)
      if (id !== undefined && chosen.length === 0) throw new ControlRefusal(404, noSuchConfiguration)
      await portal.withdraw(chosen)
      return { withdrawn: chosen.map((configuration) => configuration.id) }
    },
  })
}
