import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'

/** The key under which info.json names the VPN application API. */
export const vpnApiKey = 'http://eduvpn.org/api#2'

/** The keys of the services around it; constants of this project, documented for users. */
export const serviceKeys = {
  attachments: 'https://causeway.example/attachments#2.0.0',
  content: 'https://causeway.example/content#2.3',
  organizations: 'https://causeway.example/organizations#1',
} as const

const movedTo = '/discovery/info.json'
const places = ['/info.json', '//info.json', '/.well-known/vpn-user-portal']
/** Where clients look by mistake; nothing to tell others of. */
const isOdd = (place: string) => place.startsWith('//')

/** Paths below the origin; those of content and organizations begin there. */
export interface Discovered {
  apiBase: string
  authorize: string
  token: string
  attachments: string
}

const service = z.object({ base_uri: z.url() })
const infoDocument = z.object({
  api: z.object({
    [vpnApiKey]: z.object({
      api_base_uri: z.url(),
      authorization_endpoint: z.url(),
      token_endpoint: z.url(),
    }),
    [serviceKeys.attachments]: service,
    [serviceKeys.content]: service,
    [serviceKeys.organizations]: service,
  }),
  v: z.string().optional().describe('The version of the portal, from 2.4 on'),
})

/**
 * The discovery document (section 2) at the places where clients of this API look for it. With `redirect` they answer
 * with that status and lead to another place. `version` is what the portal says of itself, if it does.
 */
export function addDiscovery(
  app: App,
  options: {
    redirect?: 301 | 302 | 303 | undefined
    version?: string | undefined
    origin(): string
    paths: Discovered
  },
): void {
  const { redirect, version, paths } = options
  const document = () => {
    const origin = options.origin()
    return {
      api: {
        [vpnApiKey]: {
          api_base_uri: `${origin}${paths.apiBase}`,
          authorization_endpoint: `${origin}${paths.authorize}`,
          token_endpoint: `${origin}${paths.token}`,
        },
        [serviceKeys.attachments]: { base_uri: `${origin}${paths.attachments}` },
        [serviceKeys.content]: { base_uri: origin },
        [serviceKeys.organizations]: { base_uri: origin },
      },
      ...(version === undefined ? {} : { v: version }),
    }
  }
  const described = {
    tags: [tags.vpn],
    summary: 'The discovery document',
    response: { 200: infoDocument.describe('Where everything is') },
  }
  for (const place of redirect === undefined ? places : [movedTo]) {
    app.get(place, { schema: { ...described, hide: isOdd(place) } }, (_request, reply) =>
      sendJson(reply.header('cache-control', 'no-store'), 200, document()),
    )
  }
  if (redirect === undefined) return
  for (const place of places) {
    const schema = {
      hide: isOdd(place),
      tags: [tags.vpn],
      summary: 'Leads to the discovery document',
      response: { [redirect]: z.null().describe('Elsewhere, as the Location header says') },
    }
    app.get(place, { schema }, (_request, reply) => reply.code(redirect).header('location', movedTo).send())
  }
}
