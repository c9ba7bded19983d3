import type { Profile, SystemMessage } from '../vpn/profile'

/** The profiles of every seed. Version 2 of the API lists the first two. */
export function seedProfiles(): Profile[] {
  return [
    {
      profile_id: 'internet',
      display_name: { en: 'Internet Access', nl: 'Internettoegang', de: 'Internetzugang' },
      default_gateway: true,
    },
    { profile_id: 'office', display_name: 'Office Network', default_gateway: false },
    {
      profile_id: 'campus',
      display_name: 'Campus Network',
      default_gateway: false,
      only_version_3: true,
      dns_search_domain_list: ['campus.example', 'lab.campus.example'],
      profile_priority: 10,
    },
    {
      profile_id: 'everywhere',
      display_name: 'Internet Access (WireGuard or OpenVPN)',
      default_gateway: true,
      only_version_3: true,
      vpn_proto_transport_list: ['wireguard+udp', 'wireguard+tcp', 'openvpn+udp', 'openvpn+tcp'],
    },
    {
      profile_id: 'wireguard-only',
      display_name: 'Research Network (WireGuard)',
      default_gateway: false,
      only_version_3: true,
      vpn_proto_transport_list: ['wireguard+udp'],
    },
  ]
}

function before(now: Date, hours: number): string {
  return new Date(now.getTime() - hours * 3_600_000).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** System messages of the last days, newest first: plain, localized, and one that tries markup. */
export function seedSystemMessages(now: Date): SystemMessage[] {
  return [
    {
      type: 'notification',
      date_time: before(now, 2),
      message: 'Maintenance on Sunday between 06:00 and 08:00 UTC: connections may drop for some minutes.',
    },
    {
      type: 'notification',
      date_time: before(now, 26),
      message: {
        en: 'The office network has a new address range. Reconnect to use it.',
        nl: 'Het kantoornetwerk heeft een nieuw adresbereik. Maak opnieuw verbinding om het te gebruiken.',
        de: 'Das Büronetz hat einen neuen Adressbereich. Bitte neu verbinden.',
      },
    },
    {
      type: 'notification',
      date_time: before(now, 73),
      message: 'Welcome to the <b>mock instance</b>.\r\nNothing here leaves this machine.',
    },
  ]
}
