import { z } from 'zod'
import { tags } from '../../openapi/openapi'
import { localizedText } from '../localized'
import { profileIdPattern, vpnProtocols, vpnTransports } from '../profile'

/** An error of the API. */
export function api3Error(description: string) {
  return z.object({ error: z.string() }).describe(description)
}

const unauthorized = z
  .object({ error: z.literal('invalid_token'), error_description: z.string() })
  .describe('The access token is missing, invalid or expired')

/** Returns the OpenAPI fields that all calls share. */
export const api3Call = (summary: string, description?: string) => ({
  tags: [tags.vpn3],
  summary,
  security: [{ accessToken: [] }],
  description: ['Needs an access token: `Authorization: Bearer …`.', description ?? ''].join(' ').trim(),
})

export const api3Errors = {
  401: unauthorized,
  404: api3Error('This portal does not offer version 3 of the API'),
}
export const api3ErrorsWithBody = {
  ...api3Errors,
  413: api3Error('The body is too large'),
  415: api3Error('The Content-Type is not valid'),
}

const listedProfile = z
  .object({
    profile_id: z.string().regex(profileIdPattern),
    display_name: localizedText.describe('A string; an object in one scenario only'),
    vpn_proto_list: z.array(z.enum(vpnProtocols)),
    default_gateway: z.boolean(),
    dns_search_domain_list: z.array(z.string()).optional().describe('Portals since 3.4.3'),
    vpn_proto_transport_list: z.array(z.enum(vpnTransports)).optional().describe('Portals since 3.5.6'),
    profile_priority: z.int().optional().describe('Portals since 3.9.10'),
  })
  .meta({ id: 'ListedProfile3' })
export type ListedProfile3 = Omit<z.infer<typeof listedProfile>, 'display_name'> & { display_name: string }

/** The answer of `/info`. */
export const infoAnswer = z.object({ info: z.object({ profile_list: z.array(listedProfile) }) })

/** Base64 of 32 bytes in canonical form, as portals check it (api-v3-facts.md, section 5). */
export const publicKeyPattern = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw480]=$/

/** The parameters of `/connect`. */
export const connectForm = z.object({
  profile_id: z.string().regex(profileIdPattern),
  public_key: z.string().regex(publicKeyPattern).optional().describe('Needed for WireGuard'),
  prefer_tcp: z.enum(['yes', 'no']).optional(),
})
