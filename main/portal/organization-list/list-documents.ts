import { z } from 'zod'
import { CausewayError, hasCode } from '../../errors'
import { parseJson } from '../../json'
import { printable } from '../../../contract/safe-text'
import { safeUrl } from '../../../contract/safe-url'
import { firstOfEach, type Records, recordsIn, textsIfReadable } from '../../loose'
import { parseAddress } from '../instance/address'
import { localizedValue } from '../localized-value'
import type { LocalizedValue } from '../portal'

/** A server that an organization runs for its own people. */
export interface InstituteServer {
  readonly type: 'institute_access'
  /** With its final slash; names the server. */
  readonly baseUrl: string
  readonly displayName: LocalizedValue
  readonly keywords: LocalizedValue | undefined
  readonly supportContacts: readonly string[]
}

/** One location of a network of servers that the people of many organizations share. */
export interface SecureInternetServer {
  readonly type: 'secure_internet'
  /** With its final slash; names the server. */
  readonly baseUrl: string
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string
  readonly supportContacts: readonly string[]
  /** An address that skips the page on which people choose their organization, with its two marks. */
  readonly authenticationTemplate: string | undefined
}

type ListedServer = InstituteServer | SecureInternetServer

/** An organization whose users use the shared network. */
export interface ListedOrganization {
  /** Opaque. */
  readonly orgId: string
  readonly displayName: LocalizedValue
  readonly keywords: LocalizedValue | undefined
  /** The base address of the server that its people log in at. */
  readonly home: string
}

export interface ServerList {
  readonly version: number
  /** Number of entries that are left out because they can't be read. */
  readonly unreadable: number
  readonly servers: readonly ListedServer[]
}

export interface OrganizationList {
  readonly version: number
  /** As in `ServerList`. */
  readonly unreadable: number
  readonly organizations: readonly ListedOrganization[]
}

const maxEntries = 20_000
const maxLanguages = 200
const maxContacts = 20

const longestText = 2000
const longestTag = 64

/** Returns a text of a list as one line without control and direction characters. */
function oneLine(value: string): string {
  return value.length > longestText ? '' : printable(value, longestText)
}

/** The texts that can be shown; undefined if there is none. */
const localized = localizedValue.transform((value): LocalizedValue | undefined => {
  if (value === undefined || typeof value === 'string') return oneLine(value ?? '') || undefined
  const texts = Object.entries(value)
    .filter(([tag]) => tag.length <= longestTag && isPlain(tag))
    .slice(0, maxLanguages)
    .flatMap(([tag, text]) => (oneLine(text) === '' ? [] : [[tag, oneLine(text)] as const]))
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
})
const named = localized.pipe(z.union([z.string(), z.record(z.string(), z.string())]))
const version = z.int().nonnegative()
const document = z.record(z.string(), z.unknown())

/** Returns the base address of an instance that a list from this address names; undefined for anything else. */
function baseUrlFrom(value: string, source: URL): string | undefined {
  const url = safeUrl('base', value, source)
  try {
    return url && parseAddress(url.href).address
  } catch (error) {
    if (!hasCode(error, 'discovery/invalid-address')) throw error
    return undefined
  }
}

/** False for a text with characters that change how others around it are read: a fuzzer found an address with one. */
function isPlain(text: string): boolean {
  return printable(text, text.length) === text
}

/** Those that are not fit to be opened are left out. */
const contacts = textsIfReadable.transform((all = []) =>
  all.flatMap((each) => contactOf(each) ?? []).slice(0, maxContacts),
)

function contactOf(value: string): string | undefined {
  if (value.length > 500 || !isPlain(value) || !URL.canParse(value)) return undefined
  const { protocol } = new URL(value)
  if (protocol === 'https:' || protocol === 'http:') return safeUrl('page', value)?.href
  // Without a query: a mail has no text that its reader didn't write.
  if (protocol === 'mailto:') return /^mailto:[^\s?&,]+@[^\s?&,]+$/i.test(value) ? value : undefined
  return /^tel:\+?[\d().\- ]+$/i.test(value) ? value : undefined
}

// Made once: making a schema takes longer than reading a list of few entries.
const address = z.string().max(2048)
const shared = { base_url: address, support_contact: contacts }
const serversIn = recordsIn(
  z.discriminatedUnion('server_type', [
    z.object({
      ...shared,
      server_type: z.literal('institute_access'),
      display_name: named,
      keyword_list: localized,
    }),
    z.object({
      ...shared,
      server_type: z.literal('secure_internet'),
      country_code: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/),
      authentication_url_template: address.optional().catch(undefined),
    }),
  ]),
)
const organizationsIn = recordsIn(
  z.object({
    org_id: z
      .string()
      .min(1)
      .max(2048)
      .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u),
    display_name: named,
    secure_internet_home: address,
    keyword_list: localized,
  }),
)

/** Reads `server_list.json`. An entry that doesn't fit is left out and counted. Throws `organization-list/invalid-document`. */
export function parseServerList(json: string, source: URL): ServerList {
  const template = (value = '') =>
    isPlain(value) && safeUrl('endpoint', value, source) !== undefined ? value : undefined
  const { version, ...servers } = parseList(
    json,
    'server_list',
    serversIn,
    (each): ListedServer | undefined => {
      const baseUrl = baseUrlFrom(each.base_url, source)
      if (baseUrl === undefined) return undefined
      const common = { baseUrl, supportContacts: each.support_contact }
      return each.server_type === 'institute_access'
        ? { type: each.server_type, ...common, displayName: each.display_name, keywords: each.keyword_list }
        : {
            type: each.server_type,
            ...common,
            countryCode: each.country_code,
            authenticationTemplate: template(each.authentication_url_template),
          }
    },
  )
  const unique = firstOfEach(servers, ({ type, baseUrl }) => `${type} ${baseUrl}`)
  return { version, servers: unique.items, unreadable: unique.unreadable }
}

/** Reads `organization_list.json`, as `parseServerList`. */
export function parseOrganizationList(json: string, source: URL): OrganizationList {
  const { version, ...organizations } = parseList(json, 'organization_list', organizationsIn, (each) => {
    const home = baseUrlFrom(each.secure_internet_home, source)
    if (home === undefined) return undefined
    return { orgId: each.org_id, displayName: each.display_name, keywords: each.keyword_list, home }
  })
  const unique = firstOfEach(organizations, ({ orgId }) => orgId)
  return { version, organizations: unique.items, unreadable: unique.unreadable }
}

/** Reads the list; entries of which `read` returns nothing are left out and counted, too. */
function parseList<Entry, Read>(
  json: string,
  name: string,
  entries: z.ZodType<Records<Entry>>,
  read: (entry: Entry) => Read | undefined,
): { readonly version: number } & Records<Read> {
  const parsed = document.safeParse(parseJson(json))
  const list = entries.safeParse(parsed.data?.[name] ?? 'missing')
  const listVersion = version.safeParse(parsed.data?.v)
  if (!list.success || !listVersion.success || list.data.items.length + list.data.unreadable > maxEntries)
    throw new CausewayError('organization-list/invalid-document', { details: { list: name } })
  const items = list.data.items.flatMap((each) => read(each) ?? [])
  const invalid = list.data.items.length - items.length
  return { version: listVersion.data, items, unreadable: list.data.unreadable + invalid }
}
