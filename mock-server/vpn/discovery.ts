import { z } from 'zod'
import { sendJson, sendPage } from '../http/answer'
import { addRoute, type App } from '../http/app'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn, optional } from '../schemas'
import { signInPage } from './authorization-page'
import { portalFeatures } from './portal-version'
import { infoPlaces, movedTo, wellKnown } from './situation'
import type { VpnService } from './vpn-service'

export const vpnApiKey = 'http://eduvpn.org/api#2'
const vpnApi3Key = 'http://eduvpn.org/api#3'

/** The keys of the other services, which this project defines. */
const serviceKeys = {
  attachments: 'https://causeway.example/attachments#2.0.0',
  content: 'https://causeway.example/content#2.3',
  organizations: 'https://causeway.example/organizations#1',
} as const

/** The documents of the Secure Internet locations, all served by this portal below a path. */
const locationPlaces = ['nl', 'de'].flatMap((location) => [
  `/${location}/info.json`,
  `/${location}${wellKnown}`,
])
const isWellKnown = (place: string) => place.endsWith(wellKnown)
/** Wrong paths that some clients request; left out of the OpenAPI document. */
const isOdd = (place: string) => place.startsWith('//')

const service = z.object({ base_uri: z.url() })
const oauth = { authorization_endpoint: z.url(), token_endpoint: z.url() }
const infoDocument = z.object({
  api: z.object({
    [vpnApiKey]: optional(z.object({ api_base_uri: z.url(), ...oauth }), 'Only on portals with version 2'),
    [vpnApi3Key]: optional(z.object({ api_endpoint: z.url(), ...oauth }), 'Only on portals with version 3'),
    [serviceKeys.attachments]: service,
    [serviceKeys.content]: service,
    [serviceKeys.organizations]: service,
  }),
  v: z.string().optional().describe('The version of the portal, since 2.2.0'),
})

function infoOf(portal: VpnService, origin: string): z.infer<typeof infoDocument> {
  const endpoints = {
    authorization_endpoint: `${origin}${paths.authorize}`,
    token_endpoint: `${origin}${paths.token}`,
  }
  const version2 = portalFeatures(portal.portal).sendsVersion ? portal.portal : undefined
  const version = portal.offers(3) ? portal.settings.portalVersion : version2
  return {
    api: {
      ...(portal.offers(2) && { [vpnApiKey]: { api_base_uri: `${origin}${paths.apiBase}`, ...endpoints } }),
      ...(portal.offers(3) && { [vpnApi3Key]: { api_endpoint: `${origin}${paths.api3Base}`, ...endpoints } }),
      [serviceKeys.attachments]: { base_uri: `${origin}${paths.attachments}` },
      [serviceKeys.content]: { base_uri: origin },
      [serviceKeys.organizations]: { base_uri: origin },
    },
    v: version,
  }
}

/** Adds the discovery document at all paths that clients request. Version 3 alone has a sign-in page at info.json. */
export function addDiscovery(app: App, redirect: 301 | 302 | 303 | undefined): void {
  for (const place of [...(redirect === undefined ? infoPlaces : [movedTo]), ...locationPlaces]) {
    addRoute(app, 'GET', place, {
      tags: [tags.vpn],
      summary: 'The discovery document',
      hide: isOdd(place),
      response: {
        200: answerIn(
          'The endpoints of the portal; at info.json an HTML page, if the portal offers only version 3',
          { 'application/json': infoDocument, 'text/html; charset=utf-8': z.string() },
        ),
      },
      handler: ({ world: { vpn }, askedOrigin }, reply) =>
        !isWellKnown(place) && place !== movedTo && !vpn.offers(2)
          ? sendPage(reply, 200, signInPage)
          : sendJson(reply.header('cache-control', 'no-store'), 200, infoOf(vpn, askedOrigin)),
    })
  }
  if (redirect === undefined) return
  for (const place of infoPlaces) {
    addRoute(app, 'GET', place, {
      tags: [tags.vpn],
      summary: 'Redirects to the discovery document',
      hide: isOdd(place),
      response: { [redirect]: z.null().describe('A redirect to the address in the Location header') },
      handler: ({ world, worldPrefix }, reply) =>
        !isWellKnown(place) && !world.vpn.offers(2)
          ? sendPage(reply, 200, signInPage)
          : reply.code(redirect).header('location', `${worldPrefix}${movedTo}`).send(),
    })
  }
}
