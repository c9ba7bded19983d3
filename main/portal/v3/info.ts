import { z } from 'zod'
import { parseJson } from '../../json'
import {
  firstOfEach,
  listOfRecords,
  type Records,
  textsIfReadable,
  truthIfReadable,
  wholeNumber,
} from '../../loose'
import { localizedValue } from '../localized-value'
import type { Profile, VpnProtocol } from '../portal'

/** A profile with the fields that only the calls of version 3 use. */
export interface ProfileV3 extends Profile {
  /** Such as `openvpn+tcp`; absent on portals before 3.5.6. */
  readonly transports?: readonly string[]
}

const profileId = z.string().regex(/^[a-zA-Z0-9-.]{1,1024}$/)

const isProtocol = (name: string): name is VpnProtocol => name === 'openvpn' || name === 'wireguard'

const profile = z
  .object({
    profile_id: profileId,
    display_name: localizedValue,
    vpn_proto_list: textsIfReadable,
    default_gateway: truthIfReadable,
    dns_search_domain_list: textsIfReadable,
    vpn_proto_transport_list: textsIfReadable,
    profile_priority: wholeNumber.catch(undefined),
  })
  .transform((raw) => ({
    priority: raw.profile_priority ?? 0,
    profile: {
      profileId: raw.profile_id,
      displayName: raw.display_name ?? raw.profile_id,
      defaultGateway: raw.default_gateway,
      // Later versions may name protocols that no version of Causeway knows yet. Without a list, `/connect` tells.
      protocols: raw.vpn_proto_list?.filter(isProtocol),
      transports: raw.vpn_proto_transport_list,
      searchDomains: raw.dns_search_domain_list,
    } satisfies ProfileV3,
  }))

/** The profiles, those with a higher priority first (docs/portal-api.md). Of a profile that is listed twice, the first entry counts. */
const infoBody: z.ZodType<Records<ProfileV3>> = z
  .object({ info: z.object({ profile_list: listOfRecords(profile) }) })
  .transform(({ info: { profile_list } }) => {
    const sorted = profile_list.items.toSorted((one, other) => other.priority - one.priority)
    const records = { ...profile_list, items: sorted.map((entry): ProfileV3 => entry.profile) }
    return firstOfEach(records, ({ profileId }) => profileId)
  })

/** Parses the answer to `GET /info`. */
export function parseInfo(text: string): z.ZodSafeParseResult<Records<ProfileV3>> {
  return infoBody.safeParse(parseJson(text))
}
