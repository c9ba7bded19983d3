import { z } from 'zod'
import { Refusal } from '../../http/refusal'
import { call } from '../../control/control-calls'
import { offeredApis } from '../situation'
import { portal3Versions } from '../portal-version'

const settings = z.strictObject({
  api: z.enum(offeredApis).describe('The versions of the API that the portal offers'),
  portalVersion: z.enum(portal3Versions).describe('The simulated portal version for version 3'),
  maxConfigurations: z.int().min(0).max(1000).describe('For each user; 0 refuses /connect with 403'),
  deleteAuthorizationOnDisconnect: z.boolean().describe('/disconnect ends the login as well'),
})
const noSuchConfiguration = 'No configuration with this id is in use.'

export const portalCalls = {
  'GET /portal': call({
    summary: 'Shows the versions of the API and the settings of the portal for version 3',
    answer: settings.describe('The settings'),
    run: ({ world: { vpn } }) => ({
      api: vpn.situation.offersApi ?? vpn.api,
      portalVersion: vpn.version3.version,
      maxConfigurations: vpn.version3.maxConfigurations,
      deleteAuthorizationOnDisconnect: vpn.version3.deletesAuthorizationOnDisconnect,
    }),
  }),
  'PUT /portal': call({
    summary: 'Changes the versions of the API and the settings of the portal for version 3',
    description: 'Applies until a reset. Omitted settings keep their values. Logins stay valid.',
    body: settings
      .partial()
      .refine((change) => Object.keys(change).length > 0, 'must name what to change')
      .meta({ minProperties: 1 }),
    run: ({ body, world: { vpn } }) => {
      vpn.api = body.api ?? vpn.api
      vpn.version3.version = body.portalVersion ?? vpn.version3.version
      vpn.version3.maxConfigurations = body.maxConfigurations ?? vpn.version3.maxConfigurations
      vpn.version3.deletesAuthorizationOnDisconnect =
        body.deleteAuthorizationOnDisconnect ?? vpn.version3.deletesAuthorizationOnDisconnect
    },
  }),
  'GET /configurations': call({
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
    run: ({ world: { vpn } }) => ({
      configurations: vpn.version3.configurations.map(({ id, userId, profileId, transport }) => ({
        id,
        user: userId,
        profile: profileId,
        protocol: transport.startsWith('openvpn') ? 'openvpn' : 'wireguard',
      })),
    }),
  }),
  'POST /configurations/withdraw': call({
    summary: 'Withdraws one configuration of version 3, or all of them',
    description: 'OpenVPN disconnects the client and refuses its certificate.',
    body: z.strictObject({ id: z.string().min(1).max(200).optional() }).nullish(),
    answer: z.object({ withdrawn: z.array(z.string()) }).describe('The ids of the withdrawn configurations'),
    refusals: { 404: noSuchConfiguration },
    run: async ({ body, world: { vpn } }) => {
      const id = body?.id
      const chosen = vpn.version3.configurations.filter((one) => id === undefined || one.id === id)
      if (id !== undefined && chosen.length === 0) throw new Refusal(404, noSuchConfiguration)
      await vpn.version3.withdraw(chosen)
      return { withdrawn: chosen.map((configuration) => configuration.id) }
    },
  }),
}
