import { z } from 'zod'
import { int, optional, text } from '../schemas'

const shownText = z.string().max(10_000)

/** A string, or an object that maps language tags to strings ("Localized values"). */
export const localizedText = z.union([shownText, z.record(text(1, 50), shownText)])

export const profileIdPattern = /^[a-zA-Z0-9.-]+$/

/** Protocols of version 3 (api-v3-facts.md, section 4) with their transports; `wireguard+tcp` is WireGuard over ProxyGuard. */
export const vpnTransports = ['openvpn+udp', 'openvpn+tcp', 'wireguard+udp', 'wireguard+tcp'] as const
export type VpnTransport = (typeof vpnTransports)[number]

/** A profile as set by `PUT /_mock/profiles`: the fields of both API versions, and settings of the portal. */
export const profileSchema = z
  .strictObject({
    profile_id: z.string().regex(profileIdPattern).max(200),
    display_name: localizedText,
    default_gateway: z.boolean().optional().describe('Routes all traffic of the client through the tunnel'),
    hidden: z.boolean().optional().describe('Omits it from lists and refuses its configuration'),
    only_version_3: z.boolean().optional().describe('Omits it from version 2 of the API'),
    vpn_proto_transport_list: optional(
      z.array(z.enum(vpnTransports)).min(1).max(vpnTransports.length),
      'The transports that version 3 offers, the preferred protocol first; OpenVPN over UDP and TCP if omitted. Version 2 lists only profiles with OpenVPN',
    ),
    dns_search_domain_list: optional(z.array(text(1, 253)).max(50), 'For version 3'),
    profile_priority: optional(int(-1000, 1000), 'For version 3'),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof profileSchema>

/** A profile in the list of version 3 (api-v3-facts.md, section 4). */
export const listedProfile3 = z
  .object({
    profile_id: z.string().regex(profileIdPattern),
    display_name: localizedText.describe('A string; an object in one scenario only'),
    vpn_proto_list: z.array(z.enum(['openvpn', 'wireguard'])),
    default_gateway: z.boolean(),
    dns_search_domain_list: z.array(z.string()).optional().describe('Portals since 3.4.3'),
    vpn_proto_transport_list: z.array(z.enum(vpnTransports)).optional().describe('Portals since 3.5.6'),
    profile_priority: z.int().optional().describe('Portals since 3.9.10'),
  })
  .meta({ id: 'ListedProfile3' })
export type ListedProfile3 = Omit<z.infer<typeof listedProfile3>, 'display_name'> & { display_name: string }

export const systemMessageSchema = z
  .strictObject({
    type: z.literal('notification').default('notification'),
    date_time: z.iso.datetime({ offset: true }).max(40),
    message: localizedText,
  })
  .meta({ id: 'SystemMessage' })
export type SystemMessage = z.infer<typeof systemMessageSchema>

/** A message of a type that only very old portals have (field notes, "system_messages"). */
export const maintenanceMessageSchema = z
  .object({
    type: z.literal('maintenance'),
    date_time: z.iso.datetime({ offset: true }),
    begin: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'MaintenanceMessage' })

export type ShownMessage = SystemMessage | z.infer<typeof maintenanceMessageSchema>

/** Returns the transports of a profile, those of the preferred protocol first. */
export function transportsOf({ vpn_proto_transport_list }: Profile): readonly VpnTransport[] {
  return vpn_proto_transport_list ?? ['openvpn+udp', 'openvpn+tcp']
}

export function isInVersion2(profile: Profile): boolean {
  return (
    profile.only_version_3 !== true &&
    transportsOf(profile).some((transport) => transport.startsWith('openvpn'))
  )
}
