import { describe, expect, it } from 'vitest'
import { parseInfo } from './info'

const entry = {
  profile_id: 'internet',
  display_name: 'Internet Access',
  vpn_proto_list: ['openvpn'],
  default_gateway: true,
}
const parse = (...profiles: object[]) => parseInfo(JSON.stringify({ info: { profile_list: profiles } }))

describe('the profiles of /info', () => {
  it('have the fields of the first portals of version 3', () => {
    expect(parse(entry).data?.items).toEqual([
      { profileId: 'internet', displayName: 'Internet Access', protocols: ['openvpn'], defaultGateway: true },
    ])
  })

  it('have the fields of later portals, without unknown fields and protocols', () => {
    const later = {
      ...entry,
      display_name: { en: 'Internet', nl: 'Internettoegang' },
      vpn_proto_list: ['openvpn', 'wireguard', 'carrier-pigeon'],
      vpn_proto_transport_list: ['openvpn+tcp', 'carrier-pigeon+air'],
      dns_search_domain_list: ['campus.example'],
      profile_priority: 3,
      vpn_proto_preferred: 'carrier-pigeon',
    }
    expect(parse(later).data?.items).toEqual([
      {
        profileId: 'internet',
        displayName: { en: 'Internet', nl: 'Internettoegang' },
        protocols: ['openvpn', 'wireguard'],
        transports: ['openvpn+tcp', 'carrier-pigeon+air'],
        searchDomains: ['campus.example'],
        defaultGateway: true,
      },
    ])
  })

  it('are sorted by priority, and otherwise keep the order of the portal', () => {
    const named = (profile_id: string, profile_priority?: number) => ({
      ...entry,
      profile_id,
      profile_priority,
    })
    expect(
      parse(named('a'), named('b', 1), named('c', 2), named('d', 1), named('e')).data?.items.map(
        ({ profileId }) => profileId,
      ),
    ).toEqual(['c', 'b', 'd', 'a', 'e'])
  })

  it('are listed once each', () => {
    expect(parse(entry, { ...entry, display_name: 'Again' }).data?.items).toMatchObject([
      { displayName: 'Internet Access' },
    ])
  })

  it('may be an empty list', () => {
    expect(parse().data?.items).toEqual([])
  })

  it.each([
    ['no protocols', { vpn_proto_list: undefined }, { profileId: 'internet' }],
    ['one protocol', { vpn_proto_list: 'wireguard' }, { protocols: ['wireguard'] }],
    ['a number as a name', { display_name: 7 }, { displayName: '7' }],
    ['no name', { display_name: null }, { displayName: 'internet' }],
    ['a name without texts', { display_name: { en: null } }, { displayName: 'internet' }],
    ['a priority of another type', { profile_priority: 'high' }, { profileId: 'internet' }],
    ['a text as a truth value', { default_gateway: 'true' }, { defaultGateway: true }],
  ])('are read with %s', (_what, wrong, read) => {
    expect(parse({ ...entry, ...wrong }).data).toMatchObject({ items: [read], unreadable: 0 })
  })

  it('are refused if none can be read', () => {
    expect(parse({ ...entry, profile_id: 'a/b' }).success).toBe(false)
  })

  it.each(['', '[]', '{"info":{}}', '{"profile_list":[]}'])('are refused in %j', (text) => {
    expect(parseInfo(text).success).toBe(false)
  })
})
