import { sendJson } from '../http/answer'
import type { App } from '../http/app'

/** The key under which info.json names the VPN application API. */
export const vpnApiKey = 'http://eduvpn.org/api#2'

/** The key under which info.json names the attachments service; a constant of this project, documented for users. */
export const attachmentsKey = 'https://causeway.example/attachments#2.0.0'

const movedTo = '/discovery/info.json'
const places = ['/info.json', '//info.json', '/.well-known/vpn-user-portal']

export interface Discovered {
  apiBase: string
  authorize: string
  token: string
  attachments: string
}

/**
 * The discovery document (section 2) at the places where clients of this API look for it. With `redirect` they answer
 * with that status and lead to another place.
 */
export function addDiscovery(
  app: App,
  options: { redirect?: 301 | 302 | 303 | undefined; origin(): string; paths: Discovered },
): void {
  const document = () => {
    const origin = options.origin()
    return {
      api: {
        [vpnApiKey]: {
          api_base_uri: `${origin}${options.paths.apiBase}`,
          authorization_endpoint: `${origin}${options.paths.authorize}`,
          token_endpoint: `${origin}${options.paths.token}`,
        },
        [attachmentsKey]: { base_uri: `${origin}${options.paths.attachments}` },
      },
      v: '2.4.5',
    }
  }
  const { redirect } = options
  for (const place of redirect === undefined ? places : [movedTo]) {
    app.get(place, (_request, reply) => sendJson(reply.header('cache-control', 'no-store'), 200, document()))
  }
  if (redirect === undefined) return
  for (const place of places) {
    app.get(place, (_request, reply) => reply.code(redirect).header('location', movedTo).send())
  }
}
