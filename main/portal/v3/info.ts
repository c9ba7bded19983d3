import { z } from 'zod'
import { parseJson } from '../../json'
import type { Profile, VpnProtocol } from '../portal'

/** A profile with the fields that only the calls of version 3 use. */
export interface ProfileV3 extends Profile {
  readonly protocols: readonly VpnProtocol[]
  /** Such as `openvpn+tcp`; absent on portals before 3.5.6. */
  readonly transports?: readonly string[]
}

const profileId = z.string().regex(/^[a-zA-Z0-9-.]{1,1024}$/)

const isProtocol = (name: string): name is VpnProtocol => name === 'openvpn' || name === 'wireguard'

const profile = z
  .object({
    profile_id: profileId,
    display_name: z.union([z.string(), z.record(z.string(), z.string())]),
    vpn_proto_list: z.array(z.string()),
    default_gateway: z.boolean(),
    dns_search_domain_list: z.array(z.string()).optional(),
    vpn_proto_transport_list: z.array(z.string()).optional(),
    profile_priority: z.number().optional(),
  })
  .transform((raw) => ({
    priority: raw.profile_priority ?? 0,
    profile: {
      profileId: raw.profile_id,
      displayName: raw.display_name,
      defaultGateway: raw.default_gateway,
      // Later versions may name protocols that no version of Causeway knows yet.
      protocols: raw.vpn_proto_list.filter(isProtocol),
      ...(raw.vpn_proto_transport_list === undefined ? {} : { transports: raw.vpn_proto_transport_list }),
      ...(raw.dns_search_domain_list === undefined ? {} : { searchDomains: raw.dns_search_domain_list }),
    } satisfies ProfileV3,
  }))

/** The profiles, those with a higher priority first (docs/portal-api.md). Of a profile that is listed twice, the first entry counts. */
const infoBody: z.ZodType<ProfileV3[]> = z
  .object({ info: z.object({ profile_list: z.array(profile) }) })
  .transform(({ info }) => {
    const sorted = info.profile_list.toSorted((one, other) => other.priority - one.priority)
    const profiles = sorted.map((entry) => entry.profile)
    const ids = profiles.map((each) => each.profileId)
    return profiles.filter((each, index) => ids.indexOf(each.profileId) === index)
  })

/** Parses the answer to `GET /info`. */
export function parseInfo(text: string): z.ZodSafeParseResult<ProfileV3[]> {
  return infoBody.safeParse(parseJson(text))
}
