import { z } from 'zod'
import { filled } from './random'
import data from './texts/discovery.json'

const text = z.union([z.string(), z.partialRecord(z.string(), z.string())])
type ListedText = z.infer<typeof text>

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
export interface ListedAddresses extends Record<string, string> {
  institute: string
  nl: string
  de: string
  /** The address of the home server's template, without a query. */
  skipWayf: string
}

const institutes: readonly { domain: string; name: ListedText; keywords?: ListedText }[] = data.institutes

const supportOf = (domain: string) => [
  `mailto:helpdesk@${domain}.example`,
  `https://www.${domain}.example/vpn`,
  'tel:+31-555-0100',
]

/** The servers: this mock as institute and as two locations of Secure Internet, and made-up institutes. */
export function listedServers(addresses: ListedAddresses): ListedServer[] {
  return [
    ...(filled(data.servers, addresses) as ListedServer[]),
    ...institutes.map(({ domain, name, keywords }, index): ListedServer => ({
      server_type: 'institute_access',
      base_url: `https://vpn.${domain}.example/`,
      display_name: name,
      support_contact: index % 3 === 0 ? undefined : supportOf(domain).slice(0, index % 3),
      keyword_list: keywords,
    })),
  ]
}

/** The organizations of Secure Internet: two for this mock, and made-up ones with a home there. */
export function listedOrganizations(addresses: ListedAddresses): ListedOrganization[] {
  return [
    ...(filled(data.organizations, addresses) as ListedOrganization[]),
    ...institutes.map(({ domain, name, keywords }, index): ListedOrganization => ({
      display_name: typeof name === 'string' ? { en: name } : name,
      org_id: `https://idp.${domain}.example/saml`,
      secure_internet_home: index % 4 === 3 ? addresses.de : addresses.nl,
      keyword_list: keywords,
    })),
  ]
}
