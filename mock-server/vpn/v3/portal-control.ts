import { z } from 'zod'
import { badInput, described, errorSchema, okSchema, sendOk } from '../../control/replies'
import { sendJson } from '../../http/answer'
import type { App } from '../../http/app'
import { offeredApis } from '../situation'
import { mostSessionSeconds } from '../token-store'
import type { VpnService } from '../vpn-service'
import { portal3Versions } from './portal-version'

const settings = z.object({
  api: z.enum(offeredApis).describe('The versions of the API that the portal offers'),
  portalVersion: z.enum(portal3Versions).describe('The simulated portal version for version 3'),
  maxConfigurations: z.int().min(0).max(1000).describe('For each user; 0 refuses /connect with 403'),
  deleteAuthorizationOnDisconnect: z.boolean().describe('/disconnect ends the login as well'),
})
const changes = z.strictObject(settings.partial().shape)

const login = z
  .strictObject({
    user: z.string().min(1).max(200).optional().describe('The user signed in at the portal if omitted'),
    clientId: z.string().min(1).max(200).optional().describe('org.causeway.app.linux if omitted'),
    expiresIn: z
      .int()
      .min(1)
      .max(mostSessionSeconds)
      .optional()
      .describe('The lifetime of the access token in seconds'),
  })
  .nullish()
const tokens = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.int() })

const listed = z.object({
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
})
const withdrawal = z.strictObject({ id: z.string().min(1).max(200).optional() }).nullish()
const withdrawn = z
  .object({ withdrawn: z.array(z.string()) })
  .describe('The ids of the withdrawn configurations')
const unknownConfiguration = 'No configuration with this id is in use.'

/** Adds the control calls of version 3 of the API and of the OAuth server below `base`. */
export function addPortalControl(app: App, base: string, service: VpnService): void {
  const portal = service.version3
  app.get(
    `${base}/portal`,
    {
      schema: {
        ...described('Shows the versions of the API and the settings of the portal for version 3'),
        response: { 200: settings.describe('The settings') },
      },
    },
    (_request, reply) =>
      sendJson(reply, 200, {
        api: service.situation.offersApi ?? service.api,
        portalVersion: portal.version,
        maxConfigurations: portal.maxConfigurations,
        deleteAuthorizationOnDisconnect: portal.deletesAuthorizationOnDisconnect,
      }),
  )
  app.put(
    `${base}/portal`,
    {
      schema: {
        ...described(
          'Changes the versions of the API and the settings of the portal for version 3',
          'Applies until a reset. Omitted settings keep their values. Logins stay valid.',
        ),
        body: changes,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      if (body.api !== undefined) service.api = body.api
      if (body.portalVersion !== undefined) portal.version = body.portalVersion
      if (body.maxConfigurations !== undefined) portal.maxConfigurations = body.maxConfigurations
      if (body.deleteAuthorizationOnDisconnect !== undefined) {
        portal.deletesAuthorizationOnDisconnect = body.deleteAuthorizationOnDisconnect
      }
      return sendOk(reply)
    },
  )
  app.post(
    `${base}/tokens`,
    {
      schema: {
        ...described('Logs in without a browser'),
        body: login,
        response: { 200: tokens.describe('The tokens of a new login'), ...badInput },
      },
    },
    ({ body }, reply) => {
      const { accessToken, refreshToken, expiresIn } = service.tokens.issueTokens({
        userId: body?.user ?? service.userId,
        clientId: body?.clientId ?? 'org.causeway.app.linux',
        expiresIn: body?.expiresIn,
      })
      return sendJson(reply, 200, { accessToken, refreshToken, expiresIn })
    },
  )
  addConfigurationsControl(app, base, service)
}

function addConfigurationsControl(app: App, base: string, { version3 }: VpnService): void {
  app.get(
    `${base}/configurations`,
    {
      schema: {
        ...described('Lists the configurations of version 3 that are in use'),
        response: { 200: listed },
      },
    },
    (_request, reply) =>
      sendJson(reply, 200, {
        configurations: version3.configurations.map(({ id, userId, profileId, transport }) => ({
          id,
          user: userId,
          profile: profileId,
          protocol: transport.startsWith('openvpn') ? 'openvpn' : 'wireguard',
        })),
      }),
  )
  app.post(
    `${base}/configurations/withdraw`,
    {
      schema: {
        ...described(
          'Withdraws one configuration of version 3, or all of them',
          'OpenVPN disconnects the client and refuses its certificate.',
        ),
        body: withdrawal,
        response: { 200: withdrawn, ...badInput, 404: errorSchema(unknownConfiguration) },
      },
    },
    async ({ body }, reply) => {
      const id = body?.id
      const chosen = version3.configurations.filter(
        (configuration) => id === undefined || configuration.id === id,
      )
      if (id !== undefined && chosen.length === 0)
        return sendJson(reply, 404, { error: unknownConfiguration })
      await version3.withdraw(chosen)
      return sendJson(reply, 200, { withdrawn: chosen.map((configuration) => configuration.id) })
    },
  )
}
