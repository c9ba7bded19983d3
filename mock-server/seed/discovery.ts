import { z } from 'zod'
import institutes from './texts/institutes.json'

const text = z.union([z.string(), z.partialRecord(z.string(), z.string())])
type ListedText = z.infer<typeof text>

/** A server of `server_list.json` (api-v3-facts.md, section 9). */
const listedServer = z.object({
  server_type: z.enum(['institute_access', 'secure_internet']),
  base_url: z.url(),
  display_name: text.optional(),
  country_code: z.string().length(2).optional(),
  support_contact: z.array(z.string()).optional(),
  keyword_list: text.optional(),
  authentication_url_template: z.string().optional(),
  public_key_list: z.array(z.string()).optional(),
})
export type ListedServer = z.infer<typeof listedServer>

/** An organization of `organization_list.json`. */
const listedOrganization = z.object({
  display_name: text,
  org_id: z.string(),
  secure_internet_home: z.url(),
  keyword_list: text.optional(),
})
export type ListedOrganization = z.infer<typeof listedOrganization>

const version = z.int().describe('Seconds since 1970')
export const listSchemas = {
  'server_list.json': z.object({ v: version, server_list: z.array(listedServer) }),
  'organization_list.json': z.object({ v: version, organization_list: z.array(listedOrganization) }),
}

/** Addresses of this mock that stand in the lists. */
export interface ListedAddresses {
  institute: string
  /** The locations of Secure Internet. */
  nl: string
  de: string
  /** The address of the home server's template, without a query. */
  skipWayf: string
}

interface Place {
  domain: string
  name: ListedText
  keywords?: ListedText
}

const places: readonly Place[] = institutes

const supportOf = (domain: string) => [
  `mailto:helpdesk@${domain}.example`,
  `https://www.${domain}.example/vpn`,
  'tel:+31-555-0100',
]

/** The servers: this mock as institute and as two locations of Secure Internet, and made-up institutes. */
export function listedServers(addresses: ListedAddresses): ListedServer[] {
  const location = (country_code: string, base_url: string, letter: string): ListedServer => ({
    server_type: 'secure_internet',
    base_url,
    country_code,
    support_contact: [`mailto:secure-internet@${country_code.toLowerCase()}.example`],
    public_key_list: [`k7.pub.${letter.repeat(16)}.${letter.repeat(43)}`],
  })
  return [
    {
      server_type: 'institute_access',
      base_url: addresses.institute,
      display_name: {
        en: 'Mock Institute',
        nl: 'Namaakinstituut',
        de: 'Attrappeninstitut',
        fr: 'Institut factice',
      },
      support_contact: supportOf('mock-institute'),
      keyword_list: { en: 'causeway test', de: 'causeway Prüfung' },
    },
    {
      ...location('NL', addresses.nl, 'A'),
      authentication_url_template: `${addresses.skipWayf}?returnTo=@RETURN_TO@&orgId=@ORG_ID@`,
    },
    location('DE', addresses.de, 'B'),
    ...places.map(({ domain, name, keywords }, index): ListedServer => ({
      server_type: 'institute_access',
      base_url: `https://vpn.${domain}.example/`,
      display_name: name,
      support_contact: index % 3 === 0 ? undefined : supportOf(domain).slice(0, index % 3),
      keyword_list: keywords,
    })),
  ]
}

/** The organizations of Secure Internet: two for this mock, and made-up ones with a home there. */
export function listedOrganizations({ nl, de }: ListedAddresses): ListedOrganization[] {
  return [
    {
      display_name: { en: 'Mock University', nl: 'Namaakuniversiteit', de: 'Attrappen-Universität' },
      org_id: 'https://idp.mock-university.example/saml/metadata?id=1 2',
      secure_internet_home: nl,
      keyword_list: { en: 'causeway test' },
    },
    {
      display_name: { en: 'Mock Academy', de: 'Attrappen-Akademie' },
      org_id: 'https://idp.mock-academy.example/saml',
      secure_internet_home: de,
    },
    ...places.map(({ domain, name, keywords }, index): ListedOrganization => ({
      display_name: typeof name === 'string' ? { en: name } : name,
      org_id: `https://idp.${domain}.example/saml`,
      secure_internet_home: index % 4 === 3 ? de : nl,
      keyword_list: keywords,
    })),
  ]
}
